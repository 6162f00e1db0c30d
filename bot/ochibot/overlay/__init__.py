"""Shows an AI in windows and videos: its plan as a ghost on the game's picture, and a panel beside it.

::

    SeatPlayer | Record ──► Standing ──► panel, ghost ──► Window | video

Nothing here knows where a Standing comes from, nor where the pictures go. A picture is an array (H, W, 3) of uint8.
"""
