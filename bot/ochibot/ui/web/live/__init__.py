"""The live page: a browser shows a running game as it happens.

The playing process reads what its seats show (``states``) and hands it, without waiting, to a process of its own
(``link``), which serves the page (``process``, ``api``). A page that reads slowly, or not at all, skips frames there
and never holds the game.
"""
