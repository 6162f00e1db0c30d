"""Tests of staying alive: the locks that leave a way on, compared with the rules in Python, and long play with one next
pair shown.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from ochibot.data import data_path
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import BIG, Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.chain.safety import Keeper
from ochibot.puyo.search.locks import lock_order, lock_positions
from ochibot.puyo.search.twoply import Decision
from ochibot.puyo.sim.dealer import UniformDealer

CONFIG = load_chain_player(data_path("configs/players/chain.yaml"))
TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
ORDER = lock_order()


def outlasts(field: Field, pair: Pair, rules: Rules) -> bool:
    return any(not place(field, pair, lock, rules).game_over for lock in lock_positions(field, pair, rules))


def outlasts_all(field: Field, colors: int, rules: Rules) -> bool:
    pairs = combinations_with_replacement(range(1, colors + 1), 2)
    return all(outlasts(field, Pair(*codes), rules) for codes in pairs)


def leaves_a_way(field: Field, lock: Placement, pairs: tuple[Pair, Pair], colors: int, rules: Rules) -> bool:
    after = place(field, pairs[0], lock, rules)
    if after.game_over:
        return False
    return any(
        not (then := place(after.field, pairs[1], one, rules)).game_over and outlasts_all(then.field, colors, rules)
        for one in lock_positions(after.field, pairs[1], rules)
    )


@some.composite
def high_fields(draw: Any) -> Field:
    """Resolved fields with high columns. Before clears, the third column has 8 to 12 puyos, the others 7 to 13."""
    heights = draw(some.lists(some.integers(7, 13), min_size=6, max_size=6))
    heights[2] = draw(some.integers(8, 12))
    codes = draw(some.lists(some.sampled_from((1, 2, 3, 7)), min_size=84, max_size=84))
    cells = np.zeros((14, 6), np.uint8)
    for x, height in enumerate(heights):
        for up in range(height):
            cells[13 - up, x] = codes[6 * up + x]
    from ochibot.puyo.rules.resolve import resolve

    return resolve(Field.from_cells(cells), FAMICOM).field


@pytest.mark.long
@pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])
@settings(max_examples=8, deadline=None)
@given(field=high_fields(), codes=some.lists(some.integers(1, 3), min_size=4, max_size=4))
def test_the_locks_that_leave_a_way_on(rules: Rules, field: Field, codes: list[int]) -> None:
    """The expected locks are found by the rules in Python, for the two known pairs and every possible third one."""
    if field.heights()[2] > (11 if rules is TSU else 12) or max(field.heights()) > rules.kept_rows:
        return  # the game is over already
    pairs = Pair(codes[0], codes[1]), Pair(codes[2], codes[3])
    locks = lock_positions(field, pairs[0], rules)
    wanted = {(one.x, one.orientation) for one in locks if leaves_a_way(field, one, pairs, 3, rules)}
    keeper = Keeper(rules)
    lasting = keeper.lasting(Snapshot(field, *pairs, 0, rules.spawn, colors=3))
    kept = {(one.x, one.orientation) for one in locks if lasting >> ORDER.index((one.x, one.orientation)) & 1}
    assert kept == (wanted or {(one.x, one.orientation) for one in locks})


def test_the_keeper_takes_no_lock_that_leaves_no_way_on() -> None:
    """The article's player looks at two pairs only, so its choice can make the third one fatal."""
    field = Field.parse("""
        YG.RGY
        GY.GYG
        YGYYGY
        GYGGYG
        YGYYGY
        GYGGYG
        YGYYGY
        GYGGYG
        YGYYGY
        GYGGYG
        YGYYGY
    """)
    pairs = Pair(1, 5), Pair(5, 1)
    snapshot = Snapshot(field, *pairs, 0, FAMICOM.spawn, colors=5)
    keeper = Keeper(FAMICOM)
    lasting = keeper.lasting(snapshot)
    decision = keeper.choose(snapshot)
    assert decision is not None
    assert keeper.allows(lasting, decision.placement)


def test_low_fields_and_items_are_left_alone() -> None:
    keeper = Keeper(FAMICOM)
    low = Field.parse("..R...\n..G...")
    every = (1 << len(ORDER)) - 1
    assert keeper.lasting(Snapshot(low, Pair(1, 2), Pair(1, 2), 0, FAMICOM.spawn)) == every
    high = Field.parse("..R...\n..G...\n" * 5)
    assert keeper.lasting(Snapshot(high, Pair(BIG, BIG), Pair(1, 2), 0, FAMICOM.spawn)) == every


@pytest.mark.long
def test_endless_play_with_one_next_pair_and_five_colours_goes_on() -> None:
    """With these pairs the game ended, before the limit of danger depended on the number of visible pairs."""
    player = ChainPlayer(CONFIG, FAMICOM, 1, nodes=900)
    dealer = UniformDealer(5, 5)
    here, pair, following = Field.empty(), next(dealer), next(dealer)
    best = 0
    for _ in range(1500):
        decision = player.choose(Snapshot(here, pair, following, 0, FAMICOM.spawn, colors=5))
        assert decision is not None
        assert not decision.outcome.game_over
        here, best = decision.outcome.field, max(best, decision.outcome.chain)
        pair, following = following, next(dealer)
    assert best >= 6  # it still builds chains


