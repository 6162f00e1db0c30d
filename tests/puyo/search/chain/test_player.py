"""Tests of the player that builds chains: its decisions, and that they can be repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.kernels.engine import RoomKernels
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import BIG, Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.draw import Draw, future, palette
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.chain.safety import Keeper
from ochibot.puyo.search.chain.search import BeamSearch, plan_of
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.sim.dealer import PoolDealer, UniformDealer
from ochibot.puyo.sim.fifty import play

from tests.puyo import reference

CONFIG = load_chain_player(data_path("configs/players/chain.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
TSU_LAW = reference.Law(first=2, top=1, roof=0, flips=True, power=TSU.chain_power)


def only(column: int) -> Callable[[Placement], bool]:
    """Hands that reach only this column."""
    return lambda placement: placement.x == column


def moves(player: ChainPlayer, rules: Rules, pieces: int, seen: int = 2, seed: int = 3) -> list[tuple[int, int, int]]:
    """The locks (x, y, orientation) of the player's first ``pieces`` pairs, from an empty field."""
    pairs = list(islice(UniformDealer(seed, 4), pieces + 2))
    here, made = Field.empty(), []
    for at in range(pieces):
        pair, following, *more = pairs[at : at + 1 + seen]
        decision = player.choose(Snapshot(here, pair, following, 0, rules.spawn, foreseen=tuple(more)))
        assert decision is not None
        assert decision.placement in lock_positions(here, pair, rules)
        outcome = place(here, pair, decision.placement, rules)
        assert outcome == decision.outcome
        here = outcome.field
        made.append((decision.placement.x, decision.placement.y, int(decision.placement.orientation)))
    return made


@pytest.mark.parametrize(("rules", "seen"), [(TSU, 2), (FAMICOM, 1)], ids=["tsu", "famicom"])
def test_a_node_budget_plays_the_same_with_any_number_of_threads(rules: Rules, seen: int) -> None:
    one = moves(ChainPlayer(CONFIG, rules, 1, nodes=5000), rules, 12, seen)
    assert moves(ChainPlayer(CONFIG, rules, 1, nodes=5000), rules, 12, seen) == one
    assert moves(ChainPlayer(CONFIG, rules, 1, nodes=5000, threads=2), rules, 12, seen) == one


def test_a_decision_depends_on_the_snapshot_alone() -> None:
    player = ChainPlayer(CONFIG, TSU, 1, nodes=2000)
    snapshot = Snapshot(Field.parse("RGB...\nRGBY.."), Pair(1, 2), Pair(3, 4), 0, TSU.spawn)
    first = player.choose(snapshot)
    moves(player, TSU, 3)
    assert player.choose(snapshot) == first


def test_nuisance_that_is_due_buries_what_is_built() -> None:
    """On a field with a chain of four in reach, nuisance due within the search lowers the decision's value. No
    nuisance, or nuisance due after the search's last pair, doesn't change it.
    """
    field = Field.parse(".GBY..\n.RGBY.\n.RGBY.\n.RGBY.")
    snapshot = Snapshot(field, Pair(2, 4), Pair(3, 4), 0, FAMICOM.spawn, colors=4)
    alone = ChainPlayer(CONFIG, FAMICOM, 1, nodes=2000, ahead=(6, 4)).choose(snapshot)
    values = []
    for due, locks in ((0, 1), (12, 1), (12, 2), (12, 3), (12, 30)):
        player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=2000, ahead=(6, 4))
        player.race(float("inf"), due, locks)
        decision = player.choose(snapshot)
        assert decision is not None
        values.append(decision.value)
    assert alone is not None
    assert values[0] == values[4] == alone.value
    assert max(values[1:4]) < values[0] - 1


