"""Tests of the counts over locks, games and battles, compared with naive counts over random locks and games."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.falling.series import games
from ochibot.play.agreement import MISPLACED_IN_A_ROW, Tally
from ochibot.play.battle import BattleResult, GameResult, Played
from ochibot.play.seat import loser_of
from ochibot.play.versus import VersusResult

COUNTS = ("pieces", "compared", "misplaced", "disagreements", "cut_off", "given_up", "contradictions", "contradicted")


@dataclass
class Said:
    """A forecast whose answers are given by its fields."""

    missed: bool = False
    right: bool = True
    chain: int = 0
    follows: bool = True
    possible: bool = True

    def misses(self, landed: object) -> bool:
        assert landed == "there"
        return self.missed

    def holds(self, seen: object) -> bool:
        assert seen == "the field"
        return self.right

    def covers(self, seen: object) -> bool:
        assert seen == "the field"
        return self.follows

    def elsewhere(self, landed: object) -> Said:
        assert landed == "there"
        if not self.possible:
            raise FieldError("above the field")
        return Said(follows=self.follows, chain=99)

    def describe(self, seen: object) -> str:
        assert seen == "the field"
        return f"chain {self.chain}"


said = st.builds(Said, st.booleans(), st.booleans(), st.integers(0, 9), st.booleans(), st.booleans())
mostly_missed = st.builds(Said, st.integers(0, 9).map(bool), st.just(True), st.integers(0, 9))


@given(
    st.lists(
        st.tuples(
            st.one_of(said, mostly_missed),
            st.booleans(),
            st.integers(0, 2),
            st.booleans(),
            st.sampled_from([0, 0, 0, 1, 2]),
        ),
        max_size=30,
    )
)
def test_each_lock_is_counted_once(locks: list[tuple[Said, bool, int, bool, int]]) -> None:
    """Without ``landed``, ``compare`` doesn't know where the piece landed, and counts it as landed at its target. The
    last number of a lock is how many other contradictions came before it.
    """
    tally = Tally()
    assert tally.agreement is None
    row = agreed = 0
    counts = dict.fromkeys(("misplaced", "disagreements", "contradictions", "given_up", "best"), 0)
    for number, (forecast, known, unanswered, given_up, others) in enumerate(locks, 1):
        for _ in range(others):
            tally.contradict("NEXT")
            assert tally.agreement is not None
            assert tally.agreement < 1
        counts["contradictions"] += others
        missed = known and forecast.missed
        agreed += not missed and forecast.right and not others
        told = tally.compare(forecast, "the field", "there" if known else None, unanswered, given_up)
        if missed:
            counts["misplaced"] += 1
            counts["given_up"] += given_up
            row += 1 if unanswered else 0
            if not forecast.possible:
                counts["contradictions"] += 1
                assert told == f"the pair was last seen where it can't be: above the field\nchain {forecast.chain}"
            elif not forecast.follows:
                counts["contradictions"] += 1
                assert told == "chain 99"
            elif row == 5:
                counts["contradictions"] += 1
                row = 0
                assert told is not None
                assert told.startswith("5 pairs in a row landed elsewhere")
            else:
                assert told is None
        else:
            row = 0
            if forecast.right:
                counts["best"] = max(counts["best"], forecast.chain)
                assert told is None
            else:
                counts["disagreements"] += 1
                assert told == f"chain {forecast.chain}"
        assert (tally.pieces, tally.compared, tally.best_chain) == (number, number, counts["best"])
        assert (tally.misplaced, tally.disagreements) == (counts["misplaced"], counts["disagreements"])
        assert (tally.contradictions, tally.given_up) == (counts["contradictions"], counts["given_up"])
        assert tally.faults == counts["misplaced"] + counts["disagreements"] + counts["contradictions"]
        assert tally.agreement == agreed / number
        assert tally.cut_off == 0
    assert MISPLACED_IN_A_ROW == 5


@pytest.mark.parametrize("kind", [Tally, Played])
def test_whatever_contradicts_lowers_the_agreement(kind: Any) -> None:
    """Five pieces with three contradictions once had an agreement of 1.0, and so had their battle."""
    counted = kind(pieces=5, compared=5, contradictions=3)
    battle = BattleResult()
    if kind is Tally:
        assert counted.agreement < 1
        played = Played()
        played.add(counted)
        battle.add_game(played)
    else:
        battle.add(counted)
    assert battle.contradictions == 3
    assert battle.agreement is not None
    assert battle.agreement < 1


def test_a_contradiction_without_a_lock_lowers_the_agreement() -> None:
    tally = Tally()
    tally.contradict("NEXT")
    assert tally.agreement == 0.0
    tally = Tally(pieces=4, compared=4)
    tally.contradict("NEXT")
    tally.uncompared()
    assert (tally.contradicted, tally.agreement) == (0, 0.8)


def test_what_was_otherwise_is_named() -> None:
    tally = Tally()
    for one in (
        Said(right=False),
        Said(right=False, follows=False),
        Said(missed=True),
        Said(missed=True, follows=False),
    ):
        tally.compare(one, "the field", "there")
    tally.contradict("NEXT")
    assert dict(tally.named) == {"score": 1, "field": 2, "steering": 2, "NEXT": 1}
    # a score that is right where the field isn't says nothing
    assert tally.faults == 6


def test_a_piece_without_a_forecast_counts_against_the_agreement() -> None:
    tally = Tally()
    tally.compare(Said(), "the field", None)
    tally.uncompared()
    assert (tally.pieces, tally.compared, tally.faults, tally.agreement) == (2, 1, 0, 0.5)


tallies = st.builds(Tally, *(st.integers(0, 50) for _ in fields(Tally)))


@given(st.lists(tallies, max_size=4))
def test_a_game_adds_up_both_seats(of: list[Tally]) -> None:
    played = Played()
    for tally in of:
        played.add(tally)
    for name in COUNTS:
        assert getattr(played, name) == sum(getattr(tally, name) for tally in of)
    assert played.game is None


def game_of(winner: int | None, number: int) -> GameResult:
    return GameResult(winner, bool(number % 2), 7, 100 + 13 * number, (1, 2), (number, 5 - number), (3, 4), (10, 20))


@given(st.lists(st.tuples(st.sampled_from([0, 1, None, "stopped"]), st.integers(0, 5), st.integers(0, 5)), max_size=6))
def test_a_battle_adds_up_its_games(of: list[tuple[Any, int, int]]) -> None:
    """A stopped game adds only its locks to the battle's counts."""
    result = BattleResult()
    assert (result.agreement, result.win_rate_interval, result.mean_frames) == (None, [0.0, 1.0], 0.0)
    for number, (winner, wrong, cut) in enumerate(of):
        game = None if winner == "stopped" else game_of(winner, number)
        result.add_game(
            Played(
                game=game,
                pieces=10 + number,
                compared=9 + number,
                misplaced=wrong,
                disagreements=1,
                cut_off=cut,
                given_up=wrong // 2,
            )
        )
    ended = [(number, winner) for number, (winner, _, _) in enumerate(of) if winner != "stopped"]
    assert result.games == len(ended) == len(result.games_detail)
    assert result.wins == [sum(winner == side for _, winner in ended) for side in (0, 1)]
    assert result.draws == sum(winner is None for _, winner in ended)
    assert result.pieces == sum(10 + number for number in range(len(of)))
    assert result.compared == sum(9 + number for number in range(len(of)))
    assert result.misplaced == sum(wrong for _, wrong, _ in of)
    assert result.given_up == sum(wrong // 2 for _, wrong, _ in of)
    assert (result.disagreements, result.cut_off) == (len(of), sum(cut for _, _, cut in of))
    if of:
        good = result.compared - result.misplaced - result.disagreements
        assert result.agreement == good / result.pieces
    if ended:
        assert result.mean_frames == round(sum(100 + 13 * number for number, _ in ended) / len(ended), 1)
        assert result.best_chain == [max(n for n, _ in ended), max(5 - n for n, _ in ended)]
    assert result.nuisance_sent == [3 * len(ended), 4 * len(ended)]
    assert result.as_dict()["wins"] == result.wins
    low, high = result.win_rate_interval
    assert 0 <= low <= high <= 1
    if result.wins[0] > result.wins[1]:
        assert high == 1.0 or result.wins[1] > 0
        assert low > 0


def test_results_begin_at_nothing() -> None:
    for made in (VersusResult(), BattleResult()):
        counts = {name: value for name, value in made.as_dict().items() if isinstance(value, int) and value}
        assert counts == {}
        assert made.agreement is None
        assert made.wins == [0, 0]
        assert made.stopped_by == ""
    assert BattleResult().nuisance_sent == BattleResult().best_chain == [0, 0]
    assert all(getattr(Played(), name) == 0 for name in COUNTS)


class Side:
    def __init__(self, number: int, *, knows: bool) -> None:
        self.number, self.knows_loser, self.ended, self.lost = number, knows, False, 0

    def over(self) -> bool:
        return self.ended

    def loser(self) -> int:
        return self.lost


def test_the_loser_is_the_one_that_ram_names_or_whose_game_is_over_first() -> None:
    first: Any = Side(1, knows=True)
    second: Any = Side(2, knows=True)
    lost = loser_of(first, second)
    first.ended = True
    assert lost() == 0, "RAM names the loser, and doesn't yet"
    first.lost = 2
    assert lost() == 2
    one: Any = Side(1, knows=False)
    two: Any = Side(2, knows=True)
    lost = loser_of(one, two)
    assert lost() == 0
    two.ended = True
    assert lost() == 2
    one.ended = True
    assert lost() == 1


def test_sides_are_swapped_in_every_other_game() -> None:
    assert [(game.number, game.swapped) for game in games(4)] == [(0, False), (1, True), (2, False), (3, True)]


@pytest.mark.parametrize("winner", [0, 1])
def test_one_decided_game_says_little(winner: int) -> None:
    """The Wilson interval of one win in one game begins at 0.2065, a value found in many published tables."""
    result = BattleResult()
    result.add_game(Played(game=game_of(winner, 0)))
    assert result.win_rate_interval == ([0.2065, 1.0] if winner == 0 else [0.0, 0.7935])
