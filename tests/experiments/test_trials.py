"""The whole measuring of a formula, on a naive game that counts points by tables of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import rules, trials
from ochibot.experiments.chains import Board
from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Event, scoring_events
from ochibot.experiments.formula import Formula, Trial, solve
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.score import Score
from ochibot.experiments.trials import Trials, measure_formula

SIZE, COLORS = 4, (1, 2, 3, 4)
POWER = (0, 8, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512)
COLOR_BONUS = (0, 0, 3, 6, 12)
GROUP_BONUS = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10, 10)


@dataclass
class Game:
    """told: whether each step's points can be told apart. longest: chains of more steps don't come about. limit: of the
    factor. cap: the highest score. emptied: points for a field that is emptied.
    """

    told: bool = True
    longest: int = 99
    unit: int = 10
    limit: int = 9999
    cap: int = 10**9
    emptied: int = 0
    power: Sequence[int] = POWER
    played: list[int] = field(default_factory=list)

    def points(self, step: int, groups: Sequence[int], colors: int) -> int:
        bonus = self.power[step - 1] + COLOR_BONUS[colors] + sum(GROUP_BONUS[min(size, 12)] for size in groups)
        return self.unit * sum(groups) * max(1, min(bonus, self.limit))

    def steps(self, boards: Sequence[Board]) -> list[int]:
        self.played.append(len(boards) + 1)
        if len(boards) + 1 > self.longest:
            raise CalibrationError("the step doesn't come")
        found = [self.points(1, (SIZE,), 1)]
        found += [self.points(step, one.groups, one.colors) for step, one in enumerate(boards, 2)]
        if boards and len(boards[-1].cells) == len(boards[-1].doomed):
            found[-1] += self.emptied
        return found

    def play(self, _poker: Any, _size: int, boards: Sequence[Board]) -> int:
        return min(self.cap, sum(self.steps(boards)))

    def rises(self, _poker: Any, _score: Any, _size: int, boards: Sequence[Board]) -> tuple[int, ...]:
        if not self.told:
            raise CalibrationError("the score rose in other steps")
        return tuple(min(self.cap, one) for one in self.steps(boards))

    def events(self, *, drop: int = 0, chains: int = 4) -> list[Event]:
        def event(name: str, steps: tuple[tuple[tuple[int, int], ...], ...]) -> Event:
            worth = sum(
                self.points(step, [size for size, _ in groups], len({kind for _, kind in groups}))
                for step, groups in enumerate(steps, 1)
            )
            fallen: Any = SimpleNamespace(ram=7 + worth - (3 * drop if name == "short" else 0))
            return Event(name, steps, fallen)

        return [
            event("nothing", ()),
            event("short", ()),
            *(event(f"group {size}", (((size, 1),),)) for size in range(SIZE, 12)),
            *(event(f"colours {many}", (tuple((SIZE, kind) for kind in range(many)),)) for many in (2, 3, 4)),
            *(event(f"chain {steps}", (((SIZE, 1),),) * steps) for steps in range(2, chains + 1)),
        ]


POKER: Any = SimpleNamespace(ground=SimpleNamespace(colors=COLORS, grid=SimpleNamespace(columns=6), visible=12))
SCORE: Any = SimpleNamespace(value=lambda ram: ram, kept=True)


def measured(game: Game, monkeypatch: pytest.MonkeyPatch, *, cap: int | None = None, **said: Any) -> Formula:
    monkeypatch.setattr(trials, "rises", game.rises)
    # after a piece that clears nothing the score isn't 0
    monkeypatch.setattr(trials, "play", lambda *args: 7 + game.play(*args))
    return measure_formula(POKER, SCORE, game.events(**said), SIZE, cap)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("unit", [10, 30])
@pytest.mark.parametrize("drop", [0, 1, 12])
@pytest.mark.parametrize("emptied", [0, 2100])
def test_the_tables_of_the_game_are_found(
    told: bool, unit: int, drop: int, emptied: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(told=told, unit=unit, emptied=emptied)
    found = measured(game, monkeypatch, drop=drop)
    assert (found.wrong, found.unit, found.per) == (0, unit, "group")
    # a chain of eight steps takes long enough where only its whole can be seen
    assert found.chain_power == list(POWER if told else POWER[:8])
    assert found.color_bonus == {2: 3, 3: 6, 4: 12}
    assert [found.group_bonus[size] for size in range(SIZE, 12)] == [*GROUP_BONUS[SIZE:12]]
    assert (found.drop_bonus, found.all_clear, found.limit) == (drop, emptied, None)
    # as if a cell were worth 10
    assert dict(found.seen)["group 5"] == 100
    assert [name for name, _ in found.seen][:3] == ["short", "group 4", "group 5"]


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("limit", [400, 515, 521, 999])
def test_a_limit_is_found_where_it_is_reached(told: bool, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked for at the step that is worth most: 512 and three colours are 518, 128 and three colours 134."""
    game = Game(told=told, limit=limit)
    most = 512 if told else 128
    found = measured(game, monkeypatch)
    assert found.limit == (limit if limit < most + 6 else None)
    if limit == 400 and told:
        assert found.chain_power == [min(one, 400) for one in POWER]