def test_points_beyond_the_most_promise_nothing() -> None:
    """On a field with a chain of four in reach, the decision's value is lower if points beyond 360 don't count."""
    field = Field.parse(".GBY..\n.RGBY.\n.RGBY.\n.RGBY.")
    snapshot = Snapshot(field, Pair(2, 4), Pair(3, 4), 0, FAMICOM.spawn, colors=4)
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=2000)
    values = []
    for most in (float("inf"), 360.0):
        player.race(most)
        decision = player.choose(snapshot)
        assert decision is not None
        values.append(decision.value)
    assert values[0] > values[1]


def test_a_time_budget_gives_an_answer_in_about_that_time() -> None:
    """The clock is simulated: it advances by 10 ms at each reading."""
    ticks = iter(range(10**6))
    player = ChainPlayer(CONFIG, TSU, 1, budget_ms=25, clock=lambda: next(ticks) / 100)
    assert len(moves(player, TSU, 5)) == 5


@pytest.mark.long
def test_a_time_budget_is_used_on_full_fields_too() -> None:
    """The simulated clock advances by a second for each million boards. On full fields many boards are equal, so a
    search once examined only half of the boards that were planned.
    """
    known: dict[int, BeamSearch] = {}

    def clock() -> float:
        known.update({id(search): search for search in player._searches})
        return sum(search.nodes for search in known.values()) / 1e6

    player = ChainPlayer(CONFIG, TSU, 1, budget_ms=100, clock=clock)
    dealer = PoolDealer("modern", 3, 4)
    pairs = [next(dealer) for _ in range(38)]
    here, boards = Field.empty(), []
    for pair, following, then in zip(pairs, pairs[1:], pairs[2:], strict=False):
        decision = player.choose(Snapshot(here, pair, following, 0, TSU.spawn, colors=4, foreseen=(then,)))
        assert decision is not None
        boards.append(decision.leaves)
        here = decision.outcome.field
    # the budget allows 100,000 boards; before the fix, a decision examined 60,000 at the most
    assert sum(boards[-5:]) / 5 > 75_000
    assert max(boards) < 110_000


GREAT = """
    G..BRR
    PG.BRB
    RR.BPP
    PRPGGP
    PGPPGB
    GRBGRB
    GBBRGB
    BRGPGR
    RRBRGR
    BBRBBG
    BGGGRG
    PPPRRG
"""
"""A field that the player built itself, on which the pair PR can set off 13 steps (89,780 points)."""


@pytest.mark.parametrize(("trigger", "fires"), [(14, True), (99, False)])
def test_a_great_chain_is_set_off_when_its_points_reach_the_trigger(trigger: int, fires: bool) -> None:
    field, pair = Field.parse(GREAT), Pair.parse("PR")
    most = max(
        reference.place(field.cells.tolist(), (pair.axis, pair.partner), (lock.x, lock.y, lock.orientation), TSU_LAW)[2]
        for lock in lock_positions(field, pair, TSU)
    )
    assert most == 13
    # with these numbers, only ``trigger`` can set off a chain
    patient = {"least": 99, "crowded": 84, "waiting": 84}
    deciding = CONFIG.deciding.model_copy(update={"trigger": trigger, **patient})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 1, nodes=2000)
    seen = Snapshot(field, pair, Pair.parse("GG"), 0, TSU.spawn, colors=4, foreseen=(Pair.parse("BG"),))
    decision = player.choose(seen)
    assert decision is not None
    assert (decision.outcome.chain == 13) == fires


@pytest.mark.parametrize("field", ["", "R.R.R.", "RGBYRG\n" * 11 + "GRYBGR", "......\n..R...\n......"])
def test_it_always_answers(field: str) -> None:
    """The player also decides on items, on fields with floating puyos, and where nearly every lock ends the game."""
    player = ChainPlayer(CONFIG, FAMICOM, nodes=500)
    here = Field.parse(field)
    for pair in (Pair(1, 2), Pair(BIG, BIG)):
        snapshot = Snapshot(here, pair, Pair(2, 2), 0, FAMICOM.spawn)
        decision = player.choose(snapshot)
        locks = lock_positions(here, pair, FAMICOM)
        assert (decision is None) == (not locks)
        if decision is not None:
            assert (decision.placement.x, decision.placement.orientation) in {(one.x, one.orientation) for one in locks}
            assert player.judge(snapshot, decision).total == pytest.approx(
                sum(value for _, value in player.judge(snapshot, decision).terms)
            )


