"""A match as the player of matches sees it, and what it intends to do."""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.versus.outlook import Outlook


@dataclass(frozen=True, slots=True)
class Position:
    """A match as the player sees it before a lock. each: how many points make one nuisance puyo now. due: the nuisance
    that falls after this lock unless a chain cancels it. later: the nuisance that falls after a later lock. own, other:
    what the player and the rival can do. colors: those that the game deals.
    """

    snapshot: Snapshot
    rival: Rival
    each: int
    due: int
    later: int
    own: Outlook
    other: Outlook
    colors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intent:
    """What to do. root: the chosen lock as an index into the order of locks; None means build. why: the reason.
    in_time: whether to build the largest chain that can be set off before the rival's nuisance falls.
    """

    why: str
    root: int | None = None
    in_time: bool = False
