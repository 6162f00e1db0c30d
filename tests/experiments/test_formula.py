"""The tables of a formula are recovered from what trials are worth by it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import score
from ochibot.experiments.digits import Form
from ochibot.experiments.driver import Fallen
from ochibot.experiments.effects import Event, Poker
from ochibot.experiments.formula import Trial, solve
from ochibot.experiments.growth import grows
from ochibot.experiments.rig import Bytes

USUAL = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
SMALL = (0, 0, 0, 0, 0, 1, 2, 3, 4, 5)
NONE = (0,) * 5
TSU = (0, 8, 16, 32, 64, 96, 128)
DOUBLE = (0, 1, 2, 4, 8, 16, 32)
Tables = tuple[Sequence[int], Sequence[int], Sequence[int]]
"""Chain power, colour bonus, group bonus."""


def points(step: int, sizes: Sequence[int], many: int, tables: Tables, unit: int, per: str, size: int) -> int:
    """What a step is worth. many: how many colours it clears."""
    power, colors, groups = tables
    counted = {"group": list(sizes), "step": [sum(sizes)], "excess": [size + sum(one - size for one in sizes)]}[per]
    bonus = power[step - 1] + colors[many] + sum(groups[min(one, len(groups) - 1)] for one in counted)
    return unit * sum(sizes) * max(1, bonus)


def trials(tables: Tables, unit: int, per: str, size: int, base: int) -> list[Trial]:
    """The trials that the engine makes; ``base``: the step in which bonuses are told."""
    made = [(step, [size], 1) for step in range(1, 8)]
    made += [(1, [count], 1) for count in range(size + 1, 12)] + [(1, [size] * 2, 2), (1, [size] * 3, 3)]
    made += [(base, [count], 1) for count in range(size + 1, 13)]
    made += [(base, groups, 1) for groups in ([size] * 2, [size + 1] * 2, [size + 2, size])]
    made += [(base, [size] * many, many) for many in range(2, 6)]
    made += [one for step in range(2, base) for one in ((step, [size + 4], 1), (step, [size] * 3, 3))]
    return [Trial(s, tuple(g), many, points(s, g, many, tables, unit, per, size)) for s, g, many in made]


@pytest.mark.parametrize(("size", "groups"), [(3, USUAL), (4, USUAL), (5, USUAL), (4, SMALL), (5, SMALL), (4, NONE)])
@pytest.mark.parametrize("per", ["group", "step", "excess"])
@pytest.mark.parametrize(
    ("power", "base"),
    [(TSU, 2), (DOUBLE, 3), ((1, 2, 3, 4, 5, 5, 5), 2), ((0, 4, 20, 50, 100, 200, 200), 2)],
)
@pytest.mark.parametrize("colors", [(0, 0, 3, 6, 12, 24), (0, 0, 1, 2, 3, 4), (0,) * 6])
@pytest.mark.parametrize("unit", [1, 20])
def test_the_tables_are_found(
    power: Sequence[int], colors: Sequence[int], groups: Sequence[int], per: str, size: int, base: int, unit: int
) -> None:
    tables = (power, colors, groups)
    found = solve(trials(tables, unit, per, size, base), size)
    assert (found.wrong, found.unit) == (0, unit)
    for step in range(1, 8):
        for sizes, many in (
            ([size], 1), ([size + 3], 1), ([size] * 2, 2), ([size + 1, size], 2), ([size + 2] * 2, 2), ([size] * 4, 4),
        ):  # fmt: skip
            wanted = points(step, sizes, many, tables, unit, per, size)
            assert found.points(size, Trial(step, tuple(sizes), many, 0)) == wanted, (step, sizes, many)


def test_one_disturbed_trial_changes_no_table() -> None:
    tables = (TSU, (0, 0, 3, 6, 12, 24), USUAL)
    made = trials(tables, 10, "group", 4, 2)
    # something else gave 50 points meanwhile
    at = next(number for number, one in enumerate(made) if one.step == 1 and one.groups == (7,))
    made[at] = Trial(1, (7,), 1, made[at].points + 50)
    found = solve(made, 4)
    assert (found.unit, found.wrong, found.chain_power) == (10, 1, list(TSU))
    assert [found.group_bonus.get(count, 0) for count in range(12)] == list(USUAL)


def test_points_that_wait_to_become_nuisance_are_no_score() -> None:
    """They grow with each group, chain and colour, until they reach what a piece of nuisance costs."""
    said = {"nothing 0": 0, "group 4": 4, "group 5": 10, "colours 2": 48, "colours 3": 144, "chain 2": 8, "chain 3": 16}
    events = []
    for name, paid in said.items():
        number = int(name.split()[1])
        sizes = [number] if "group" in name else [4] * number
        steps = [[(one, 1)] for one in sizes] if "chain" in name else [[(one, 1) for one in sizes]]
        ram = np.array([0, 0, paid, 0, 0, 0, paid % 120, 0, 0], np.uint8)
        fallen = Fallen(b"", ram, 0, 0, 0, 0, 0, ram)
        events.append(Event(name, tuple(map(tuple, steps)) if number else (), fallen))
    assert grows(events, 4, Form(2, little=True)) == [2]


@pytest.mark.parametrize(
    ("form", "low", "before", "kept"),
    [
        # the leading zeros of a score in digits may be blank
        (Form(5, little=False, digits="decimal"), 4, [36, 36, 36, 36, 0], True),
        # the highest byte of a number, the lowest first, is none of one whose highest is first
        (Form(2, little=False), 1, [0, 0, 0], False),
        (Form(2, little=True), 1, [0, 0, 0], True),
    ],
)
def test_a_score_carries_over(
    monkeypatch: pytest.MonkeyPatch, form: Form, low: int, before: list[int], kept: bool
) -> None:
    """The game adds 3 to a number that begins at ``low``: digits with the highest first, or bytes with the lowest."""

    def after(_poker: Poker, pokes: dict[int, int], _size: int) -> Bytes:
        ram = [pokes.get(at, value) for at, value in enumerate(before)]
        over, step = (10, -1) if form.digits else (256, 1)
        carry = (ram[low] + 3) // over
        ram[low] = (ram[low] + 3) % over
        ram[low + step] += carry if ram[low + step] != 36 else carry - 36 * (carry > 0)
        return np.array(ram, np.uint8)

    monkeypatch.setattr(score, "score_after", after)
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: np.array(before, np.uint8))
    poker = cast(Poker, SimpleNamespace(ground=SimpleNamespace(rig=rig, state=b"")))
    assert score._kept(poker, low if form.little else low + 1 - form.width, form, 3) is kept


def test_a_byte_without_which_no_piece_can_be_dropped_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    def after(_poker: Poker, pokes: dict[int, int], _size: int) -> Bytes:
        if pokes:
            raise CalibrationError("the piece doesn't get to the column of x = 0")
        return np.array([3, 0], np.uint8)

    monkeypatch.setattr(score, "score_after", after)
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: np.zeros(2, np.uint8))
    poker = cast(Poker, SimpleNamespace(ground=SimpleNamespace(rig=rig, state=b"")))
    assert not score._kept(poker, 0, Form(2, little=True), 3)


def test_a_byte_that_counts_beside_the_digits_is_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # leading zeros are blank; before the digits, a byte counts what is cleared
    before = [0, 1, *[255] * 4, 0]

    def after(_poker: Poker, pokes: dict[int, int], _size: int) -> Bytes:
        ram = [pokes.get(at, value) for at, value in enumerate(before)]
        digits = [0 if one == 255 else one for one in ram[2:]]
        number = min(99_999, sum(one * 10**power for power, one in enumerate(reversed(digits))) + 8)
        shown = [255 if ch == " " else int(ch) for ch in f"{number:5}"]
        return np.array([ram[0], (ram[1] + 1) % 10, *shown], np.uint8)

    monkeypatch.setattr(score, "score_after", after)
    monkeypatch.setattr(score, "_lowest", lambda _poker, one, _size: one)
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: np.array(before, np.uint8), size=len(before))
    poker = cast(Poker, SimpleNamespace(ground=SimpleNamespace(rig=rig, state=b"")))
    found = score.Score(2, Form(5, little=False, digits="decimal"), 10, kept=True)
    assert score._digits(poker, found, 4) == found


def test_a_score_that_stays_shows_no_formula() -> None:
    with pytest.raises(CalibrationError, match="what a group is worth"):
        solve([Trial(1, (4,), 1, 0), Trial(2, (4,), 1, 0)], 4)