STAIRS = Field.parse("""
    .GBY..
    .RGBY.
    .RGBY.
    .RGBY.
""")
"""A field of 15 puyos. An R on the first column sets off a chain of four steps; no G or Y does so."""


@pytest.mark.parametrize("seed", range(6))
def test_in_a_hurry_it_sets_off_the_largest_chain_of_the_pairs_that_are_left(seed: int) -> None:
    """Compared with all ways to lock two pairs, by the rules alone. With seed 1, another lock leaves the same field as
    the best one after a smaller chain.
    """
    deciding = CONFIG.deciding.model_copy(update={"later": 1.0, "patience": 1.0, "trigger": 99, "least": 0})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 1, nodes=20_000)
    pairs = list(islice(UniformDealer(seed, 4), 14))
    field = Field.empty()
    for pair in pairs[:12]:
        decision = player.choose(Snapshot(field, pair, pair, 0, TSU.spawn))
        assert decision is not None
        field = decision.outcome.field

    def best(start: Field, left: list[Pair]) -> int:
        outcomes = [place(start, left[0], lock, TSU) for lock in lock_positions(start, left[0], TSU)]
        living = [one for one in outcomes if not one.game_over]
        return max(max(one.score, best(one.field, left[1:]) if left[1:] and not one.score else 0) for one in living)

    wanted = best(field, pairs[12:])
    scored = 0
    for at in (12, 13):
        player.hurry(14 - at, 4)
        decision = player.choose(Snapshot(field, pairs[at], Pair(1, 2) if at == 13 else pairs[13], 0, TSU.spawn))
        assert decision is not None
        scored = decision.outcome.score
        if scored:
            break
        field = decision.outcome.field
    assert scored == wanted


@pytest.mark.parametrize(
    ("field", "limit", "waits"),
    [(STAIRS, 15, True), (STAIRS, 12, True), (STAIRS, 11, False), (Field.parse("RRR..."), 3, False)],
)
def test_a_crowded_field_waits_only_for_a_great_chain_and_only_while_it_is_not_too_crowded(
    field: Field, limit: int, waits: bool
) -> None:
    """If the player waits, the next pair can set the chain off. Otherwise the article's player makes room."""
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=1000, tidy=limit)
    snapshot = Snapshot(field, Pair(2, 4), Pair(1, 1), 0, FAMICOM.spawn, colors=4)
    decision = player.choose(snapshot)
    assert decision is not None
    tidy = Keeper(FAMICOM).choose(snapshot)
    assert (decision == tidy) is not waits
    then = [
        place(decision.outcome.field, Pair(1, 1), lock, FAMICOM)
        for lock in lock_positions(decision.outcome.field, Pair(1, 1), FAMICOM)
    ]
    if waits:
        assert max(one.score for one in then) > 1000
        assert decision.value == CONFIG.deciding.later * max(one.score for one in then)


def test_it_does_not_wait_for_ever() -> None:
    """A visible pair can set off a chain of 66,522 points, but at every decision the possible futures promise a third
    more.
    """
    here = Field.parse("""
        YP..RY
        RY..BR
        PP.PBY
        PRBBYB
        RYPPYY
        RRYBBB
        YPPPRR
        YRRBBB
        BBRPRY
        BPBPPY
        PYBYRY
        PBYBRR
        PBBYYY
    """)
    deciding = CONFIG.deciding.model_copy(update={"hurry": 1.05, "waits": 8, "presses": 0.08})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 0, nodes=2000)
    snapshot = Snapshot(here, Pair(3, 3), Pair(4, 1), 0, TSU.spawn, foreseen=(Pair(4, 5),))
    values = []
    for _ in range(24):
        decision = player.choose(snapshot)
        assert decision is not None
        # above 1000, the value is the points of a chain that is set off, not a mean of square roots
        values.append(decision.value > 1000)
    assert values == sorted(values)
    assert not any(values[:8])
    assert values[-1]
    player.choose(Snapshot(Field.parse("RGB..."), Pair(3, 3), Pair(4, 1), 0, TSU.spawn))
    again = player.choose(snapshot)
    assert again is not None
    assert again.value < 1000


