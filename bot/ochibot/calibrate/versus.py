"""The second seat: the way to a game of two players, where that seat keeps everything, and what is sent to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ochibot.calibrate.effects import Poker, group
from ochibot.calibrate.explore import Explorer, Route, _Node
from ochibot.calibrate.lab import Lab
from ochibot.calibrate.learn import Learnt, ground_of, learn
from ochibot.calibrate.mapfile import map_of
from ochibot.calibrate.motion import motion
from ochibot.calibrate.notebook import Notebook
from ochibot.calibrate.waiting import Pending
from ochibot.calibrate.yamlform import Flow, Hex
from ochibot.errors import CalibrationError
from ochibot.leftovers import make_folder
from ochibot.ram import RamMap

SEARCH_SECONDS = 150.0

PAGES = 24
"""About how many pages a notebook has, for a bar."""

SINKS = 70
"""Frames in which a piece that nobody touches sinks by a row."""

POINTS_EACH = (70, *(each for each in range(20, 201, 10) if each != 70))
"""Points per nuisance that are tried; 70 is that of all games of the family that are known."""

GROUPS = (5, 6, 7, 8, 9)
SENT = 4
"""How much nuisance is poked, to see it fall."""


@dataclass(frozen=True)
class Seats:
    """A game of two: how it is reached, what was learnt of each seat, and what waits for it (None: not found)."""

    route: Route
    learnt: tuple[Learnt, Learnt]
    pending: tuple[Pending | None, Pending | None]
    at_once: bool = True
    """Whether the first pieces are announced as the last button is pressed."""

    def maps(self, lab: Lab, game: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The maps of both seats, as mappings."""
        made = []
        for number, (found, waits) in enumerate(zip(self.learnt, self.pending, strict=True), 1):
            data = {**map_of(found, lab, game), "name": f"versus{number}", "seat": number}
            if waits is not None:
                note = f"one for {waits.each} points of the other side; what is poked here falls"
                data["entries"]["pending"] = Flow(address=Hex(lab.base + waits.place), source="calibrated", note=note)
            made.append(data)
        return made[0], made[1]


class _Search(Explorer):
    """A search that doesn't go on from the play of one player: it would never leave it."""

    def __init__(self, lab: Lab, solo: Learnt, told: Callable[[int, int], None]) -> None:
        super().__init__(lab, told)
        self._solo = solo

    def _expand(self, node: _Node) -> None:
        if not self._played(node.state):
            super()._expand(node)

    def _played(self, state: bytes) -> bool:
        lab, basis = self.lab, self._solo.basis
        lab.load(state)
        before = lab.peek(basis.y[0])
        lab.run([0] * SINKS)
        return lab.peek(basis.x[0]) in basis.columns and lab.peek(basis.y[0]) != before


def learn_seats(
    lab: Lab, boot: bytes, solo: Learnt, folder: Path, about: str, game: str, told: Callable[[str, float], None]
) -> Seats:
    """From power-on (``boot``) to a game of two, and what each seat keeps there. Raises CalibrationError."""
    second = Lab(lab.console, port=1)
    books = []
    for number in (1, 2):
        make_folder(folder / f"seat{number}")
        books.append(Notebook(folder / f"seat{number}", about, _prefixed(f"seat {number} of two: ", told)))
    route = books[1].page("the way to a game of two", lambda: _find(lab, second, boot, solo, told), needed=True)
    assert route is not None
    start = RamMap.model_validate(map_of(solo, lab, game))
    learnt = (
        learn(lab, books[0], route.state, start),
        learn(second, books[1], route.state),
    )
    first = books[0].page("what is sent", lambda: _pending(lab, learnt[0], second, learnt[1]))
    other = books[1].page("what is sent", lambda: _pending(second, learnt[1], lab, learnt[0]))
    return Seats(route, learnt, (first, other))


def _prefixed(words: str, told: Callable[[str, float], None]) -> Callable[[str, int], None]:
    return lambda what, number: told(words + what, min(1.0, number / PAGES))


def _find(lab: Lab, second: Lab, boot: bytes, solo: Learnt, told: Callable[[str, float], None]) -> Route:
    lab.load(boot)
    lab.limit(SEARCH_SECONDS)
    search = _Search(
        lab, solo, lambda screens, waiting: told(f"a game of two: {screens} screens, {waiting} to try", 0.0)
    )
    try:
        return search.find(lambda _, state: motion(second, state))
    except CalibrationError:
        raise CalibrationError(f"no game of two players was found on {search.screens} screens") from None
    finally:
        lab.limit(None)


def _poker(lab: Lab, learnt: Learnt) -> Poker:
    ground = ground_of(lab, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
    return Poker(ground, learnt.near, learnt.far, learnt.stance.near_row == 0)


def _pending(mine_lab: Lab, mine: Learnt, other_lab: Lab, other: Learnt) -> Pending:
    """What waits for a seat: it grows with the other's points, and falls when it is poked. Raises CalibrationError."""
    if other.formula is None or mine.sort is None or not mine.sort.nuisance:
        raise CalibrationError("without points and nuisance codes nothing can be seen to be sent")
    theirs, worth = _poker(other_lab, other), dict(other.formula.seen)
    one, third = theirs.ground.colors[0], theirs.ground.colors[2]
    seen = []
    for count in GROUPS:
        if f"group {count}" in worth:
            # hurried: the piece of the seat that is looked at must not lock meanwhile
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
                return Pending(int(place), each)
    raise CalibrationError("no byte grows with the other seat's points and lets nuisance fall when it is poked")
