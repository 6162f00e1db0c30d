"""The player that builds chains: what it plays, and that it plays the same again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest
from ochibot.bench.strength import play
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import BIG, Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.draw import Draw, future, palette
from ochibot.puyo.search.chain.plan import plan_of
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.chain.search import Search
from ochibot.puyo.search.locks import lock_positions
from ochibot.puyo.sim.dealer import PoolDealer, UniformDealer

CONFIG = load_chain_player(data_path("configs/players/chain.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")


def only(column: int) -> Callable[[Placement], bool]:
    """Hands that reach this column alone."""
    return lambda placement: placement.x == column


def moves(player: ChainPlayer, rules: Rules, pieces: int, seen: int = 2, seed: int = 3) -> list[tuple[int, int, int]]:
    """What it plays on its own."""
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
    """On a field with four steps in reach, a batch that is due leaves less to hope for; nothing due changes nothing."""
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
    """The same field: a player to whom 360 points are enough hopes for less."""
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
    """By a clock of its own: each look at it takes 10 ms."""
    ticks = iter(range(10**6))
    player = ChainPlayer(CONFIG, TSU, 1, budget_ms=25, clock=lambda: next(ticks) / 100)
    assert len(moves(player, TSU, 5)) == 5


def test_a_time_budget_is_used_on_full_fields_too() -> None:
    """By a clock that counts boards. On a full field many of them are equal, and a plan came to half its boards."""
    known: dict[int, Search] = {}

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
    # of 100,000 boards; 60,000 at the most before
    assert sum(boards[-5:]) / 5 > 75_000
    assert max(boards) < 110_000


def test_it_sets_off_a_great_chain() -> None:
    # a staircase of nine steps: R on the left begins it
    field = Field.parse("""
        R.....
        GRGBYR
        GRGBYR
        GRGBYR
        RGBYRB
    """)
    player = ChainPlayer(CONFIG, TSU, 1, nodes=3000)
    scores = [place(field, Pair(1, 1), lock, TSU).score for lock in lock_positions(field, Pair(1, 1), TSU)]
    cheap = CONFIG.model_copy(
        update={"deciding": CONFIG.deciding.model_copy(update={"trigger": float(max(scores))})},
    )
    decision = ChainPlayer(cheap, TSU, 1, nodes=3000).choose(Snapshot(field, Pair(1, 1), Pair(2, 3), 0, TSU.spawn))
    assert decision is not None
    assert decision.outcome.score == max(scores) > 0
    assert player.choose(Snapshot(field, Pair(1, 1), Pair(2, 3), 0, TSU.spawn)) is not None


@pytest.mark.parametrize("field", ["", "R.R.R.", "RGBYRG\n" * 11 + "GRYBGR", "......\n..R...\n......"])
def test_it_always_answers(field: str) -> None:
    """Also for an item, a field where something floats, one where nearly every lock ends the game, and a pair that
    has begun to fall."""
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


FULL = Field.parse("""
    YP..RY
    RY..BR
    PPY.BY
    PRRPYB
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
"""73 puyos, of a game (seed 1041) in which YP was made a chain of three steps, though much more was in reach."""


@pytest.mark.parametrize(("full", "settle", "forced"), [(74, 0.6, False), (74, 0.0, True), (73, 0.6, True)])
def test_in_danger_a_small_chain_is_forced_only_on_a_full_field(full: int, settle: float, forced: bool) -> None:
    """A forced chain's value is its points; any other decision's is a mean of square roots."""
    deciding = CONFIG.deciding.model_copy(update={"full": full, "settle": settle})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 0, nodes=2000)
    decision = player.choose(Snapshot(FULL, Pair(4, 5), Pair(5, 1), 0, TSU.spawn, foreseen=(Pair(4, 5),)))
    assert decision is not None
    assert (decision.value > 1000) == forced


def test_it_does_not_wait_for_ever() -> None:
    """A chain of 66,522 points is sure, and the futures promise a third more, each time it waits for them again."""
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
    deciding = CONFIG.deciding.model_copy(update={"danger": 85, "full": 85, "hurry": 1.05, "waits": 8, "presses": 0.08})
    player = ChainPlayer(CONFIG.model_copy(update={"deciding": deciding}), TSU, 0, nodes=2000)
    snapshot = Snapshot(here, Pair(3, 3), Pair(4, 1), 0, TSU.spawn, foreseen=(Pair(4, 5),))
    values = []
    for _ in range(24):
        decision = player.choose(snapshot)
        assert decision is not None
        values.append(decision.value > 1000)  # the points of a chain that is set off, not a mean of square roots
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
    assert colors == (1, 2, 3, 6)  # those seen, and the lowest other one
    pairs = future(colors, 24, Draw(1, 2, 3))
    assert Counter(code for pair in pairs for code in pair) == dict.fromkeys(colors, 12)  # three bags
    assert pairs == future(colors, 24, Draw(1, 2, 3)) != future(colors, 24, Draw(1, 2, 4))


def test_a_larger_budget_looks_at_more() -> None:
    plans = [plan_of(nodes) for nodes in (1, 1000, 20_000, 300_000)]
    assert [plan.plies for plan in plans] == sorted(plan.plies for plan in plans)
    assert plans[0].width >= 2


@pytest.mark.long
def test_it_builds_chains() -> None:
    """Some 3 ms a decision. Best chains of eight in the mean are far from what other players of ours make."""
    games = [play(ChainPlayer(CONFIG, TSU, 0, nodes=6000), TSU, seed) for seed in range(4)]
    assert sum(game.chain for game in games) >= 4 * 8
    assert not any(game.dead for game in games)


def test_draws_are_those_of_splitmix64() -> None:
    """The high halves of its first numbers from the state 0, as published (prng.di.unimi.it/splitmix64.c)."""
    draw = Draw()
    assert [draw.below(1 << 32) for _ in range(3)] == [0xE220A839, 0x6E789E6A, 0x06C45D18]


def test_slow_hands_choose_among_what_they_reach() -> None:
    fields = [Field.empty(), Field.parse("RGB...\nRGBY.."), Field.parse("RGBYRG\n" * 9)]  # low, and in danger
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
