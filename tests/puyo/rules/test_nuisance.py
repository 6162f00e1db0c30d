"""Tests of nuisance: sending, offsetting, falling in portions and landing, compared with counting one by one."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.puyo import Field, Rules
from ochibot.puyo.rules.nuisance import Tray, drop_nuisance
from ochibot.puyo.rules.profile import Margin, Nuisance

from tests.puyo import FAMICOM, TSU, reference
from tests.puyo.fields import random_cells


def with_nuisance(**changes: object) -> Rules:
    return dataclasses.replace(TSU, nuisance=dataclasses.replace(TSU.nuisance, **changes))  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 40), st.booleans()), max_size=12), st.booleans())
def test_sending_is_counting_points_one_by_one(turns: list[tuple[int, int, bool]], offset: bool) -> None:
    rules = with_nuisance(offset=offset)
    tray = Tray()
    waiting = purse = 0
    reward = False
    for score, received, emptied in turns:
        tray = tray.receive(received)
        waiting += received
        tray, sent = tray.after_chain(score, emptied, rules)
        made = 0
        if score > 0:
            for _ in range(score + (2100 if reward else 0)):
                purse += 1
                if purse == 70:
                    purse = 0
                    if offset and waiting:
                        waiting -= 1
                    else:
                        made += 1
            reward = emptied
        assert (tray.waiting, tray.points, sent) == (waiting, purse, made)


@given(st.integers(0, 200), st.integers(1, 40), st.sampled_from(["queue", "discard"]))
def test_falling_in_portions(waiting: int, most: int, excess: str) -> None:
    rules = with_nuisance(most_per_fall=most, excess=excess)
    tray, fell = Tray(waiting).fall(rules)
    assert fell == min(waiting, most)
    assert tray.waiting == (waiting - fell if excess == "queue" else 0)


def test_the_famicom_s_profile_is_that_of_its_two_player_mode() -> None:
    # 70 points make one puyo, at most 30 fall at once, the rest is lost, no offset (first-generation rules)
    assert FAMICOM.nuisance == Nuisance(70, 30, "discard", False, 0)
    assert Tray(waiting=5).after_chain(150, True, FAMICOM) == (Tray(5, 10, True), 2)
    assert Tray(waiting=40).fall(FAMICOM) == (Tray(), 30)


def test_a_game_whose_rules_have_no_points_for_it_sends_none() -> None:
    assert Tray().after_chain(100_000, True, with_nuisance(points_each=0)) == (Tray(), 0)


@given(st.integers(0, 10_000), st.integers(0, 40), st.permutations(range(1, 7)), st.sampled_from([FAMICOM, TSU]))
def test_nuisance_lands_like_dropped_one_by_one(seed: int, count: int, order: list[int], rules: Rules) -> None:
    law = reference.Law(first=14 - rules.visible_rows, top=rules.kept_top)
    grid = reference.drop(random_cells(40, seed)[seed % 40].tolist(), law)
    after = drop_nuisance(Field.from_cells(grid), count, order, rules)
    turn = left = 0
    while left < count and any(grid[rules.kept_top][x] == 0 for x in range(6)):
        x = order[turn % 6] - 1
        empty = [y for y in range(rules.kept_top, 14) if grid[y][x] == 0]
        turn += 1
        # Tsu skips a full column; the Famicom's game drops a puyo on it, which is lost
        left += bool(empty) or rules is FAMICOM
        if empty:
            grid[max(empty)][x] = 7
    assert after.cells.tolist() == grid


def test_every_column_once() -> None:
    with pytest.raises(FieldError, match="every column"):
        drop_nuisance(Field.empty(), 3, [1, 2, 3, 4, 5, 5], TSU)


def test_margin_time_makes_nuisance_cheaper_by_the_published_table() -> None:
    """The expected points follow Puyo Nexus's pseudocode ("Margin time"): changes after 96 seconds, then every 16."""
    table, before, now = [70], 0, 70
    for number in range(14):
        if now <= 1:
            break
        before, now = now, int(70 * 0.75) if number == 0 else before // 2
        table.append(now)
    assert table == [70, 52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1]
    for change, points in enumerate(table[1:]):
        frame = 60 * (96 + 16 * change)
        assert TSU.nuisance.points_at(frame - 1) == table[change]
        assert TSU.nuisance.points_at(frame) == points
        assert Tray().after_chain(1000, False, TSU, frame)[1] == 1000 // points
    assert TSU.nuisance.points_at(10**9) == 1
    assert FAMICOM.nuisance.points_at(10**9) == 70
    assert Margin(10, 10, 1).points_at(10**6, 120) == 90


def test_a_game_counts_no_more_than_it_can() -> None:
    """Points beyond the most nuisance that a game can count are lost, not kept for the next chain."""
    assert Tray(3).after_chain(10**7, False, TSU, most=65_535) == (Tray(0, 69), 65_532)
    assert Tray(3).after_chain(10**7, False, TSU) == (Tray(0, 10**7 % 70), 10**7 // 70 - 3)