@pytest.mark.parametrize("longest", [1, 2, 3, 5, 9])
def test_a_chain_may_end_early(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(told=False, longest=longest)
    found = measured(game, monkeypatch, chains=3)
    # the chains by which the score was found had three steps
    assert found.chain_power == list(POWER[: max(3, min(8, longest))])
    assert found.all_clear == (0 if longest > 1 else None)
    assert found.group_bonus[5] == 2
    assert max(game.played) <= 19


def test_steps_that_are_worth_the_highest_score_may_be_worth_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(cap=9999)
    found = measured(game, monkeypatch, cap=9999)
    # 40 points for each of a sum: 256 would be 10,240
    assert found.chain_power == list(POWER[:10])
    assert found.limit is None


def test_a_score_that_is_seen_half_written_is_not_taken_for_that_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game()
    right = game.rises

    def half(*args: Any) -> tuple[int, ...]:
        seen = right(*args)
        return tuple(one - one % 100 if one > 99 else one for one in seen) if len(seen) > 6 else seen

    game.rises = half  # type: ignore[assignment, method-assign]
    found = measured(game, monkeypatch)
    assert found.wrong == 0
    assert found.chain_power == list(POWER[:8])


@pytest.mark.parametrize(("groups", "colors"), [([4] * 4, 4), ([5, 4], 1), ([30], 1), ([4] * 4, 1)])
def test_a_trial_that_has_no_room_or_colours_is_not_made(
    groups: list[int], colors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(told=False)
    monkeypatch.setattr(trials, "play", game.play)
    monkeypatch.setattr(trials, "rises", game.rises)
    made = Trials(POKER, SCORE, SIZE, 0)
    made.add_chain([40, 320])
    room = len(groups) < 3 or colors > 1
    found = made.attempt(3, groups, colors)
    assert found == (Trial(3, tuple(groups), colors, game.points(3, groups, colors)) if room else None)
    assert len(made.made) == 2 + room
    assert [made.worth(step) for step in (1, 2, 3)] == [40, 320, 0]
    # one colour more than the game has
    assert made.attempt(2, [1] * 5, 5) is None


def test_what_only_another_step_shows_is_taken_from_there() -> None:
    """The step by which bonuses are measured has few trials: larger groups, and several colours, are in the first."""
    game = Game()
    made: list[Any] = [(step, (4,), 1) for step in (1, 2, 4)] + [(2, (size,), 1) for size in (5, 6)]
    made += [(1, (size,), 1) for size in (7, 8, 11)] + [(1, (4, 4), 2), (1, (4, 4, 4), 3)]
    found = solve([Trial(step, groups, many, game.points(step, groups, many)) for step, groups, many in made], 4)
    assert found.group_bonus == {4: 0, 5: 2, 6: 3, 7: 4, 8: 5, 11: 10}
    assert found.color_bonus == {2: 3, 3: 6}
    # nothing tells the third step, and so none beyond it
    assert found.chain_power == [0, 8]


def test_groups_leave_a_cell_on_the_floor() -> None:
    """A game for the Mega Drive paid for an emptied lowest row before the cells above it fell."""

    class Paying:
        """Points of 10 a cell, and 2,100 if nothing is left on the floor; a lock's RAM is (points, what is left)."""

        def __init__(self, columns: int) -> None:
            self.ground = SimpleNamespace(
                colors=(1, 2, 3), grid=SimpleNamespace(columns=columns), kinds=lambda ram: dict(enumerate(ram[1]))
            )

        def lock(self, cells: dict[tuple[int, int], int], _column: int, low: int, high: int) -> Any:
            board = {**cells, (0, 0): low, (0, 1): high}
            gone = {place for place, kind in board.items() if kind == low}
            kept = {place: kind for place, kind in board.items() if place not in gone or len(gone) < 4}
            points = 10 * (len(board) - len(kept)) + 2100 * all(row for _, row in kept)
            return SimpleNamespace(ram=(points, tuple(kept.values())))

    for columns, bonus in ((6, 0), (5, 2100)):
        poker: Any = Paying(columns)
        seen = {one.name: one.fallen.ram[0] for one in scoring_events(poker, 4) if one.name.startswith("group")}
        assert seen == {f"group {count}": 10 * count + bonus for count in range(4, 12)}


@pytest.mark.parametrize(("scale", "more", "known"), [(10, 25, True), (10, 30, False), (10, 0, True), (1, 25, True)])
def test_the_screen_adds_no_zeros_where_not_the_published_formula_explains_the_points(
    scale: int, more: int, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game for the NES pays n x (n - 1) x the step, and 25 for each further group (here by a table, too, which no
    rules file has); its score was read ten times too high, because a cell is worth 10 in known games.
    """

    class Paying(Game):
        def points(self, step: int, groups: Sequence[int], colors: int) -> int:
            count = sum(groups)
            further = (0, 25, 70, 120)[len(groups) - 1] if more == 30 else more * (len(groups) - 1)
            return scale * (count * (count - 1) * step + further) if more else super().points(step, groups, colors)

    game, score = Paying(), Score(0x3A4, Form(6, little=False, digits="decimal"), scale, kept=True)
    monkeypatch.setattr(trials, "rises", game.rises)
    monkeypatch.setattr(trials, "play", lambda *args: 7 + game.play(*args))
    monkeypatch.setattr(Score, "value", lambda _, ram: ram)
    monkeypatch.setattr(rules, "scoring_events", lambda *_: game.events())
    for name, found in (("chain_events", []), ("find_score", score), ("known_places", set()), ("measure_cap", 999_990),
                        ("sort_codes", None), ("_above", None), ("find_strange", None), ("measure_kicks", None),
                        ("measure_between", None), ("find_fraction", None), ("measure_owed", 0)):  # fmt: skip
        monkeypatch.setattr(rules, name, lambda *_, found=found: found)
    learnt: Any = SimpleNamespace(size=SIZE, strange=None, above=None, basis=None, stance=None, timing=None)
    ground: Any = SimpleNamespace(mask=7, colors=COLORS, grid=SimpleNamespace(empty=0))
    book = Notebook(None, "x")
    rules.learn_rules(book, learnt, ground, POKER)
    assert (learnt.formula is not None, "the formula" in book.failed) == (known, not known)
    published = known and not more
    assert (learnt.score, learnt.cap) == (
        (score, 999_990) if published else (replace(score, scale=1), 999_990 // scale)
    )
    if known and more:
        told = [learnt.formula.points(4, Trial(2, groups, 1, 0)) for groups in ((4,), (6, 4), (4, 4, 4))]
        assert told == [24, 180 + 25, 264 + 50]
