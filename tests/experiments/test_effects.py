"""Fields built to provoke chains: resolved by a naive implementation of the rules, they must make these chains."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import chains, trials
from ochibot.experiments.chains import board
from ochibot.experiments.effects import staircase_of
from ochibot.experiments.grid import Grid
from ochibot.experiments.setting import Setting
from ochibot.experiments.strange import find_strange

Columns = list[list[int]]


def groups(columns: Columns) -> list[set[tuple[int, int]]]:
    """The groups of four or more connected equal cells. A cell is (column, row)."""
    left = {(c, r) for c, column in enumerate(columns) for r in range(len(column))}
    found = []
    while left:
        reach = [left.pop()]
        group = set(reach)
        while reach:
            c, r = reach.pop()
            for near in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)):
                if near in left and columns[near[0]][near[1]] == columns[c][r]:
                    left.remove(near)
                    group.add(near)
                    reach.append(near)
        if len(group) >= 4:
            found.append(group)
    return found


def chain(cells: dict[tuple[int, int], int], low: int, high: int) -> list[list[int]]:
    """Drops a piece into column 0. Returns the group sizes of each chain step. Nothing may vanish before the piece."""
    columns: Columns = [[] for _ in range(6)]
    for (column, row), kind in sorted(cells.items()):
        assert row == len(columns[column])
        columns[column].append(kind)
    assert not groups(columns)
    columns[0] += [low, high]
    steps = []
    while found := groups(columns):
        gone = set().union(*found)
        steps.append([len(group) for group in found])
        columns = [[k for r, k in enumerate(column) if (c, r) not in gone] for c, column in enumerate(columns)]
    return steps


@pytest.mark.parametrize("steps", range(2, 6))
def test_a_staircase_is_a_chain_of_single_groups(steps: int) -> None:
    assert chain(staircase_of(4, (1, 2, 3, 4), steps), 1, 3) == [[4]] * steps


GROUND: Any = SimpleNamespace(colors=(1, 2, 3, 4, 5, 6), grid=SimpleNamespace(columns=6), visible=10)


@pytest.mark.parametrize(("count", "colors"), [(2, 1), (3, 1), (3, 2), (5, 3), *((many, many) for many in range(2, 7))])
@pytest.mark.parametrize("size", [4, 5])
def test_a_board_s_groups_vanish_and_another_cell_stays(size: int, count: int, colors: int) -> None:
    made = board(GROUND, [size] * count, colors)
    assert made is not None
    assert len({made.cells[place] for place in made.doomed}) == colors
    columns: Columns = [[] for _ in range(6)]
    for (column, row), kind in sorted(made.cells.items()):
        assert row == len(columns[column])
        columns[column].append(kind)
    assert sorted(map(len, groups(columns))) == sorted(made.groups)
    assert {(c, r) for one in groups(columns) for c, r in one} == set(made.doomed)
    assert len(made.cells) == len(made.doomed) + 1


def test_there_is_no_room_for_four_groups_of_one_colour() -> None:
    assert board(GROUND, [4] * 4) is None
    assert board(GROUND, [4] * 3) is not None


def test_what_falls_by_itself_is_watched_where_taps_lead_past_columns() -> None:
    def fall(_: bytes, *, about: bool = False, **__: Any) -> SimpleNamespace:
        if not about:
            raise CalibrationError("the piece doesn't get to the column of x = 72")
        return SimpleNamespace(state=b"", ram={(0, 0): 1, (0, 1): 2, (3, 0): 9})

    ground: Any = SimpleNamespace(state=b"", columns=(40, 72), colors=(1, 2), painted=dict, kinds=lambda ram: ram)
    ground.driver, ground.rig = SimpleNamespace(fall=fall), SimpleNamespace(view=None)
    ground.place, ground.setting = SimpleNamespace(rows=12), Setting("cells")
    assert find_strange(ground).codes == {9: 2}


def test_a_chain_whose_second_step_vanishes_with_the_first_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    # a late copy is empty before the group vanishes, so the second board was written too early
    grids = [Grid(first, 1, 6, 6, 0) for first in (0, 100, 200)]
    ram = dict.fromkeys(range(300), 0) | {0: 1, 200: 1}
    rig = SimpleNamespace(peek=ram.__getitem__, frames=0)
    ground: Any = SimpleNamespace(rig=rig, mask=0xFF, grid=grids[0], colors=(1, 2, 3, 4), pause=0, agree=1, visible=10)
    ground.setting = Setting("heights", tuple(grids[1:]))
    tried = []

    def play(_poker: Any, _size: int, boards: list[Any]) -> Any:
        tried.append((ground.agree, ground.pause, len(boards)))
        if ground.pause == 3:
            raise CalibrationError
        early = chains._gone(ground, [(0, 0)])
        rig.frames += 100 + 21 * len(boards) - (11 if early and boards else 0)
        return np.full(300, max(0, len(boards) - early), np.uint8)

    monkeypatch.setattr(trials, "play", play)
    found = trials.chain_events(SimpleNamespace(ground=ground), 4)  # type: ignore[arg-type]
    assert [(one.name, int(one.fallen.ram[0])) for one in found] == [("chain 2", 1), ("chain 3", 2), ("chain 4", 3)]
    assert (ground.agree, ground.pause) == (2, 0)
    assert tried[0] == (1, 0, 0)


def test_steps_of_a_chain_that_take_no_time_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    # the game empties one of two grids at once, so all groups seem to have vanished there
    rig = SimpleNamespace(frames=0)
    ground: Any = SimpleNamespace(rig=rig, grid=Grid(0, 1, 6, 6, 0), colors=(1, 2, 3, 4), pause=0, agree=1, visible=10)
    ground.setting = Setting("heights", (Grid(100, 1, 6, 6, 0),))

    def play(_poker: Any, _size: int, boards: list[Any]) -> Any:
        rig.frames += 90 + (ground.pause if ground.agree == 1 else 100) * len(boards)
        return np.full(300, len(boards) if ground.agree == 2 else 0, np.uint8)

    monkeypatch.setattr(trials, "play", play)
    found = trials.chain_events(SimpleNamespace(ground=ground), 4)  # type: ignore[arg-type]
    assert [int(one.fallen.ram[0]) for one in found] == [1, 2, 3]
    assert (ground.agree, ground.pause) == (2, 0)
