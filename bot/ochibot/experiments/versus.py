"""The second seat: finds the way to a game of two players, that seat's map, and the nuisance that is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.basis import ground_of
from ochibot.experiments.effects import Poker, group
from ochibot.experiments.explore import Explorer, Route, _Node
from ochibot.experiments.learn import learn
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.motion import motion
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.experiments.waiting import Pending
from ochibot.experiments.yamlform import Flow, Hex
from ochibot.leftovers import make_folder
from ochibot.ram import RamMap
from ochibot.wording import counted

SEARCH_FRAMES = 300_000

PAGES = 24
"""About how many experiments there are, for the progress bar."""

SINKS = 70
"""A piece that nobody touches sinks by a row within this many frames."""

POINTS_EACH = (70, *(each for each in range(20, 201, 10) if each != 70))
"""Values tried, in this order, for the points that make one nuisance. All known games of the family have 70."""

GROUPS = (5, 6, 7, 8, 9)
SENT = 4
"""How much nuisance is poked to see whether it falls."""

FLOOD = 54
"""How much nuisance is poked to see how much falls at once: more than any game of the family is known to drop."""


@dataclass(frozen=True)
class Seats:
    """A game of two: the route there, what was learnt of each seat, and where its pending nuisance is (or None)."""

    route: Route
    learnt: tuple[Learnt, Learnt]
    pending: tuple[Pending | None, Pending | None]
    at_once: bool = True
    """Whether the first pieces appear while the last button of the menu is still held."""

    def maps(self, rig: Rig, game: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The maps of both seats, as mappings."""
        made = []
        for number, (found, waits) in enumerate(zip(self.learnt, self.pending, strict=True), 1):
            data = {**map_of(found, rig, game), "name": f"versus{number}", "seat": number}
            if waits is not None:
                note = f"one for {counted(waits.each, 'point')} of the other side; what is poked here falls"
                data["entries"]["pending"] = Flow(address=Hex(rig.address(waits.place)), source="calibrated", note=note)
            made.append(data)
        return made[0], made[1]


class _Search(Explorer):
    """A search that doesn't go on from screens of one-player play, because it would never get out of play."""

    def __init__(self, rig: Rig, solo: Learnt, progress: Callable[[int, int], None]) -> None:
        super().__init__(rig, progress)
        self._solo = solo

    def _expand(self, node: _Node) -> None:
        if not self._played(node.state):
            super()._expand(node)

    def _played(self, state: bytes) -> bool:
        rig, basis = self.rig, self._solo.basis
        rig.load(state)
        before = rig.peek(basis.y[0])
        rig.run([0] * SINKS)
        return rig.peek(basis.x[0]) in basis.columns and rig.peek(basis.y[0]) != before


def learn_seats(
    rig: Rig, boot: bytes, solo: Learnt, folder: Path, about: str, game: str, progress: Callable[[str, float], None]
) -> Seats:
    """Finds a game of two from power-on (the savestate ``boot``), and learns both seats there.

    Raises CalibrationError when no such game is found.
    """
    second = Rig(rig.console, port=1)
    books = []
    for number in (1, 2):
        make_folder(folder / f"seat{number}")
        books.append(Notebook(folder / f"seat{number}", about, _prefixed(f"seat {number} of two: ", progress)))
    route = books[1].page("the way to a game of two", lambda: _find(rig, second, boot, solo, progress), needed=True)
    assert route is not None
    start = RamMap.model_validate(map_of(solo, rig, game))
    learnt = (
        learn(rig, books[0], route.state, start),
        learn(second, books[1], route.state),
    )
    first = books[0].page("what is sent", lambda: _pending(rig, learnt[0], second, learnt[1]))
    other = books[1].page("what is sent", lambda: _pending(second, learnt[1], rig, learnt[0]))
    return Seats(route, learnt, (first, other))


def _prefixed(words: str, progress: Callable[[str, float], None]) -> Callable[[str, int], None]:
    return lambda what, number: progress(words + what, min(1.0, number / PAGES))


def _find(rig: Rig, second: Rig, boot: bytes, solo: Learnt, progress: Callable[[str, float], None]) -> Route:
    rig.load(boot)
    rig.limit(SEARCH_FRAMES)
    search = _Search(
        rig, solo, lambda screens, waiting: progress(f"a game of two: {screens} screens, {waiting} to try", 0.0)
    )
    try:
        return search.find(lambda _, state: motion(second, state))
    except CalibrationError:
        raise CalibrationError(f"no game of two players was found on {counted(search.screens, 'screen')}") from None
    finally:
        rig.limit(None)


def _poker(rig: Rig, learnt: Learnt) -> Poker:
    ground = ground_of(rig, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
    return Poker(ground, learnt.near, learnt.far, learnt.stance.near_row == 0)


def _pending(mine_lab: Rig, mine: Learnt, other_lab: Rig, other: Learnt) -> Pending:
    """Finds the byte that counts the nuisance pending for seat ``mine``: it grows with the other seat's points, and
    what is poked into it falls. Raises CalibrationError when no byte does that.
    """
    if other.formula is None or mine.sort is None or not mine.sort.nuisance:
        raise CalibrationError("without points and nuisance codes nothing can be seen to be sent")
    theirs, worth = _poker(other_lab, other), dict(other.formula.seen)
    one, third = theirs.ground.colors[0], theirs.ground.colors[2]
    seen = []
    for count in GROUPS:
        if f"group {count}" in worth:
            # ``lock`` holds DOWN on the other seat's pad, so that its piece locks before that of seat ``mine``
            ram = theirs.lock(group(theirs.ground, count), 0, one, third).ram
            seen.append((worth[f"group {count}"], ram))
    if len(seen) < 3:
        raise CalibrationError("too few groups of different sizes vanished")
    stack = np.stack([ram for _, ram in seen])
    poker = _poker(mine_lab, mine)
    for each in POINTS_EACH:
        counts = np.array([points // each for points, _ in seen], np.uint8)
        if len(set(counts.tolist())) < 3:
            continue
        for place in np.flatnonzero((stack == counts[:, None]).all(axis=0)):
            fallen = poker.ground.drop(column=0, pokes={int(place): SENT})
            if list(poker.ground.kinds(fallen.ram).values()).count(mine.sort.nuisance[0]) == SENT:
                return _limited(poker, Pending(int(place), each), mine.sort.nuisance[0])
    raise CalibrationError("no byte grows with the other seat's points and lets nuisance fall when it is poked")


def _limited(poker: Poker, waits: Pending, code: int) -> Pending:
    """Adds how many fall at once, and whether the others wait on. Returns ``waits`` unchanged if that can't be seen."""
    try:
        fallen = poker.ground.drop(column=0, pokes={waits.place: FLOOD})
    except CalibrationError:
        return waits
    fell = list(poker.ground.kinds(fallen.ram).values()).count(code)
    left = int(fallen.ram[waits.place])
    if not SENT < fell < FLOOD or left not in (0, FLOOD - fell):
        return waits
    return replace(waits, most=fell, queued=left > 0)
