"""Tests of the search along known pairs, compared with trying all ways, and with a player that knows only two pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import inf

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import COLUMNS, EMPTY, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import BIG, Pair
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place, resolve
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.clairvoyant import BeamBudget, Clairvoyant
from ochibot.puyo.search.evaluate import evaluate
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import TwoPly
from ochibot.puyo.sim.dealer import PoolDealer

CONFIG = load_player(data_path("configs/players/article.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")

FIELDS = {
    "empty": "",
    "low": "R.....\nRG..BB\nGGBRRB",
    # columns so high that few locks leave the game going
    "high": "RG.GRY\nYR.YGR\n" * 6,
}


def promise(field: Field, rules: Rules) -> int:
    """The most points that two puyos of one of the field's colours set off when dropped on one column."""
    best = 0
    for color in {int(code) for row in field.cells.tolist() for code in row if 1 <= code <= 6}:
        for x in range(COLUMNS):
            cells = field.cells.copy()
            height = int((cells[:, x] != EMPTY).sum())
            for up in (0, 1):
                if ROWS - 1 - height - up >= rules.kept_top:
                    cells[ROWS - 1 - height - up, x] = color
            best = max(best, resolve(Field.from_cells(cells), rules).score)
    return best


def all_ways(field: Field, pairs: list[Pair], rules: Rules, budget: BeamBudget, worth: float) -> float:
    """The best value of all ways to lock all pairs, points on the way included; -inf when every way ends the game."""
    ways = {field: 0.0}
    for pair in pairs:
        following: dict[Field, float] = {}
        for before, gained in ways.items():
            for lock in lock_positions(before, pair, rules):
                after = place(before, pair, lock, rules)
                if not after.game_over:
                    gain = gained + worth * after.score
                    following[after.field] = max(gain, following.get(after.field, -inf))
        ways, worth = following, worth * budget.later
    last = worth / budget.later * budget.promise
    values = [
        gained + evaluate(end, CONFIG, rules).total + (last * promise(end, rules) if last else 0.0)
        for end, gained in ways.items()
    ]
    return max(values, default=-inf)


@pytest.mark.parametrize(
    ("name", "share", "rules"),
    [
        pytest.param("empty", 0.0, TSU, marks=pytest.mark.long),
        ("low", 0.0, TSU),
        ("high", 0.7, TSU),
        pytest.param("low", 0.0, FAMICOM, marks=pytest.mark.long),
    ],
    ids=["empty", "low", "high", "famicom"],
)
def test_a_beam_that_keeps_all_finds_the_best_of_all_ways(name: str, share: float, rules: Rules) -> None:
    budget = BeamBudget(plies=3, width=500, point=0.02, later=0.9, promise=share)
    field, pairs = Field.parse(FIELDS[name]), [Pair.parse(text) for text in ("RG", "GG", "BR")]
    expected = all_ways(field, pairs, rules, budget, budget.point)
    player = Clairvoyant(CONFIG, rules, budget=budget)
    snapshot = Snapshot(field, pairs[0], pairs[1], 0, rules.spawn, foreseen=(pairs[2],))
    decision = player.choose(snapshot)
    assert decision is not None
    assert decision.value == pytest.approx(expected, abs=1e-6)
    assert decision.placement in lock_positions(field, pairs[0], rules)
    # a best way begins with the decision's lock: the best rest after it has the missing value
    first = place(field, pairs[0], decision.placement, rules)
    assert decision.outcome == first
    rest = all_ways(first.field, pairs[1:], rules, budget, budget.point * budget.later)
    assert rest + budget.point * first.score == pytest.approx(expected, abs=1e-6)


def test_equal_snapshots_get_equal_decisions_from_any_instance() -> None:
    dealer = PoolDealer("tsu", 99, 4)
    pairs = list(islice(dealer, 12))
    snapshot = Snapshot(Field.parse(FIELDS["low"]), pairs[0], pairs[1], 0, TSU.spawn, foreseen=tuple(pairs[2:]))
    one, other = Clairvoyant(CONFIG, TSU), Clairvoyant(CONFIG, TSU)
    first = one.choose(snapshot)
    one.choose(replace(snapshot, field=Field.parse(FIELDS["high"])))
    assert one.choose(snapshot) == other.choose(snapshot) == first


