"""What two seats send each other, on a naive machine that counts the nuisance that waits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Ram, find_system
from ochibot.errors import CalibrationError
from ochibot.experiments import versus
from ochibot.experiments.explore import Explorer
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.versus import Seats
from ochibot.experiments.waiting import Pending
from ochibot.ram import BoundMap, RamMap

SIZE, FELL, WAITS, PLUS, CODE = 64, 40, 20, 30, 6
WORTH = {5: 60, 6: 180, 7: 280, 8: 480, 9: 900}
"""The points of the other side's groups, by their cells."""


@dataclass
class Machine:
    """A seat. each: points for one nuisance. kind: the form in which what waits is kept. most: how many fall at once;
    queued: whether the others wait on. offset: whether own points cancel what waits. late: whether what is sent is in
    another number first.
    """

    each: int = 70
    kind: str = "u8"
    most: int = 30
    queued: bool = False
    offset: bool = True
    late: bool = False
    fallible: bool = False

    def number(self, ram: Bytes, place: int) -> int:
        if self.kind == "u8":
            return int(ram[place])
        return int.from_bytes(ram[place : place + 2].tobytes(), "little" if self.kind == "u16le" else "big")

    def write(self, ram: Bytes, place: int, number: int) -> None:
        if self.kind == "u8":
            ram[place] = number
        else:
            order = cast("Any", "little" if self.kind == "u16le" else "big")
            ram[place : place + 2] = list(number.to_bytes(2, order))

    @property
    def unit(self) -> int:
        return 1 if self.kind == "u8" else self.each

    # the seat that sends

    def sent(self, count: int) -> Any:
        """What a group of the other seat leaves, and how it came there."""
        amount = WORTH[count] // self.each if self.kind == "u8" else WORTH[count]
        trace = np.zeros((9, SIZE), np.uint8)
        if self.late:
            for ram in trace[3:6]:
                self.write(ram, PLUS, amount)
        for ram in trace[6 if self.late else 3 :]:
            self.write(ram, WAITS, amount)
        # what merely counts frames, and what holds the same for a moment
        trace[:, 3] = range(9)
        trace[6:, 50] = amount & 255
        return SimpleNamespace(ram=trace[-1], trace=trace)

    # the seat on which it falls

    def landed(self, pokes: Mapping[int, int], points: int = 0) -> Any:
        ram = np.zeros(SIZE, np.uint8)
        for place, value in pokes.items():
            ram[place] = value
        number = self.number(ram, WAITS)
        if points:
            left = max(0, number - points // self.each * self.unit) if self.offset else number
            self.write(ram, WAITS, left)
            return SimpleNamespace(ram=ram)
        fell = min(number // self.unit, self.most)
        if self.fallible and fell == self.most:
            raise CalibrationError("the game has ended")
        ram[FELL] = fell
        self.write(ram, WAITS, number - fell * self.unit if self.queued else 0)
        return SimpleNamespace(ram=ram)

    def poker(self) -> Any:
        def kinds(ram: Bytes) -> dict[Any, int]:
            return {(0, 0): 1, (0, 1): 3, **{(1, row): CODE for row in range(ram[FELL])}}

        def lock(cells: Any, _column: int, _low: int, _high: int, pokes: Any = None, *, keep: bool = False) -> Any:
            count = len(cells) + 1
            return self.sent(count) if keep else self.landed(pokes, WORTH[count])

        ground = SimpleNamespace(
            colors=(1, 2, 3), kinds=kinds, drop=lambda column, pokes: self.landed(pokes) if column == 0 else None
        )
        return SimpleNamespace(ground=ground, lock=lock)


def learnt(**said: Any) -> Any:
    seen = [(f"group {count}", points) for count, points in WORTH.items()]
    return SimpleNamespace(**{"formula": SimpleNamespace(seen=seen), "sort": SimpleNamespace(nuisance=(CODE,)), **said})


def pending(machine: Machine, monkeypatch: pytest.MonkeyPatch, mine: Any = None, other: Any = None) -> Pending:
    monkeypatch.setattr(versus, "_poker", lambda *_: machine.poker())
    rig: Any = None
    return versus._pending(rig, mine or learnt(), rig, other or learnt())


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize(("most", "queued"), [(30, True), (30, False), (12, True), (6, False)])
@pytest.mark.parametrize(("each", "kind"), [(70, "u8"), (40, "u8"), (70, "u16le"), (90, "u16be"), (120, "u16le")])
def test_what_waits_is_found_as_the_machine_has_it(
    each: int, kind: str, most: int, queued: bool, offset: bool, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(each, kind, most, queued=queued, offset=offset, late=late)
    found = pending(machine, monkeypatch)
    assert (found.place, found.each, found.kind, found.most, found.queued) == (WAITS, each, kind, most, queued)
    assert found.offset is offset
    assert found.plus == (PLUS if late else None)


def test_how_much_falls_at_a_time_is_unknown_where_all_of_it_ends_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    found = pending(Machine(fallible=True), monkeypatch)
    assert (found.place, found.most, found.queued, found.offset) == (WAITS, None, None, True)


def test_more_than_anything_is_poked_says_nothing_where_all_of_it_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pending(Machine(most=200), monkeypatch).most is None
    # less than is poked to see whether it falls at all
    with pytest.raises(CalibrationError, match="no byte grows"):
        pending(Machine(most=3), monkeypatch)


def test_without_points_or_nuisance_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    few = SimpleNamespace(seen=[("group 5", 60), ("group 6", 180), ("short", 3)])
    for mine, other, why in (
        (learnt(sort=None), None, "without points and nuisance codes"),
        (learnt(sort=SimpleNamespace(nuisance=())), None, "without points and nuisance codes"),
        (None, learnt(formula=None), "without points and nuisance codes"),
        (None, learnt(formula=few), "too few groups"),
    ):
        with pytest.raises(CalibrationError, match=why):
            pending(Machine(), monkeypatch, mine, other)


@pytest.mark.parametrize(
    "waits",
    [
        None,
        Pending(0x20, 70),
        Pending(0x20, 70, "u16le"),
        Pending(0x20, 90, "u16be", plus=0x30),
        Pending(0x20, 70, plus=8),
    ],
)
def test_the_map_of_a_seat_reads_what_waits(waits: Pending | None, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {"game": "mine", "name": "player1", "system": "nes", "seat": 1, "codes": {}, "signs": {}}
    monkeypatch.setattr(
        versus, "map_of", lambda *_: {**plain, "entries": {"x": {"address": 1, "source": "calibrated"}}}
    )
    nobody: Any = SimpleNamespace(address=lambda offset: offset)
    seats = Seats(nobody, (nobody, nobody), (None, waits))
    maps = [RamMap.model_validate(made) for made in seats.maps(nobody, "mine")]
    assert [(one.name, one.seat, set(one.entries)) for one in maps] == [
        ("versus1", 1, {"x"}), ("versus2", 2, {"x"} if waits is None else {"x", "pending"}),
    ]  # fmt: skip
    if waits is None:
        return
    raw = np.zeros(0x800, np.uint8)
    for count in (0, 1, 6, 29):
        for place, value in waits.bytes_of(count).items():
            raw[place] = value
        if waits.plus is not None:
            raw[waits.plus + (waits.kind == "u16be")] = 2 * (1 if waits.kind == "u8" else waits.each) & 255
        bound = BoundMap(maps[1], Ram(raw, find_system("nes").ram, []), {})
        assert bound.value("pending") == count + (0 if waits.plus is None else 2) == waits.count(raw)


class Console:
    """A console whose RAM is kept in its states."""

    def __init__(self) -> None:
        self.rom = SimpleNamespace(system="nes")
        self.ram = SimpleNamespace(raw=np.zeros(0x800, np.uint8), banks=[])

    def save(self) -> bytes:
        return bytes(self.ram.raw)

    def load(self, state: bytes) -> None:
        self.ram.raw[:] = np.frombuffer(state, np.uint8)

    def step(self, *_: int) -> None:
        self.ram.raw[7] += 1


@pytest.mark.parametrize("holds", [False, True])
def test_each_seat_is_learnt_while_the_field_of_the_other_is_kept_empty(
    holds: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    console: Any = Console()
    rig = Rig(console)
    boot = rig.save()
    route = SimpleNamespace(state=bytes([9] * 0x800), buttons=("start",))
    seen = []

    def learn(one: Rig, book: Any, state: bytes, documented: Any = None) -> Any:
        one.load(state)
        seen.append((one.port, documented, one.peek(0x10), one.peek(0x40), book.page("what vanishes", lambda: 0)))
        if one.port:
            book.fail("kicks", "no turn was seen")
        return SimpleNamespace(basis=SimpleNamespace(place=0x40, setting=None), port=one.port)

    monkeypatch.setattr(versus, "learn", learn)
    monkeypatch.setattr(versus, "_find", lambda *_: route)
    monkeypatch.setattr(versus, "_holds", lambda *_: holds)
    monkeypatch.setattr(versus, "map_of", lambda *_: "the map")
    monkeypatch.setattr(RamMap, "model_validate", lambda made: made)
    monkeypatch.setattr(versus, "pokes_of", lambda place, *_: {place: 0})
    monkeypatch.setattr(
        versus, "_pending", lambda one, mine, other, theirs: (one.port, mine.port, other.port, theirs.port)
    )
    monkeypatch.setattr(Notebook, "page", lambda book, name, made, **_: book._pages.get(name, None) or made())
    solo: Any = SimpleNamespace(
        basis=SimpleNamespace(place=0x10, setting=None), size=4, rows=None, sort=None, cap=None, formula=None, owed=0
    )
    told: list[str] = []
    found = versus.learn_seats(rig, boot, solo, tmp_path, "about", "mine", lambda what, _: told.append(what))
    # the first seat's field is that of the game alone, or isn't known while the second is learnt
    assert seen == [(1, None, 0 if holds else 9, 9, 4), (0, "the map", 9, 0, 4)]
    assert found.route is cast("Any", route)
    assert [one.port for one in cast("Any", found.learnt)] == [0, 1]
    assert found.pending == cast("Any", ((0, 0, 1, 1), (1, 1, 0, 0)))
    assert found.failed == {"kicks": "for seat 2, no turn was seen"}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["seat1", "seat2"]


@pytest.mark.parametrize(("x", "sinks", "goes_on"), [(16, True, False), (17, True, True), (16, False, True)])
def test_the_way_to_a_game_of_two_is_not_searched_from_play(
    x: int, sinks: bool, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    console: Any = Console()
    rig = Rig(console)
    # the byte 7 goes by one a frame
    y = 7 if sinks else 8
    console.ram.raw[5] = x
    solo: Any = SimpleNamespace(basis=SimpleNamespace(x=(5, 1), y=(y, 1), columns=(8, 16, 24)))
    search = versus._Search(rig, solo, lambda *_: None)
    expanded: list[Any] = []
    monkeypatch.setattr(Explorer, "_expand", lambda _, node: expanded.append(node))
    node: Any = SimpleNamespace(state=rig.save())
    search._expand(node)
    assert expanded == ([node] if goes_on else [])


@pytest.mark.parametrize(("left", "holds"), [(2, True), (1, False), (3, False), (None, False)])
def test_a_field_is_that_of_the_game_alone_if_a_whole_piece_lies_in_it(
    left: int | None, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drop(column: int) -> Any:
        if left is None:
            raise CalibrationError("no next piece comes after this one")
        return SimpleNamespace(ram=[(column, row) for row in range(left)])

    monkeypatch.setattr(
        versus, "ground_of", lambda *_: SimpleNamespace(drop=drop, cells=lambda ram: dict.fromkeys(ram))
    )
    solo: Any = SimpleNamespace(basis=SimpleNamespace(cells=((0, 0), (0, 1))), stance=None, shape=None)
    nobody: Any = None
    assert versus._holds(nobody, b"", solo) is holds


def test_a_search_that_finds_no_game_of_two_says_on_how_many_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    console: Any = Console()
    rig = Rig(console)
    told: list[str] = []

    def find(search: Any, wanted: Any) -> Any:
        assert rig.left == versus.SEARCH_FRAMES
        search.screens = 3
        search._progress(3, 5)
        assert wanted(rig, b"state") == ("second", b"state")
        raise CalibrationError("none")

    monkeypatch.setattr(versus._Search, "find", find)
    monkeypatch.setattr(versus, "_steered_by_hand", lambda one, state: (one, state))
    solo: Any = None
    second: Any = "second"
    with pytest.raises(CalibrationError, match="no game of two players was found on 3 screens"):
        versus._find(rig, second, rig.save(), solo, lambda what, _: told.append(what))
    assert told == ["a game of two: 3 screens, 5 to try"]
    assert rig.left is None
