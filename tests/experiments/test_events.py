"""Locks that are provoked to learn what vanishes and scores, on a naive machine that resolves fields by itself."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.built import built_events
from ochibot.experiments.effects import clear_size, link_bits, scoring_events, sort_codes

from tests.experiments.board import groups_of

WIDTH, NUISANCE, STONE = 6, 9, 8
Cells = dict[tuple[int, int], int]


def near(cell: tuple[int, int]) -> list[tuple[int, int]]:
    column, row = cell
    return [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]


def fallen(cells: Cells) -> Cells:
    found: Cells = {}
    for column, row in sorted(cells):
        height = sum(place[0] == column for place in found)
        found[column, height] = cells[column, row]
    return found


class Machine:
    """Groups of ``size`` equal cells vanish, and nuisance beside them; others fall. A cell is (column, row).

    What is written vanishes only when a piece has landed.
    """

    def __init__(self, size: int, colors: int = 4, visible: int = 12) -> None:
        self.size = size
        self.ground: Any = SimpleNamespace(
            colors=tuple(range(1, colors + 1)), visible=visible, grid=SimpleNamespace(columns=WIDTH), kinds=dict
        )

    def groups(self, cells: Cells) -> list[set[tuple[int, int]]]:
        every = groups_of({place: kind for place, kind in cells.items() if kind < STONE})
        return [group for group in every if len(group) >= self.size]

    def lock(
        self, cells: Mapping[tuple[int, int], int], column: int, low: int, high: int, pad: int | None = None
    ) -> Any:
        begun = dict(cells)
        assert fallen(begun) == begun, "cells in the air"
        assert pad in (0, None)
        height = sum(place[0] == column for place in begun)
        if height + 2 > self.ground.visible:
            raise CalibrationError("the game has ended")
        now = begun | {(column, height): low, (column, height + 1): high}
        steps = []
        while found := self.groups(now):
            steps.append(tuple(sorted((len(group), now[min(group)]) for group in found)))
            gone = set().union(*found)
            gone |= {one for place in gone for one in near(place) if now.get(one) == NUISANCE}
            now = fallen({place: kind for place, kind in now.items() if place not in gone})
        return SimpleNamespace(ram=now, steps=steps)


@pytest.mark.parametrize(
    ("size", "colors", "visible", "longest"),
    [(3, 3, 12, 5), (4, 3, 12, 5), (4, 4, 12, 6), (4, 5, 13, 7), (5, 4, 13, 5), (6, 4, 12, 5)],
)
def test_what_is_built_vanishes_as_it_is_told(size: int, colors: int, visible: int, longest: int) -> None:
    machine: Any = Machine(size, colors, visible)
    events = {event.name: event for event in built_events(machine, size)}
    for name, event in events.items():
        made: Any = event.fallen
        assert made.steps == [tuple(sorted(step)) for step in event.steps] or name.startswith("chain"), name
        if name.startswith("chain"):
            # single groups, of whatever colours
            assert [[count for count, _ in step] for step in made.steps] == [[size]] * int(name.split()[1])
        assert made.ram, "the points of an emptied field aren't wanted"
    wanted = {f"chain {steps}" for steps in range(2, longest + 1)}
    more = {"wider 2", "bigger 2", "later 2"} | ({"late 2"} if size < WIDTH else set())
    assert events.keys() == wanted | (more if size < WIDTH else {"later 2"})


@pytest.mark.parametrize(("size", "colors"), [(2, 3), (3, 5), (4, 4), (4, 6), (5, 4)])
def test_the_locks_that_score_clear_what_they_are_named_for(size: int, colors: int) -> None:
    machine: Any = Machine(size, colors)
    events = {event.name: event for event in scoring_events(machine, size)}
    several = {f"colours {count}" for count in range(2, colors + 1) if size + count <= WIDTH + 2}
    assert events.keys() == {"nothing", "short", *several, *(f"group {count}" for count in range(size, 12))}
    for name, event in events.items():
        made: Any = event.fallen
        assert made.steps == [tuple(sorted(step)) for step in event.steps], name
        word, _, count = name.partition(" ")
        if word == "group":
            assert [[one for one, _ in step] for step in made.steps] == [[int(count)]]
        if word == "colours":
            assert [[one for one, _ in step] for step in made.steps] == [[size] * int(count)]
    assert len(events["short"].fallen.ram) == 5


@pytest.mark.parametrize("size", range(2, 8))
def test_the_least_number_of_cells_that_vanish_together(size: int) -> None:
    machine: Any = Machine(size)
    assert clear_size(machine) == (size if size < 7 else None)


def test_codes_that_no_piece_has_are_sorted_by_how_they_vanish() -> None:
    machine: Any = Machine(4)
    found = sort_codes(machine, 4, [5, STONE, NUISANCE])
    assert (found.colors, found.nuisance) == ((5,), (NUISANCE,))


@pytest.mark.parametrize(("width", "spawn"), [(width, spawn) for width in range(5, 9) for spawn in range(width)])
@pytest.mark.parametrize("links", [True, False])
def test_links_are_the_bits_that_equal_neighbours_change(width: int, spawn: int, links: bool) -> None:
    """The piece has the same kind, so it may come to lie neither beside the cells nor on them."""
    empty, kind = 7, 2

    def drop(cells: Cells, column: int | None) -> Any:
        begun = dict.fromkeys(cells, kind)
        at = spawn if column is None else column
        height = sum(place[0] == at for place in begun)
        now = begun | {(at, height): kind, (at, height + 1): kind}
        ram = {(c, r): empty for c in range(width) for r in range(12)}
        for place in now:
            beside = [way for way, one in enumerate(near(place)) if one in now]
            ram[place] = kind | sum(16 << way for way in beside) * links
        return SimpleNamespace(ram=ram)

    grid = SimpleNamespace(columns=width, empty=empty, cell=lambda *place: place)
    ground: Any = SimpleNamespace(grid=grid, spawn_column=spawn, drop=drop)
    assert link_bits(ground, kind) == (kind, 0xF0 if links else 0)


def test_cells_that_vanish_at_once_show_no_links() -> None:
    ram = dict.fromkeys([(c, r) for c in range(WIDTH) for r in range(4)], 0)
    grid = SimpleNamespace(columns=WIDTH, empty=0, cell=lambda *place: place)
    ground: Any = SimpleNamespace(grid=grid, spawn_column=2, drop=lambda **_: SimpleNamespace(ram=ram))
    assert link_bits(ground, 5) == (5, 0)