def test_where_nothing_is_foreseen_it_is_the_two_ply_player() -> None:
    snapshot = Snapshot(Field.parse(FIELDS["low"]), Pair.parse("RG"), Pair.parse("BB"), 0, TSU.spawn)
    assert Clairvoyant(CONFIG, TSU).choose(snapshot) == TwoPly(CONFIG, TSU).choose(snapshot)
    # the search takes only the pairs before the first item, here two
    famicom = replace(snapshot, state=FAMICOM.spawn, foreseen=(Pair.parse("**"), Pair.parse("RR")))
    assert Clairvoyant(CONFIG, FAMICOM).choose(famicom) == TwoPly(CONFIG, FAMICOM).choose(famicom)


def test_it_ends_no_game_that_can_go_on_and_places_the_last_pair() -> None:
    """The third column is nearly full, so that few locks leave the game going."""
    nearly = Field.parse("..G...\n..R...\n" + "..G...\n..R...\n" * 4 + "..G...")
    pairs = [Pair.parse(text) for text in ("YB", "BY", "YB", "BY", "YB")]
    player = Clairvoyant(CONFIG, TSU)
    snapshot = Snapshot(nearly, pairs[0], pairs[1], 0, TSU.spawn, foreseen=tuple(pairs[2:]))
    decision = player.choose(snapshot)
    assert decision is not None
    assert not decision.outcome.game_over
    full = Field.parse("RGRGRG\nGRGRGR\n" * 6)
    lost = player.choose(replace(snapshot, field=full))
    assert lost is None or lost.outcome.game_over


def test_knowing_what_comes_is_worth_chains() -> None:
    """Over 60 pairs of one pool, the clairvoyant player scores more than four times as much as the two-ply player, by
    longer chains.
    """

    def played(player: TwoPly | Clairvoyant) -> tuple[int, int]:
        pairs = list(islice(PoolDealer("tsu", 12345, 4), 80))
        field, score, best = Field.empty(), 0, 0
        for number in range(60):
            foreseen = tuple(pairs[number + 2 : number + 12])
            snapshot = Snapshot(field, pairs[number], pairs[number + 1], score, TSU.spawn, foreseen=foreseen)
            decision = player.choose(snapshot)
            assert decision is not None
            field, score, best = (
                decision.outcome.field,
                score + decision.outcome.score,
                max(best, decision.outcome.chain),
            )
        return score, best

    blind, seeing = played(TwoPly(CONFIG, TSU)), played(Clairvoyant(CONFIG, TSU))
    assert seeing[0] > 4 * blind[0]
    assert seeing[1] > blind[1] + 2


def test_a_budget_must_allow_something() -> None:
    with pytest.raises(ConfigError, match="can't search 0 plies"):
        Clairvoyant(CONFIG, TSU, budget=BeamBudget(plies=0))


@pytest.mark.parametrize(("plies", "foresees"), [(1, 0), (2, 0), (3, 1), (8, 6)])
def test_what_it_wants_to_know_beyond_the_pairs_that_are_shown(plies: int, foresees: int) -> None:
    assert Clairvoyant(CONFIG, TSU, budget=BeamBudget(plies=plies)).foresees == foresees


@pytest.mark.parametrize("x", [0, 1, 6, 7])
@pytest.mark.parametrize("y", [-1, 13, 14])
def test_a_pair_anywhere_in_the_field_is_decided_on_from_there(x: int, y: int) -> None:
    """A pair in an outer column or on the floor is inside the field; one cell further out, it has no lock."""
    inside = 1 <= x <= 6 and 0 <= y < 14
    state = TSU.spawn._replace(x=x, y=y)
    known = Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 0, state, foreseen=(Pair(1, 1), Pair(2, 2)))
    beam, plain = Clairvoyant(CONFIG, TSU), TwoPly(CONFIG, TSU)
    found, simple = beam.choose(known), plain.choose(known)
    assert (found is not None) == (simple is not None) == inside
    assert bool(placements(known.field, known.pair, TSU, state)) == inside
    if found is not None and simple is not None:
        assert found.leaves > 3 * simple.leaves, "it looks at all the pairs that it knows"


def test_with_two_pairs_known_the_two_ply_player_decides() -> None:
    beam, plain = Clairvoyant(CONFIG, TSU), TwoPly(CONFIG, TSU)
    known = Snapshot(Field.parse("RGB..."), Pair(1, 2), Pair(3, 4), 0, TSU.spawn)
    assert beam.choose(known) == plain.choose(known)
    item = Pair(BIG, BIG)
    assert beam.choose(replace(known, foreseen=(item, Pair(1, 1)))) == plain.choose(known)
    more = beam.choose(replace(known, foreseen=(Pair(1, 1), item)))
    assert more is not None
    assert more.leaves > 1000
    decision = beam.choose(known)
    assert decision is not None
    assert beam.judge(known, decision) == plain.judge(known, decision)
    assert beam.name == "article"
    beam.prepare()
