"""Hints and verdicts for the entries of a documented map, on a naive game in which each byte's meaning is known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments.digits import Form
from ochibot.experiments.documented import Hints, hints_of, judge_others
from ochibot.experiments.grid import Grid
from ochibot.experiments.score import Score
from ochibot.ram import RamMap

BASE = 0x100
"""The address of the first byte of RAM."""

COLUMNS, ROWS = 6, 12
X, Y, SPAWN, TIMER, FOLLOWS_X, FOLLOWS_Y, STILL, MOVES = range(200, 208)
BLOCKS, MARKS = 210, 130
SIZE = 4

RIG: Any = SimpleNamespace(offset=lambda address: address - BASE)


def map_of(entries: dict[str, Any], **said: Any) -> RamMap:
    known = {name: {"source": "documented", **entry} for name, entry in entries.items()}
    return RamMap.model_validate(
        {"game": "mine", "name": "a", "system": "nes", "seat": 1, "entries": known, "signs": {}, **said}
    )


# -- hints


def test_places_grid_and_mode_of_a_map_become_offsets() -> None:
    field = {"address": BASE + 16, "rows": 12, "columns": 6, "row_stride": 8, "column_stride": 1, "codes": "cells"}
    entries = {
        "x": {"address": BASE + 3}, "axis": {"address": BASE + 9}, "partner": {"address": BASE + 8},
        "next_axis": {"address": BASE + 7}, "next2_partner": {"address": BASE + 6},
        "partner_x": {"address": BASE + 5}, "field": field, "mode": {"address": BASE + 1},
    }  # fmt: skip
    table = {"source": "documented", "values": {0: "empty", 4: "red"}}
    hints = hints_of(map_of(entries, mode=7, codes={"cells": table}), RIG)
    # the other half's place isn't one of the bytes that the experiments find without a map
    assert hints.places == {"x": 3, "axis": 9, "partner": 8, "next_axis": 7, "next2_partner": 6}
    assert hints.grid == Grid(16 + 11 * 8, 1, -8, 6, 0)
    assert (hints.mode, hints.names, hints.score) == ((1, 7), {0: "empty", 4: "red"}, None)
    assert [hints.halves(ahead) for ahead in range(4)] == [(9, 8), (7,), (6,), ()]
    # what lies behind a pointer, or in a part of a byte, can't be tried
    pointed = {"x": {"pointer": {"address": BASE, "type": "u8"}}, "field": {**field, "cells_per_byte": 2}}
    assert hints_of(map_of(pointed, codes={"cells": table}), RIG) == Hints()


@pytest.mark.parametrize(
    ("entry", "score"),
    [
        ({"type": "u24le"}, Score(4, Form(3, little=True), 1, kept=False)),
        ({"type": "u16be", "scale": 10}, Score(4, Form(2, little=False), 10, kept=False)),
        ({"type": "u32le", "digits": "bcd"}, Score(4, Form(4, little=True, digits="bcd"), 1, kept=False)),
        ({}, Score(4, Form(1, little=False), 1, kept=False)),
        (
            {"digits": "decimal", "count": 6, "order": "low_first", "zero": 48},
            Score(4, Form(6, little=True, digits="decimal", zero=48), 1, kept=False),
        ),
        (
            {"digits": "decimal", "count": 7, "order": "high_first"},
            Score(4, Form(7, little=False, digits="decimal"), 1, kept=False),
        ),
        ({"digits": "decimal"}, Score(4, Form(1, little=False, digits="decimal"), 1, kept=False)),
    ],
)
def test_the_form_of_a_documented_score(entry: dict[str, Any], score: Score) -> None:
    assert hints_of(map_of({"score": {"address": BASE + 4, **entry}}), RIG).score == score


def test_a_score_whose_bytes_lie_apart_is_no_hint() -> None:
    apart = {"addresses": [BASE + 4, BASE + 9]}
    assert hints_of(map_of({"score": apart, "y": {"address": BASE}}), RIG) == Hints({"y": 0})


# -- verdicts


class Game:
    """Each frame in which a piece sinks, the timer goes by one. Two sprites stand where x and y are."""

    def __init__(self, *, timer: int = 34) -> None:
        self.timer = timer

    def offset(self, address: int) -> int:
        return address - BASE

    def branch(self, _: bytes, pads: list[int], pokes: dict[int, int]) -> Any:
        frames = np.zeros((len(pads), 256), np.uint8)
        frames[:, X], frames[:, Y] = pokes.get(X, 40), pokes.get(Y, 90)
        frames[:, FOLLOWS_X], frames[:, FOLLOWS_Y] = 3 + frames[:, X], 5 + frames[:, Y]
        count = np.arange(len(pads))
        frames[:, TIMER] = 60 - np.minimum(count, self.timer)
        # what moves by itself follows nothing
        frames[:, MOVES] = count
        return frames

    def after(self, state: bytes, pads: list[int], pokes: dict[int, int]) -> Any:
        assert pads == [0] * 8
        return self.branch(state, pads, pokes)[-1]


def ground(game: Game, *, down: int = 1, colors: tuple[int, ...] = (4, 8)) -> Any:
    grid = Grid(0, 1, COLUMNS, COLUMNS, 0)

    def drop(*, cells: dict[tuple[int, int], int], column: int) -> Any:
        # the piece comes down beside what lies there
        assert not any(abs(column - one) < 1 for one, _ in cells)
        ram = np.zeros(256, np.uint8)
        for (one, row), code in cells.items():
            ram[MARKS + one] = sum(cells.get((other, row)) == code for other in (one - 1, one + 1))
        return SimpleNamespace(ram=ram)

    driver = SimpleNamespace(x=SimpleNamespace(offset=X, step=8), y=SimpleNamespace(offset=Y, step=8 * down))
    return SimpleNamespace(
        rig=game, state=b"", painted=lambda: {}, driver=driver, cell_y=-8 * down, colors=colors, grid=grid, drop=drop
    )


def fall(number: int, *, early: int = 0, level: int = 3) -> Any:
    trace = np.zeros((30 + number, 256), np.uint8)
    reset = 20 + number
    trace[reset - 1 - early :, SPAWN] = 1
    trace[:, STILL], trace[:, MOVES] = level, np.arange(len(trace))
    return SimpleNamespace(trace=trace, reset=reset)


class Locker:
    """Locks a pair on a heap: a group vanishes that has a cell too few without it, and a counter grows."""

    def __init__(self, more: int = SIZE) -> None:
        self.more = more

    def lock(self, cells: dict[tuple[int, int], int], column: int, low: int, high: int) -> Any:
        ram = np.zeros(256, np.uint8)
        assert low != high
        whole = list(cells.values()).count(low) + 1 == SIZE and {one for one, _ in cells} == {column}
        ram[BLOCKS] = self.more * whole
        return SimpleNamespace(ram=ram)


def judged(
    entries: dict[str, Any], *, game: Game | None = None, falls: Any = None, poker: Any = None, **said: Any
) -> dict[str, tuple[str, str, str]]:
    size = said.pop("size", SIZE)
    falls = [fall(number) for number in range(3)] if falls is None else falls
    locker: Any = poker or Locker()
    rows = judge_others(ground(game or Game(), **said), locker, map_of(entries), size, falls)
    return {name: (seen, where, verdict) for name, seen, where, verdict in rows}


def at(place: int, **said: Any) -> dict[str, Any]:
    return {"address": BASE + place, **said}


def test_entries_are_judged_each_by_an_experiment_of_its_own() -> None:
    found = judged(
        {
            "spawning": at(SPAWN), "drop_timer": at(TIMER), "sprite_x": at(FOLLOWS_X), "sprite_y": at(FOLLOWS_Y),
            "blocks": at(BLOCKS, type="u16le"), "level": at(STILL), "mode": at(20),
            "marks": at(MARKS - 11 * 8, rows=12, columns=6, row_stride=8, column_stride=1),
            "pad": at(330), "spawn_delay": {"pointer": {"address": BASE + 9, "type": "u8"}},
            # these are learnt without a map, and those are our own game's
            "x": at(X), "field": at(300, rows=1, columns=6, row_stride=6, column_stride=1), "score": at(320),
            "pending": {**at(321), "source": "homebrew"},
        }
    )  # fmt: skip
    assert found == {
        "spawning": ("other than 0 at 3 of 3 spawns, 0 in 3 of 3 falls", "01CA", "confirmed"),
        "drop_timer": ("goes by 1 on 33 of 33 frames in which the piece sinks by itself", "01CB", "confirmed"),
        "sprite_x": ("follows a poked x", "01CC", "confirmed"),
        "sprite_y": ("follows a poked y", "01CD", "confirmed"),
        "blocks": ("grew by 4 as 4 cells vanished", "01D2", "confirmed"),
        "level": ("3 throughout play", "01CE", "not contradicted"),
        "mode": ("0 throughout play", "0114", "not contradicted"),
        "marks": ("two equal neighbours and a cell alone have 0x01, 0x01, 0x00", "012A", "confirmed"),
        "pad": ("no experiment is about it", "024A", "not tried"),
        "spawn_delay": ("no experiment is about it", "-", "not tried"),
    }


def test_entries_of_other_bytes_are_contradicted() -> None:
    entries = {
        "spawning": at(MOVES), "spawn_phase": at(MOVES), "spawn_delay": at(100), "drop_timer": at(X),
        "sprite_x": at(MOVES), "sprite_y": at(FOLLOWS_X), "blocks": at(STILL), "level": at(MOVES),
        "marks": at(MARKS - 88 + 8, rows=12, columns=6, row_stride=8, column_stride=1),
    }  # fmt: skip
    # each in a map of its own, because entries may not share bytes
    found: dict[str, tuple[str, str, str]] = {}
    for name, entry in entries.items():
        found |= judged({name: entry})
    assert {verdict for *_, verdict in found.values()} == {"CONTRADICTED"}
    assert found["spawning"][0] == "other than 0 at 3 of 3 spawns, 0 in 0 of 3 falls"
    assert found["spawn_phase"][0] == found["spawning"][0]
    assert found["spawn_delay"][0] == "other than 0 at 0 of 3 spawns, 0 in 3 of 3 falls"
    assert found["sprite_x"][0] == "does not follow a poked x"
    assert found["sprite_y"][0] == "does not follow a poked y"
    assert found["level"][0] == "0, 1, 2, 3, 4, 5 throughout play"


@pytest.mark.parametrize(("early", "verdict"), [(0, "confirmed"), (8, "confirmed"), (18, "CONTRADICTED")])
def test_a_sign_of_a_spawn_may_come_before_it_but_not_as_a_piece_begins_to_fall(early: int, verdict: str) -> None:
    assert judged({"spawning": at(SPAWN)}, falls=[fall(1, early=early)])["spawning"][2] == verdict
    # one piece is enough to contradict it
    falls = [fall(0), fall(1, early=early), fall(2)]
    assert judged({"spawning": at(SPAWN)}, falls=falls)["spawning"][2] == verdict


@pytest.mark.parametrize(("steps", "verdict"), [(33, "confirmed"), (24, "confirmed"), (23, "CONTRADICTED")])
def test_a_timer_goes_on_in_three_of_four_frames(steps: int, verdict: str) -> None:
    seen, _, said = judged({"drop_timer": at(TIMER)}, game=Game(timer=steps))["drop_timer"]
    assert (seen.split(" of ")[0], said) == (f"goes by 1 on {steps}", verdict)


def test_the_cells_that_vanish_must_be_counted_exactly() -> None:
    for more, verdict in ((SIZE, "confirmed"), (SIZE - 1, "CONTRADICTED"), (SIZE + 1, "CONTRADICTED")):
        assert judged({"blocks": at(BLOCKS)}, poker=Locker(more))["blocks"][2] == verdict
    nothing = judged({"blocks": at(BLOCKS)}, size=None)["blocks"]
    assert nothing == ("nothing was seen to vanish", "01D2", "CONTRADICTED")
    # two bytes that lie apart, the lowest first
    apart = {"blocks": {"addresses": [BASE + BLOCKS, BASE + STILL]}}
    assert judged(apart)["blocks"] == ("grew by 4 as 4 cells vanished", "01D2 01CE", "confirmed")
    high = {"blocks": {"addresses": [BASE + STILL, BASE + BLOCKS]}}
    assert judged(high)["blocks"] == (f"grew by {SIZE * 256} as 4 cells vanished", "01CE 01D2", "CONTRADICTED")


@pytest.mark.parametrize("down", [1, -1])
def test_y_may_count_from_below(down: int) -> None:
    game = Game()
    poked: list[int] = []
    ran = game.branch

    def branch(state: bytes, pads: list[int], pokes: dict[int, int]) -> Any:
        poked.extend(pokes.values())
        return ran(state, pads, pokes)

    game.branch = branch  # type: ignore[method-assign, assignment]
    assert judged({"sprite_y": at(FOLLOWS_Y)}, game=game, down=down)["sprite_y"][2] == "confirmed"
    # the piece is poked one row further down
    assert poked == [90 + 8 * down]
