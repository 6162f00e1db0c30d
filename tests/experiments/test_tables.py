"""Finds colours in a table indexed by another byte: finds a ring of pairs, and no table for random colours."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments import colors, told
from ochibot.experiments.colors import ColorByte, Sample, find_byte, in_tables, indices
from ochibot.experiments.evidence import Evidence
from ochibot.experiments.fields import Came, Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing
from ochibot.experiments.motion import Motion
from ochibot.experiments.rig import Bytes

INDEX, TABLE, SLOTS, STEP = 20, 40, 8, 2


def ring(pieces: int, seed: int = 1) -> tuple[list[Bytes], list[int], list[tuple[int, int]]]:
    """Simulates a game that keeps the coming pairs in a ring. Returns each piece's RAM, ring index and next pair."""
    dice = random.Random(seed)
    slots = [(dice.randrange(1, 5), dice.randrange(1, 5)) for _ in range(SLOTS)]
    head, rams, heads, nexts = 0, [], [], []
    for piece in range(pieces):
        slots[head] = dice.randrange(1, 5), dice.randrange(1, 5)
        head = (head + 1) % SLOTS
        ram = np.zeros(96, np.uint8)
        ram[:INDEX] = [dice.randrange(256) for _ in range(INDEX)]
        ram[INDEX] = head
        ram[INDEX + 1] = 3 * piece + 7 & 0xFF
        ram[TABLE : TABLE + SLOTS * STEP] = [kind for pair in slots for kind in pair]
        rams.append(ram)
        heads.append(head)
        nexts.append(slots[head])
    return rams, heads, nexts


def test_a_ring_s_index_is_found_although_it_begins_again() -> None:
    rams, _, _ = ring(28)
    assert INDEX in indices(rams)
    # a counter that never goes back counts as an index, too, while its values are low
    assert INDEX + 1 in indices(rams[:20])
    assert not set(range(INDEX)) & set(indices(rams))


def test_a_place_in_a_ring_is_found_with_its_index_and_step() -> None:
    rams, heads, nexts = ring(28)
    for half in (0, 1):
        found = [byte for byte in in_tables(rams, [pair[half] for pair in nexts]) if byte.mask == 0xFF]
        assert [(byte.offset, byte.index, byte.step) for byte in found] == [(TABLE + half, INDEX, STEP)]
        assert found[0].values == {kind: kind for kind in (1, 2, 3, 4)}
        for ram, head, pair in zip(rams, heads, nexts, strict=True):
            assert found[0].place(ram) == TABLE + half + STEP * head
            assert ram[found[0].place(ram)] == pair[half]


def test_no_place_is_found_for_colours_that_no_table_holds() -> None:
    rams, _, _ = ring(28)
    dice = random.Random(9)
    assert not list(in_tables(rams, [dice.randrange(1, 5) for _ in rams]))


