"""The pair generators against published vectors, digests of whole pools, and properties."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import ConfigError
from ochibot.puyo.pairs.generators import LETTERS, Generator, order_of, pairs_of, pool_of
from ochibot.puyo.pairs.modern import modern
from ochibot.puyo.pairs.puyo1 import puyo1
from ochibot.puyo.pairs.tsu import COLOR_SET, POWER_ON, SET_STACK, nuisance_order, step, tsu

STATES = st.integers(0, 0xFFFFFFFF)
SEEDS = st.integers(0, 0xFFFF)

# state; the first six of the colour set; the first eight pairs of each pool; first_d0; the state afterwards; digest
TSU = """
35879DE2 405316 5500045540004405 5500505554403050 5500505551034434 B30C0000 5E1D19AE f21ded4411af476792580c4d259720bb
00000000 130456 0013103303310310 0013400403134443 0013400410431414 32040000 857C8DB0 dff7bea3b486aa7d7704218151493813
00000001 531406 5133133553513511 5133434315541431 5133434315310330 D4880000 ABD84A4A a1fc6ae395f68d7982b86f571121328e
12345678 041536 4041444004410401 4041141155145405 4041141105144344 93240000 F02F4CA9 e9d766180d218d8b511af596a71940e8
"""

# state; the first ten pairs of player 1 and of player 2; the state afterwards; digest
PUYO1 = """
00000000 31344011043003043044 31344011110015413030 22595FDA 181e1a4e4fb8e876fc874859033c2d4a
00000001 10034301434030433040 10034301131004145501 409C5FC1 677276d2ab9ffb5155cb60581fef5d22
12345678 01031333413100341033 01031333310410500330 D6ABB878 117ffb0bfe4d537473b2309413045088
"""

MODERN = """
0     RR PR PY PY RB BB PB BP
1     GP RP PP RB BP GB RR RR
42    PP GG RY RR RY YG RG RR
65535 RY YY RP PG RR PG GR PR
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().split("\n")]


def digits(codes: bytes) -> str:
    return "".join(map(str, codes))


@pytest.mark.parametrize("row", rows(TSU), ids=lambda row: row[0])
def test_tsu_makes_the_published_pools(row: list[str]) -> None:
    made = tsu(int(row[0], 16))
    assert digits(bytes(made.color_set[:6])) == row[1]
    assert [digits(pool[:16]) for pool in (made.pool3, made.pool4, made.pool5)] == row[2:5]
    assert (made.first_d0, made.state) == (int(row[5], 16), int(row[6], 16))
    assert hashlib.sha256(made.pool3 + made.pool4 + made.pool5).hexdigest()[:32] == row[7]


def test_tsu_steps_as_published() -> None:
    state, seen = POWER_ON, []
    for _ in range(5):
        state = step(state, 4, SET_STACK)
        seen.append(f"{state:08X}")
    assert seen == ["066B57A9", "F3C64A4A", "8C7F9129", "3C61B3DB", "E8882CC3"]


@given(STATES)
def test_tsu_pools_hold_equal_shares_but_for_the_first_pairs(state: int) -> None:
    made = tsu(state)
    assert sorted(made.color_set) == sorted(COLOR_SET)
    for colors in (3, 4, 5):
        pool = made.pool(colors)
        assert set(pool) <= set(made.color_set[:colors])
        shares = Counter(made.color_set[i % colors] for i in range(256))
        # at most four puyos of the 4-colour pool were overwritten, and eight of the 5-colour pool
        assert (Counter(pool) - shares).total() <= (0, 4, 8)[colors - 3]
    assert made.pool3[:4] == made.pool4[:4] == made.pool5[:4]
    assert made.pool4[4:8] == made.pool5[4:8]


