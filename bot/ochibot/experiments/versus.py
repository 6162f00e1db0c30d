"""The second seat: finds the way to a game of two players, that seat's map, and the nuisance that is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ochibot.console import Button, HostedConsole
from ochibot.errors import CalibrationError
from ochibot.experiments.basis import ground_of
from ochibot.experiments.effects import Poker, group
from ochibot.experiments.explore import COSTS, Explorer, Route, _Node
from ochibot.experiments.learn import learn
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.motion import Motion, followers, motion, roots
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import OTHER_PAD, Bytes, Rig
from ochibot.experiments.setting import pokes_of
from ochibot.experiments.waiting import Pending
from ochibot.experiments.yamlform import Flow, Hex
from ochibot.leftovers import make_folder
from ochibot.ram import RamMap
from ochibot.ram.places import byte_order
from ochibot.wording import counted

SEARCH_FRAMES = 300_000

SECOND_PAD = 2.0
"""What a tap on the second pad costs in the search: games want both players to say that they are ready."""

UNTOUCHED = 1500
"""For so many frames a piece that nobody touches is watched, to see whether the game steers it."""

UNMOVED = 0.9
"""The share of a piece's steps downwards that it makes in the same column if nobody steers it."""

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
    failed: Mapping[str, str] = field(default_factory=dict)
    """Why an experiment failed for both seats or for one of them, by its name."""

    def maps(self, rig: Rig, game: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """The maps of both seats, as mappings."""
        made = []
        for number, (found, waits) in enumerate(zip(self.learnt, self.pending, strict=True), 1):
            data = {**map_of(found, rig, game), "name": f"versus{number}", "seat": number}
            if waits is not None:
                note = f"one for {counted(waits.each, 'point')} of the other side; what is poked here falls"
                form: dict[str, Any] = {} if waits.kind == "u8" else {"type": waits.kind, "divide": waits.each}
                if waits.plus is not None:
                    form["plus"] = [Hex(rig.address(waits.plus))]
                data["entries"]["pending"] = Flow(
                    address=Hex(rig.address(waits.place)), **form, source="calibrated", note=note
                )
            made.append(data)
        return made[0], made[1]


class _Beside(Rig):
    """A rig for one seat of two. ``beside`` is called whenever a savestate is loaded. It empties the other seat's
    field, so that the game doesn't end there, where nobody plays.
    """

    def __init__(self, console: HostedConsole, port: int, beside: Callable[[], None]) -> None:
        super().__init__(console, port)
        self.beside = beside

    def load(self, state: bytes) -> None:
        super().load(state)
        self.beside()


def _empties(rig: Rig, learnt: Learnt) -> Callable[[], None]:
    """A function that empties a seat's field in the running game."""
    basis = learnt.basis
    return lambda: rig.poke(pokes_of(basis.place, basis.setting, {}))


def _holds(rig: Rig, state: bytes, solo: Learnt) -> bool:
    """Whether a piece of the first seat comes to rest in the field that was learnt without a second player."""
    ground = ground_of(rig, state, solo.basis, solo.stance, solo.shape)
    try:
        return len(ground.cells(ground.drop(column=0).ram)) == len(solo.basis.cells)
    except CalibrationError:
        return False


class _Search(Explorer):
    """A search with both pads. It doesn't go on from screens of play, because it would never get out of play."""

    costs = (*COSTS, *((int(button) << OTHER_PAD, SECOND_PAD) for button in (Button.START, Button.A)))

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
    alone = _empties(rig, solo)
    second = _Beside(rig.console, 1, lambda: None)
    books = []
    for number in (1, 2):
        make_folder(folder / f"seat{number}")
        books.append(Notebook(folder / f"seat{number}", about, _prefixed(f"seat {number} of two: ", progress)))
        books[-1].watch(rig)
        for name, known in _of_the_game(solo).items():
            books[-1].give(name, known)
    route = books[1].page("the way to a game of two", lambda: _find(rig, second, boot, solo, progress), needed=True)
    assert route is not None
    start = RamMap.model_validate(map_of(solo, rig, game))
    if _holds(rig, route.state, solo):
        second.beside = alone
    theirs = learn(second, books[1], route.state)
    first = _Beside(rig.console, 0, _empties(second, theirs))
    mine = learn(first, books[0], route.state, start)
    pending = books[0].page("what is sent", lambda: _pending(first, mine, second, theirs))
    other = books[1].page("what is sent", lambda: _pending(second, theirs, first, mine))
    failed = {
        name: f"for seat {seat}, {why}" for seat, book in enumerate(books, 1) for name, why in book.failed.items()
    }
    return Seats(route, (mine, theirs), (pending, other), failed=failed)


def _of_the_game(solo: Learnt) -> dict[str, object]:
    """What the game does alike on every seat, by the experiment that learnt it without a second player."""
    known: dict[str, object] = {
        "what vanishes": solo.size,
        "rows that count": solo.rows,
        "other codes": solo.sort,
        "the score's cap": solo.cap,
        "the formula": solo.formula,
        "a bonus that is paid later": solo.owed,
    }
    # where it is None, nothing was learnt
    return {name: one for name, one in known.items() if one is not None}


def _prefixed(words: str, progress: Callable[[str, float], None]) -> Callable[[str, int], None]:
    return lambda what, number: progress(words + what, min(1.0, number / PAGES))


def _find(rig: Rig, second: Rig, boot: bytes, solo: Learnt, progress: Callable[[str, float], None]) -> Route:
    rig.load(boot)
    rig.limit(SEARCH_FRAMES)
    search = _Search(
        rig, solo, lambda screens, waiting: progress(f"a game of two: {screens} screens, {waiting} to try", 0.0)
    )
    try:
        return search.find(lambda _, state: _steered_by_hand(second, state))
    except CalibrationError:
        raise CalibrationError(f"no game of two players was found on {counted(search.screens, 'screen')}") from None
    finally:
        rig.limit(None)


def _steered_by_hand(rig: Rig, state: bytes) -> Motion:
    """What moves at a savestate; nothing if the game itself steers the pieces of this seat, against one player."""
    moves = motion(rig, state)
    if not moves:
        return moves
    across = roots(followers(rig, state, moves.across)) or list(moves.across)
    down = (roots(followers(rig, state, moves.fall)) or list(moves.fall))[0]
    columns = []
    rig.load(state)
    for _ in range(UNTOUCHED):
        before = rig.peek(down)
        rig.step()
        if (rig.peek(down) - before - moves.fall[down]) & 255 == 0:
            columns.append([rig.peek(place) for place in across])
    usual = [Counter(seen).most_common(1)[0][1] for seen in zip(*columns, strict=True)]
    return moves if usual and min(usual) >= UNMOVED * len(columns) else Motion({}, {})


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
    seen, traces = [], []
    for count in GROUPS:
        if f"group {count}" in worth:
            # ``lock`` holds DOWN on the other seat's pad, so that its piece locks before that of seat ``mine``
            fallen = theirs.lock(group(theirs.ground, count), 0, one, third, keep=True)
            assert fallen.trace is not None
            seen.append((worth[f"group {count}"], fallen.ram))
            traces.append(fallen.trace)
    if len(seen) < 3:
        raise CalibrationError("too few groups of different sizes vanished")
    poker, code = _poker(mine_lab, mine), mine.sort.nuisance[0]

    def falls(pokes: dict[int, int]) -> int:
        fallen = poker.ground.drop(column=0, pokes=pokes)
        return list(poker.ground.kinds(fallen.ram).values()).count(code)

    for waits in _suggested(seen):
        if falls(waits.bytes_of(SENT)) == SENT and (
            waits.kind == "u8" or falls(waits.bytes_of(SENT, less=1)) == SENT - 1
        ):
            found = replace(_limited(poker, waits, code), plus=_before(waits, traces))
            return replace(found, offset=_offset(poker, found, code, worth))
    raise CalibrationError("no byte grows with the other seat's points and lets nuisance fall when it is poked")


def _suggested(seen: Sequence[tuple[int, Bytes]]) -> Iterator[Pending]:
    """Numbers that grew with the other seat's points: bytes that count nuisance, and numbers that count its points.

    seen: the points of a lock of the other seat, and RAM after it.
    """
    stack = np.stack([ram for _, ram in seen])
    points = np.array([worth for worth, _ in seen])
    for each in POINTS_EACH:
        counts = (points // each).astype(np.uint8)
        if len(set(counts.tolist())) >= 3:
            for place in np.flatnonzero((stack == counts[:, None]).all(axis=0)):
                yield Pending(int(place), each)
    low, high = ((stack == (points >> bits & 255)[:, None]).all(axis=0) for bits in (0, 8))
    for kind, first, second in (("u16le", low, high), ("u16be", high, low)):
        for place in np.flatnonzero(first[:-1] & second[1:]):
            for each in POINTS_EACH:
                yield Pending(int(place), each, kind)


def _offset(poker: Poker, waits: Pending, code: int, worth: Mapping[str, int]) -> bool | None:
    """Whether the points of a group that the seat itself clears cancel nuisance that waits; None: not seen."""
    ground = poker.ground
    for count in GROUPS:
        made = worth.get(f"group {count}", 0) // waits.each
        if not made:
            continue
        try:
            pokes = waits.bytes_of(made + SENT)
            ram = poker.lock(group(ground, count), 0, ground.colors[0], ground.colors[2], pokes).ram
        except CalibrationError:
            continue
        rest = list(ground.kinds(ram).values()).count(code) + waits.count(ram)
        if rest in (SENT, made + SENT):
            return rest == SENT
    return None


def _before(waits: Pending, traces: Sequence[Bytes]) -> int | None:
    """A second number of the same form, from which nuisance moves into the one that waits, as at the end of a chain.

    traces: RAM after each frame of locks of the other seat. None: there is no such number.
    """
    wide = len(byte_order(waits.kind))
    found: set[int] | None = None
    for trace in traces:
        moved: set[int] | None = None
        for before, after in pairwise(trace):
            more = waits.number(after, waits.place) - waits.number(before, waits.place)
            if more > 0:
                moved = moved or set()
                # of a small number, the high byte stays
                changed = np.flatnonzero(before != after)[:, None] - np.arange(wide)
                moved |= {
                    place
                    for place in changed[(changed >= 0) & (changed <= len(after) - wide)].tolist()
                    if abs(place - waits.place) >= wide
                    and waits.number(before, place) - waits.number(after, place) == more
                }
        # a group that sends nothing tells nothing
        found = moved if found is None else found if moved is None else found & moved
    return min(found or (), key=lambda place: abs(place - waits.place), default=None)


def _limited(poker: Poker, waits: Pending, code: int) -> Pending:
    """Adds how many fall at once, and whether the others wait on. Returns ``waits`` unchanged if that can't be seen."""
    try:
        fallen = poker.ground.drop(column=0, pokes=waits.bytes_of(FLOOD))
    except CalibrationError:
        return waits
    fell = list(poker.ground.kinds(fallen.ram).values()).count(code)
    left = waits.count(fallen.ram)
    if not SENT < fell < FLOOD or left not in (0, FLOOD - fell):
        return waits
    return replace(waits, most=fell, queued=left > 0)