def test_other_groups_than_of_four_are_refused() -> None:
    from dataclasses import replace

    with pytest.raises(ConfigError, match="groups of four only"):
        ChainPlayer(CONFIG, replace(TSU, clear_size=3))


def test_drawn_pairs_are_of_the_games_colours() -> None:
    colors = palette(Field.parse("C....."), (Pair(1, 3),), 4)
    assert colors == (1, 2, 3, 6)  # the colours that were seen, and the lowest other one
    pairs = future(colors, 24, Draw(1, 2, 3))
    assert Counter(code for pair in pairs for code in pair) == dict.fromkeys(colors, 12)  # three bags
    assert pairs == future(colors, 24, Draw(1, 2, 3)) != future(colors, 24, Draw(1, 2, 4))


def test_a_larger_budget_looks_at_more() -> None:
    plans = [plan_of(nodes) for nodes in (1, 1000, 20_000, 300_000)]
    assert [plan.plies for plan in plans] == sorted(plan.plies for plan in plans)
    assert plans[0].width >= 2


@pytest.mark.parametrize("seen", [2, 3])
@pytest.mark.parametrize("nodes", [4_000, 12_000, 45_000, 300_000])
def test_a_plan_examines_about_its_budget(nodes: int, seen: int) -> None:
    """A plan counts 13.5 examined boards for each board of a layer. Each future continues from the boards after the
    visible pairs.
    """
    below, plan = plan_of(nodes - 1, seen), plan_of(nodes, seen)
    layers = seen + (plan.plies - seen) * plan.futures
    assert nodes - 14 * layers < 13.5 * layers * plan.width <= nodes
    assert (plan.plies > below.plies and plan.futures > below.futures) == (nodes < 300_000)
    assert plan_of(100_000) == plan_of(100_000, 3)


@pytest.mark.long
def test_it_builds_chains() -> None:
    """A decision takes some 3 ms. The games' best chains have eight steps or more on average, far more than our other
    players reach.
    """
    games = [play(ChainPlayer(CONFIG, TSU, 0, nodes=6000), TSU, seed) for seed in range(4)]
    assert sum(game.chain for game in games) >= 4 * 8
    assert not any(game.dead for game in games)


def test_draws_are_those_of_splitmix64() -> None:
    """The high halves of SplitMix64's first numbers from state 0 are as published (prng.di.unimi.it/splitmix64.c)."""
    draw = Draw()
    assert [draw.below(1 << 32) for _ in range(3)] == [0xE220A839, 0x6E789E6A, 0x06C45D18]


def test_slow_hands_choose_among_what_they_reach() -> None:
    # two low fields and one in danger
    fields = [Field.empty(), Field.parse("RGB...\nRGBY.."), Field.parse("RGBYRG\n" * 9)]
    for rules in (TSU, FAMICOM):
        for nodes in (60, 2000):
            player = ChainPlayer(CONFIG, rules, 1, nodes=nodes)
            for field in fields:
                seen = Snapshot(field, Pair(1, 2), Pair(3, 4), 0, rules.spawn)
                free = player.choose(seen)
                assert free is not None
                assert player.choose(replace(seen, hands=lambda _: True)) == free
                assert player.choose(replace(seen, hands=lambda _: False)) == free
                for column in range(1, 7):
                    decision = player.choose(replace(seen, hands=only(column)))
                    assert decision is not None
                    assert decision.placement.x == column