def test_the_room_of_the_third_column_and_when_it_is_little() -> None:
    keeper = Keeper(FAMICOM)
    for height in range(12):
        field = Field.parse("..R...\n..G...\n" * (height // 2) + "..B..." * (height % 2))
        assert keeper.free(field) == FAMICOM.visible_rows - height
        assert keeper.is_near(field) == (height >= FAMICOM.visible_rows - 4)


CROWDED = Field.parse("""
    PB..BP
    BP..RY
    PG..YY
    BY.YGG
    YYGPGR
    RGRBBB
    RRPGGR
    YPRPGR
    BPPBPR
    RGBPRY
    PBRGBB
    RPBBGP
    RPBPPY
""")
"""A field of 71 puyos, from a game that was lost ten pairs later."""


def lives(field: Field, known: list[Pair], colors: int, rules: Rules, seed: int) -> bool:
    """The trials of ``guard.outlives`` by the player and the rules in Python: 16 pairs, 48 puyos are few with five
    colours and 60 with four, the worst of four pairs comes.
    """
    tidy, dealer = TwoPly(load_player(data_path("configs/players/article.yaml")), rules), UniformDealer(seed, colors)
    for first in (Pair(a, b) for b in range(1, colors + 1) for a in range(1, b + 1)):
        here, pairs = field, [*known, first]
        for number in range(15):
            if here.count() <= {4: 60, 5: 48}[colors]:
                break
            coming = [pairs[number + 1]] if number + 1 < len(pairs) else [next(dealer) for _ in range(4)]
            worst: Decision | None = None
            for one in coming:
                decision = tidy.choose(Snapshot(here, pairs[number], one, 0, rules.spawn, colors=colors))
                assert decision is not None
                if worst is None or decision.value < worst.value:
                    worst, pairs[number + 1 :] = decision, [one]
            assert worst is not None
            here = worst.outcome.field
            if worst.outcome.game_over:
                return False
    return True


@pytest.mark.parametrize(
    ("rules", "colors"), [(TSU, 5), (FAMICOM, 5), (TSU, 4)], ids=["tsu", "famicom", "four colours"]
)
def test_the_trials_go_as_the_rules_in_python_say(rules: Rules, colors: int) -> None:
    """With one known pair, the dealer's numbers come in the same order."""
    keeper, found = Keeper(rules), set()
    dealer = UniformDealer(11, colors)
    here, player = CROWDED, TwoPly(load_player(data_path("configs/players/article.yaml")), rules)
    for _ in range(6):
        pair, known = next(dealer), next(dealer)
        board = here.planes.copy()
        seed = zlib.crc32(bytes(known), zlib.crc32(here.planes.tobytes()))
        saved = keeper.saves(here, board, [known], range(1, colors + 1))
        assert saved == lives(here, [known], colors, rules, seed)
        found.add(saved)
        decision = player.choose(Snapshot(here, pair, known, 0, rules.spawn, colors=colors))
        assert decision is not None
        if decision.outcome.game_over:
            break
        here = decision.outcome.field
    assert False in found


def test_a_low_field_needs_no_trial_and_a_lost_one_is_not_saved() -> None:
    keeper = Keeper(FAMICOM)
    low = Field.parse("RGBYRG\n" * 8)
    assert low.count() == 48
    assert keeper.saves(low, low.planes, [], (1, 2, 3, 4))
    full = Field.parse("\n".join(["......", "RG.RGB", *(["RGBRGB", "GBRGBR"] * 6)]))
    assert not keeper.saves(full, full.planes, [Pair(5, 4)], (1, 2, 3, 4, 5))


def only(column: int) -> Callable[[Placement], bool]:
    """Hands that reach only this column."""
    return lambda placement: placement.x == column


def test_the_locks_that_hands_reach_as_bits() -> None:
    keeper, every = Keeper(FAMICOM), (1 << len(ORDER)) - 1
    snapshot = Snapshot(Field.empty(), Pair(1, 2), Pair(3, 4), 0, FAMICOM.spawn)
    assert keeper.reached(snapshot) == every
    for column in range(1, 7):
        reached = keeper.reached(replace(snapshot, hands=only(column)))
        assert {ORDER[bit][0] for bit in range(len(ORDER)) if reached >> bit & 1} == {column}
        for x, orientation in ORDER:
            assert keeper.allows(reached, Placement(x, 13, orientation)) == (x == column)
    assert keeper.reached(replace(snapshot, hands=lambda _: False)) == every
    assert keeper.reached(replace(snapshot, pair=Pair(BIG, BIG), hands=lambda lock: lock.x == 1)) == every


def test_a_field_in_danger_is_played_by_the_article_s_player_within_the_locks_given() -> None:
    keeper, tidy = Keeper(FAMICOM), TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM)
    field = Field.parse("RGB...\nRGBY..")
    snapshot = Snapshot(field, Pair(1, 2), Pair(3, 4), 0, FAMICOM.spawn)
    assert keeper.choose(snapshot) == tidy.choose(snapshot)
    # ``choose`` ignores the snapshot's ``hands``: its caller has applied them with ``reached``
    assert keeper.choose(replace(snapshot, hands=lambda lock: lock.x == 6)) == tidy.choose(snapshot)
    for bit in (0, 5, len(ORDER) - 1):
        decision = keeper.choose(snapshot, 1 << bit)
        assert decision is not None
        assert (decision.placement.x, decision.placement.orientation) == ORDER[bit]