@pytest.mark.parametrize("row", rows(PUYO1), ids=lambda row: row[0])
def test_puyo1_makes_the_published_pools(row: list[str]) -> None:
    made = puyo1(int(row[0], 16))
    assert [digits(pool[:20]) for pool in (made.player1, made.player2)] == row[1:3]
    assert made.state == int(row[3], 16)
    assert hashlib.sha256(made.player1 + made.player2).hexdigest()[:32] == row[4]


@given(STATES, st.sampled_from([3, 4, 5]))
def test_puyo1_shuffles_equal_shares(state: int, colors: int) -> None:
    made = puyo1(state, colors)
    assert Counter(made.player1) == Counter((0, 1, 3, 4, 5)[i % colors] for i in range(256))
    assert made.player2[:8] == made.player1[:8]
    assert Counter(made.player2[8:]) == Counter((0, 1, 3, 4, 5)[i % 5] for i in range(248))


@pytest.mark.parametrize("row", rows(MODERN), ids=lambda row: row[0])
def test_modern_deals_the_published_pairs(row: list[str]) -> None:
    dealt = islice(pairs_of("modern", modern(int(row[0])).pool4), 8)
    assert ["".join(LETTERS[code] for code in pair) for pair in dealt] == row[1:]


@given(SEEDS)
def test_modern_pools_hold_equal_shares_but_for_the_first_pairs(seed: int) -> None:
    made = modern(seed)
    assert sorted(made.palette) == [0, 1, 3, 4, 5]
    for colors in (3, 4, 5):
        pool = made.pool(colors)
        assert set(pool) <= set(made.palette[:colors])
        assert (Counter(pool) - Counter(made.palette[i % colors] for i in range(256))).total() <= 4
    assert made.pool3[:4] == made.pool4[:4] == made.pool5[:4]


def test_tsu_deals_pairs_2_1_0_first_and_loops_in_natural_order() -> None:
    assert list(islice(order_of("tsu"), 260)) == [2, 1, 0, *range(3, 128), *range(128), 0, 1, 2, 3]


@pytest.mark.parametrize("generator", ["puyo1", "modern"])
def test_the_others_deal_in_natural_order(generator: Generator) -> None:
    assert list(islice(order_of(generator), 130)) == [*range(128), 0, 1]


@given(STATES, st.sampled_from([3, 4, 5]))
def test_both_players_of_tsu_read_one_pool_and_those_of_puyo1_do_not(state: int, colors: int) -> None:
    assert pool_of("tsu", state, colors, 1) == pool_of("tsu", state, colors, 2)
    first, second = (pool_of("puyo1", state, colors, player) for player in (1, 2))
    assert first[:8] == second[:8]
    assert first != second


@pytest.mark.parametrize(
    ("generator", "state", "colors", "player"),
    [
        ("tsu", 1 << 32, 4, 1),
        ("tsu", -1, 4, 1),
        ("tsu", 0, 2, 1),
        ("puyo1", 1 << 32, 4, 1),
        ("puyo1", 0, 6, 1),
        ("puyo1", 0, 4, 3),
        ("modern", 65536, 4, 1),
        ("modern", 0, 1, 1),
        ("uniform", 0, 4, 1),
    ],
)
def test_what_no_game_has_is_refused(generator: Generator, state: int, colors: int, player: int) -> None:
    with pytest.raises(ConfigError, match=r"choose|give"):
        pool_of(generator, state, colors, player)


def test_nuisance_columns_are_shuffled_from_the_last_on() -> None:
    assert nuisance_order([5, 4, 3, 2, 1, 0]) == (1, 2, 3, 4, 5, 6)
    # by hand: the first column in the list is exchanged with the sixth, then with the fifth, and so on
    assert nuisance_order([0, 0, 0, 0, 0, 0]) == (2, 3, 4, 5, 6, 1)
    for draws in ([0] * 5, [0, 0, 0, 0, 0, 6], [-1, 0, 0, 0, 0, 0]):
        with pytest.raises(ConfigError):
            nuisance_order(draws)