def test_slow_hands_choose_among_what_they_reach_with_an_item() -> None:
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=500)
    seen = Snapshot(Field.empty(), Pair(BIG, BIG), Pair(3, 4), 0, FAMICOM.spawn)
    for column in range(1, 6):
        decision = player.choose(replace(seen, hands=only(column)))
        assert decision is not None
        assert decision.placement.x == column


def test_of_an_item_each_place_is_tried_once_and_the_best_taken() -> None:
    player = ChainPlayer(CONFIG, FAMICOM, nodes=500)
    here = Field.parse("..R...\n..RGB.")
    snapshot = Snapshot(here, Pair(BIG, BIG), Pair(2, 2), 0, FAMICOM.spawn, colors=4)
    decision = player.choose(snapshot)
    locks = lock_positions(here, Pair(BIG, BIG), FAMICOM)
    assert decision is not None
    assert decision.leaves == len(locks)
    colors = palette(here, [Pair(2, 2)], 4)
    worth = [player._judgement(place(here, Pair(BIG, BIG), lock, FAMICOM).field, colors).total for lock in locks]
    assert decision.value == max(worth)


def test_where_every_lock_ends_the_game_one_is_taken_all_the_same() -> None:
    # the third column is full up to just below the spawn cell; the others are too high for a pair to pass
    field = Field.parse("\n".join(["RG.RGB", "GB.GBR", *(["RGBRGB", "GBRGBR"] * 6)[:11]]))
    player = ChainPlayer(CONFIG, TSU, 1, nodes=500)
    snapshot = Snapshot(field, Pair(5, 5), Pair(3, 4), 0, TSU.spawn)
    assert all(place(field, Pair(5, 5), lock, TSU).game_over for lock in lock_positions(field, Pair(5, 5), TSU))
    decision, line = player.expect(snapshot)
    assert decision is not None
    assert decision.outcome.game_over
    assert line is None


def test_no_line_is_expected_of_an_item_or_of_a_field_that_floats() -> None:
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=500)
    floating = Field.parse("R.....\n......")
    for field, pair in ((Field.empty(), Pair(BIG, BIG)), (floating, Pair(1, 2))):
        snapshot = Snapshot(field, pair, Pair(3, 4), 0, FAMICOM.spawn)
        decision, line = player.expect(snapshot)
        assert decision == player.choose(snapshot)
        assert line is None
    decision, line = player.expect(Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 0, FAMICOM.spawn))
    assert line is not None


@pytest.mark.parametrize(("x", "y"), [(0, 1), (7, 1), (3, -1), (3, 14)])
def test_a_pair_outside_the_field_has_no_lock(x: int, y: int) -> None:
    player = ChainPlayer(CONFIG, TSU, 1, nodes=500)
    assert player.choose(Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 0, TSU.spawn._replace(x=x, y=y))) is None


@pytest.mark.parametrize(("x", "y"), [(1, 1), (6, 1), (3, 13)])
def test_a_pair_at_the_edge_of_the_field_is_searched_like_any_other(x: int, y: int) -> None:
    player = ChainPlayer(CONFIG, TSU, 1, nodes=500)
    decision = player.choose(Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 0, TSU.spawn._replace(x=x, y=y)))
    assert decision is not None
    assert decision.leaves > 100, "not just the locks of one pair"


def test_a_prepared_player_has_its_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    plain = RoomKernels.kernel

    def kernel(own: RoomKernels, name: str, rules: Rules) -> Callable[..., object]:
        asked.append(name)
        return plain(own, name, rules)

    monkeypatch.setattr(RoomKernels, "kernel", kernel)
    ChainPlayer(CONFIG, TSU, 1, nodes=500).prepare()
    wanted = {
        "grow",
        "potential_boards",
        "shape_boards",
        "lasting_locks",
        "outlives",
        "two_ply",
        "lock_boards",
        "find_ways",
    }
    assert wanted <= set(asked)


