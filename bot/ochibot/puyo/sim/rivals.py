"""What each seat of a simulated match sees of the other seat: no more than the screen shows."""

from __future__ import annotations

from dataclasses import replace

from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.rules.steps import Lock
from ochibot.puyo.sim.match import Match


def rival(match: Match, seat: int, lock: Lock | None, frames: int, frame: int, *, deciding: bool = False) -> Rival:
    """The seat ``seat`` as the other seat sees it.

    ``lock``: the seat's last lock while its chain is still running; None otherwise. ``frames``: how long the chain
    still runs. ``frame``: the frame of the round. ``deciding``: whether the seat's pair is still falling.
    """
    own = match.side(seat)
    shown = own.pair, own.next_pair, *match.shown(seat)
    if lock is None:
        return Rival(own.field, shown if deciding else shown[1:], own.tray.waiting, own.earned, int(own.earned > 0))
    tray, coming = own.tray.after_chain(lock.chain_score, lock.emptied, match.rules, frame + frames, match.most_made)
    return Rival(lock.field, shown[1:], tray.waiting, coming, frames if lock.steps else 0)


def facing(snapshot: Snapshot, match: Match, seat: int, other: Rival, frame: int) -> Snapshot:
    """Adds to a seat's snapshot the nuisance that waits above the seat, the round's frame and the other side."""
    return replace(snapshot, waiting=match.side(seat).tray.waiting, frame=frame, rival=other)