@pytest.mark.parametrize("ahead", [1, 2])
def test_what_lies_ahead_in_a_ring_is_no_place_where_the_ring_begins_anew(
    ahead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 26 pieces, one saw the end of a ring of 16 pairs: it counted as a disturbed one."""
    dice = random.Random(4)
    slots = [dice.randrange(1, 5) for _ in range(32)]
    samples = []
    for piece in range(28):
        ram = np.zeros(96, np.uint8)
        ram[INDEX] = 2 * ((piece + 5) % 16)
        ram[TABLE : TABLE + 32] = slots
        kinds = [slots[2 * ((piece + 4) % 16) + half] for half in (0, 1)]
        samples.append(Sample(b"", ram, *kinds))
    ground: Any = SimpleNamespace(of_field=set)
    monkeypatch.setattr(colors, "_obeyed", lambda *_: True)
    found = find_byte(ground, samples, "near", ahead)
    assert (found and (found.offset, found.index, found.step)) == ((TABLE, INDEX, 1) if ahead == 1 else None)


@pytest.mark.parametrize("table", [False, True])
def test_pieces_that_every_game_deals_alike_are_not_seen_anew(table: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # eight games of six pieces: a byte that counts them seems to tell each, and so does a table at its value
    kinds = [0, 1, 0, 1, 1, 0] if table else list(range(6))
    rams, left = [], []
    for game in range(8):
        for number in range(6):
            ram = np.zeros(200, np.uint8)
            ram[24] = number
            ram[100:106] = kinds if table else 0
            rams.append(ram)
            played = SimpleNamespace(flying=ram, game=game, state=bytes([game, number]))
            left.append(SimpleNamespace(landing=played))
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = [search.number(one) for one in left]  # type: ignore[arg-type]
    assert search.find("piece", rams, kinds * 8, [str(kind) for kind in range(6)]) is None


@pytest.mark.parametrize(("kinds", "seen"), [
    ([*range(44), 7, 12], None), ([*range(30), *range(14)], 14), ([1, 2, 3, 4] * 5, 16),
])  # fmt: skip
def test_the_first_piece_of_each_kind_is_no_evidence(
    kinds: list[int], seen: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a byte that is another one for each kind: where nearly all kinds are new, any lively byte is
    rams, left = [], []
    for number, kind in enumerate(kinds):
        ram = np.zeros(200, np.uint8)
        ram[100] = 3 * kind + 1
        rams.append(ram)
        left.append(SimpleNamespace(landing=SimpleNamespace(flying=ram, game=0, state=bytes([number]))))
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = list(range(len(kinds)))
    found = search.find("piece", rams, kinds, [str(kind) for kind in range(44)])
    assert (None if found is None else found.evidence.supported) == seen


def test_bits_that_mean_nothing_are_left_out_after_all_others_were_tried() -> None:
    codes = [0x70, 0x71, 0x80, 0x89, 0x58, 0xE1, 0x28, 0x99]
    masks = told.cell_masks(codes)
    assert masks[0] == 0xFF
    assert 0xF6 in [mask & 0xF9 | 0x06 for mask in masks]  # bits 0 and 3 left out
    assert len({mask & 0xF9 for mask in masks}) == len(masks)
    # the fewer bits, the later
    counts = [(mask & 0xF9).bit_count() for mask in masks]
    assert counts == sorted(counts, reverse=True)


def test_cells_with_bits_that_mean_nothing_show_the_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(4)
    left: list[Any] = []
    for number in range(40):
        kinds = dice.choices((0x12, 0x14, 0x52, 0x56), k=2)
        ram = np.zeros(200, np.uint8)
        ram[100], ram[101] = (3 * kind % 251 for kind in kinds)
        cells = tuple(((0, row), kind | dice.choice((0, 1, 8, 9))) for row, kind in enumerate(kinds))
        played = SimpleNamespace(flying=ram, game=0, turns=0, state=bytes([number]))
        left.append(SimpleNamespace(landing=played, shape=((0, 0), (0, 1)), cells=cells))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told, "clean", lambda *_: True)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    found = told._told(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    assert [(one.name, one.byte.offset, one.evidence.grade) for one in found] == [
        ("cell1", 100, "known"), ("cell2", 101, "known"),
    ]  # fmt: skip


@pytest.mark.parametrize(("values", "grade"), [([1, 2, 3, 1, 2, 3] * 4, "known"), ([1] * 20 + [2, 3] * 2, None)])
def test_what_a_constant_would_tell_as_well_is_no_evidence_of_a_table(
    values: list[int], grade: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rams, left = [], []
    for number in range(24):
        ram = np.zeros(200, np.uint8)
        ram[24], ram[100:124] = number, values
        rams.append(ram)
        left.append(SimpleNamespace(landing=SimpleNamespace(flying=ram, game=0, state=bytes([number]))))
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = list(range(24))
    found = search.find("piece", rams, values, [str(kind) for kind in range(4)])
    assert (None if found is None else found.evidence.grade) == grade


@pytest.mark.parametrize(("cells", "whole", "expected"), [
    ((16, 17), 30, ["cell1", "cell2"]), ((16, 517), 30, ["cell1", "cell2"]), ((516, 517), 30, ["piece"]),
    ((516, 517), 518, ["cell1", "cell2"]), ((16, None), 30, ["piece"]),
])  # fmt: skip
def test_a_byte_of_the_whole_piece_is_better_than_sprites_of_its_cells(
    cells: tuple[int | None, ...], whole: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Search:
        number = staticmethod(id)

        def __init__(self, *_: Any) -> None: ...

        def of_sprite(self, place: int) -> bool:
            return place > 511

        def find(self, name: str, *_: Any, **__: Any) -> Any:
            place = whole if name == "piece" else cells[int(name[4:]) - 1]
            return None if place is None else SimpleNamespace(name=name, byte=SimpleNamespace(offset=place))

    monkeypatch.setattr(told, "_Search", Search)
    monkeypatch.setattr(told, "clean", lambda *_: True)
    played = SimpleNamespace(flying=b"", turns=0, game=0)
    shape = ((0, 0), (0, 1))
    left: Any = [SimpleNamespace(landing=played, shape=shape, cells=((shape[0], 1), (shape[1], 2)))] * 9
    found = told._told(None, None, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    assert [one.name for one in found] == expected


def test_x_and_y_of_a_sprite_are_beside_its_other_bytes() -> None:
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0x213, 8), y=(0x210, 8))
    left: Any = [SimpleNamespace(landing=SimpleNamespace(flying=b"", game=0, state=b"1"))]
    search = told._Search(None, basis, left, 0, [], Motion({0x213: 8, 0x217: 8}, {0x210: 8, 0x214: 8}))  # type: ignore[arg-type]
    assert [search.of_sprite(place) for place in (0x212, 0x215, 0x6B)] == [True, True, False]


def test_several_numbers_may_tell_shapes_that_look_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    # seven numbers, five shapes; other bytes of few values don't tell them
    dice = random.Random(3)
    numbers = [dice.randrange(7) for _ in range(40)]
    rams, left = [], []
    for at, number in enumerate(numbers):
        ram = np.zeros(200, np.uint8)
        ram[50], ram[60], ram[70] = 30 + number, at & 7, dice.randrange(6)
        rams.append(ram)
        left.append(SimpleNamespace(landing=SimpleNamespace(flying=ram, game=at, state=bytes([at]))))
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = list(range(40))
    shapes = [number % 5 for number in numbers]
    found = search.find("piece", rams, shapes, [str(kind) for kind in range(5)])
    assert found is not None
    assert (found.byte.offset, found.byte.table) == (50, {30 + number: number % 5 for number in range(7)})
    assert search.find("piece", rams, [kind if kind < 4 else 0 for kind in shapes[::-1]], ["0", "1", "2", "3"]) is None


def test_copies_of_x_and_y_alone_are_no_sprite() -> None:
    # Dushlan keeps the last place four bytes above the present one, and the piece's number two bytes after that
    basis = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0x4F, 1), y=(0x50, 1))
    left: Any = [SimpleNamespace(landing=SimpleNamespace(flying=b"", game=0, state=b"1"))]
    search = told._Search(None, basis, left, 0, [], Motion({0x4F: 1, 0x53: 1}, {0x50: 1, 0x54: 1}))  # type: ignore[arg-type]
    assert [search.of_sprite(place) for place in (0x56, 0x57)] == [False, False]


@pytest.mark.parametrize(("there", "expected"), [(True, [("piece", 101, "known")]), (False, [])])
def test_next_is_told_by_the_byte_that_tells_a_piece_as_it_appears(
    there: bool, expected: list[tuple[str, int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    # most pieces are turned, or leave nothing, and so their cells don't show what they were
    dice = random.Random(6)
    kinds = [dice.randrange(5) for _ in range(32)]
    left: list[Any] = []
    for number, (kind, coming) in enumerate(pairwise(kinds)):
        before, flying = np.zeros(200, np.uint8), np.zeros(200, np.uint8)
        flying[100], flying[101] = 40 + kind, 70 + 3 * coming
        before[100] = flying[100] if there else 0
        turns = 0 if number % 6 == 0 else 1
        played = SimpleNamespace(before=before, flying=flying, game=0, turns=turns, state=bytes([number]))
        left.append(SimpleNamespace(landing=played, shape=(), cells=()))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    # one kind was never seen to land whole
    byte = ColorByte(100, 0xFF, {kind: 40 + kind for kind in range(4)}, followed=False)
    now = told.Told("piece", 0, byte, {kind: f"shape {kind}" for kind in range(4)}, Evidence(9))
    found = told._told(None, basis, left, 1, [now], Motion({}, {}))  # type: ignore[arg-type]
    assert [(one.name, one.byte.offset, one.evidence.grade) for one in found] == expected
    if found:
        assert {found[0].byte.values[40 + kind] for kind in range(5)} == {70 + 3 * kind for kind in range(5)}
        assert found[0].kinds[41] == "shape 1"
        assert found[0].kinds[44] == "0x2c"


def test_where_all_pieces_are_alike_nothing_tells_them() -> None:
    """Dominoes whose cells all have one code ended in an UnboundLocalError (stranger 3653012 of the other kind)."""
    place = Field(Grid(0, 1, 6, 6, 0), 12, 1, 12, 0, 1, 1, (), 0, 0)
    empty = np.zeros(96, np.uint8)
    full = empty.copy()
    full[[0, 1]] = 5
    left = [
        Came(Landing(bytes([number]), empty, empty, full, 1, 12, 1, 0, 0), 0, 0, (((0, 0), 5), ((1, 0), 5)), 0)
        for number in range(30)
    ]
    basis: Any = SimpleNamespace(place=place, x=(90, 1), y=(91, 1))
    motion: Any = SimpleNamespace(across=(), fall=())
    assert told.find_told(SimpleNamespace(size=96), basis, left, motion) == []  # type: ignore[arg-type]


def test_next_is_read_where_the_game_keeps_it_and_not_where_it_prepares_its_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A buffer nearer to x holds NEXT when pieces land, and parts of the picture between (a game of the NES)."""
    dice = random.Random(5)
    buffer, own = 30, 90
    rams, kinds = [], []
    for _ in range(24):
        ram, kind = np.zeros(200, np.uint8), dice.randrange(3)
        ram[[buffer, own]] = 0x80 + 8 * kind, kind
        rams.append(ram)
        kinds.append(kind)

    def branch(_: object, pads: Sequence[int]) -> Any:
        seen = np.zeros((len(pads), 200), np.uint8)
        seen[60:, own] = 1
        seen[50:70, buffer] = range(20)
        return seen

    rig: Any = SimpleNamespace(branch=branch)
    left: Any = [
        SimpleNamespace(landing=SimpleNamespace(flying=ram, game=0, state=bytes([at]))) for at, ram in enumerate(rams)
    ]
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    search = told._Search(rig, basis, left, 1, [], Motion({}, {}))
    search.dealt = range(len(left))
    found = search.find("cell1", rams, kinds, [str(kind) for kind in range(3)])
    assert found is not None
    assert (found.byte.offset, found.evidence.others) == (own, 1)