HOPELESS = Field.parse("""
    .....G
    P...PR
    YY..YP
    PRGRGY
    PRYRPP
    BYYRGB
    RGGBGB
    BBYPPY
    BRGYBP
    RRBPPB
    BBYPYY
    BRGYGY
    YBGBGR
    PBYPGR
""")
"""A field of 72 puyos without a chain, from a game that was lost eight pairs later."""


def test_where_the_article_s_player_could_not_live_on_it_makes_room() -> None:
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=500)
    snapshot = Snapshot(HOPELESS, Pair(5, 3), Pair(3, 2), 0, FAMICOM.spawn, colors=5)
    assert player.choose(snapshot) == Keeper(FAMICOM).choose(snapshot)


@pytest.mark.parametrize("saved", [True, False])
def test_only_where_it_could_not_live_on_it_sets_off_a_small_chain(
    saved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An R on the first column sets off four steps, 2,280 points or more."""
    monkeypatch.setattr(Keeper, "saves", lambda *_: saved)
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=1000)
    now = player.choose(Snapshot(STAIRS, Pair(1, 4), Pair(2, 2), 0, FAMICOM.spawn, colors=4))
    assert now is not None
    assert (now.outcome.chain == 4) is not saved
    # the next pair can do so for certain
    after = player.choose(Snapshot(STAIRS, Pair(2, 4), Pair(1, 1), 0, FAMICOM.spawn, colors=4))
    assert after is not None
    assert not after.outcome.chain
    assert (after.value > 1000) is not saved
    chainless = Snapshot(Field.parse("GRY...\nRGBYRG"), Pair(5, 3), Pair(5, 3), 0, FAMICOM.spawn, colors=5)
    assert (player.choose(chainless) == Keeper(FAMICOM).choose(chainless)) is not saved


def test_crowded_decisions_are_counted_until_the_field_is_low() -> None:
    deciding = CONFIG.deciding.model_copy(update={"waiting": 12})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 1, nodes=500)
    counted = []
    for count in (11, 12, 13, 11, 6, 12, 5, 12):
        player._wait(Field.parse("\n".join(("RGBYRG" * 3)[:count].ljust(18, ".")[at : at + 6] for at in (12, 6, 0))))
        counted.append(player._waited)
    assert counted == [0, 1, 2, 2, 2, 3, 0, 1]


def test_the_speed_is_learnt_by_a_fifth_each_time() -> None:
    """The clock is simulated: it advances by a quarter of a second at each reading."""
    now = [0.0]

    def clock() -> float:
        now[0] += 0.25
        return now[0]

    player = ChainPlayer(CONFIG, TSU, 1, nodes=2000, clock=clock)
    rate = player._rate
    snapshot = Snapshot(Field.parse("RGB..."), Pair(1, 2), Pair(3, 4), 0, TSU.spawn)
    first = player.choose(snapshot)
    assert first is not None
    looks = now[0] / 0.25
    assert looks >= 3
    # the clock is read before, during and after the search, and once more at the end
    taken = 0.25 * (looks - 2)
    assert player._rate == pytest.approx(rate + (first.leaves / taken - rate) / 5)
    assert player._beside == pytest.approx(2e-4 + (0.25 - 2e-4) / 5)
    for share, filled in ((0.75, 0.95), (0.1, 0.86), (7.0, 0.888)):
        player._learn_filled(share)
        assert player._filled == pytest.approx(filled)


def test_a_time_budget_buys_boards_by_the_speed_less_what_a_decision_costs_beside() -> None:
    player = ChainPlayer(CONFIG, TSU, 1, budget_ms=10)
    player._rate, player._beside = 2e6, 2e-3
    assert player._affordable() == pytest.approx(0.92 * 2e6 * 8e-3)
    player._beside = 1.0
    assert player._affordable() == 0.0
