"""A session: ROM, core, maps, rules, players, recorder and window of one game as one object.

    >>> import ochibot
    >>> with ochibot.open("puyo", seed=1) as game:
    ...     game.play(pieces=3).agreement
    1.0

A program can also make the decisions itself. This one always takes the first legal placement:

    >>> with ochibot.open("puyo", seed=1) as game:
    ...     snapshot = game.start()
    ...     print(snapshot.pair, snapshot.next_pair)
    ...     landed = [game.place(game.placements()[0]) for _ in range(3)]
    ...     print([lock.agreed for lock in landed], game.ram["score"])
    BG YR
    [True, True, True] 0

The commands use the same object and only parse and print.
"""

from ochibot.session.byhand import Picture, SavedGame
from ochibot.session.opening import open_session
from ochibot.session.session import PlayerLike, Session

__all__ = ["Picture", "PlayerLike", "SavedGame", "Session", "open_session"]
