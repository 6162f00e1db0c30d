"""Tests of searches against a naive one that makes every pool, and of the short cuts against searches without them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import ConfigError
from ochibot.puyo.pairs import checkpoint, marks, search, sieve, tsu
from ochibot.puyo.pairs.engine import PAIRS_KERNELS
from ochibot.puyo.pairs.generators import Generator, colors_dealt
from ochibot.puyo.pairs.observation import Observation, observed
from ochibot.puyo.pairs.plan import plan, seen_of
from ochibot.puyo.pairs.puyo1 import step
from ochibot.puyo.pairs.search import FoundStates, StateSearch, find

from tests.puyo.pairs.seen import naive, seen, signs_of

TOP = 0xFFFFFFFF


class StoppedError(Exception):
    """Raised by a test to interrupt a search."""


def candidates(found: FoundStates) -> list[list[int]]:
    return [found.candidates(k).tolist() for k in range(len(found.counts))]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["tsu", "puyo1", "modern"]),
    st.sampled_from([3, 4, 5]),
    st.sampled_from([1, 2]),
    st.integers(0, TOP),
    st.integers(0, 3000),
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, TOP), st.floats(0, 1)), min_size=1, max_size=5),
)
def test_a_range_is_searched_as_by_making_every_pool(
    generator: Generator, colors: int, player: int, first: int, length: int, games: list[tuple[int, int, float]]
) -> None:
    """Of each game, some pairs are seen, in letters of the game's own and without some puyos. The first game's state
    may be outside the range.
    """
    most = 0xFFFF if generator == "modern" else TOP
    first = min(first, most)
    last = min(first + length, most)
    observations = []
    for number, (pairs, where, share) in enumerate(games):
        state = first + where % (last - first + 1) if number else where & most
        names = "".join(random.Random(where).sample("ABCDE", 5))
        chance = random.Random(pairs * 1000 + number)
        pairs_seen = signs_of(generator, state, pairs, colors, player, names)
        signs = ["".join(sign if chance.random() < share else "*" for sign in pair) for pair in pairs_seen]
        observations.append(observed(signs, colors_dealt(generator, colors, player)))
    found = find(StateSearch(generator, tuple(observations), colors, player, first, last), threads=1)
    wanted = [naive(generator, one.signs, colors, player, first, last) for one in observations]
    assert candidates(found) == wanted
    assert found.counts == [len(states) for states in wanted]


@pytest.mark.parametrize(("generator", "player"), [("tsu", 1), ("puyo1", 1), ("puyo1", 2)])
def test_twenty_games_are_found_in_one_pass_over_a_million_states(generator: Generator, player: int) -> None:
    first = 0x35800000
    states = sorted(random.Random(15).sample(range(first, first + (1 << 20)), 20))
    games = tuple(seen(generator, state, 16, 4, player) for state in states)
    found = find(StateSearch(generator, games, 4, player, first, first + 0xFFFFF), threads=2)
    for state, game, fitting in zip(states, games, candidates(found), strict=True):
        assert state in fitting
        assert len(fitting) < 4
        assert all(naive(generator, game.signs, 4, player, other, other) for other in fitting)


@pytest.mark.long
def test_a_million_states_are_searched_as_by_making_every_pool() -> None:
    """All puyos of four pairs but one were seen. More than a thousand states fit."""
    first = 0x35800000
    observation = observed(["AB", "A?", "CA", "CB"], 4)
    found = find(StateSearch("tsu", (observation,), 4, 1, first, first + 0xFFFFF), threads=2)
    wanted = []
    for begin in range(first, first + (1 << 20), 1 << 16):
        wanted += naive("tsu", observation.signs, 4, 1, begin, begin + 0xFFFF)
    assert candidates(found) == [wanted]
    assert len(wanted) > 1000


@given(st.integers(0, TOP))
def test_puyo1_multiplies_by_a_constant(state: int) -> None:
    """It follows that the low bits of a state depend only on the low bits of the state before it."""
    assert step(state) == ((state or 0x2A6D365A) * 41 * 0x10001) & TOP


@pytest.mark.long
def test_puyo1_states_with_the_same_lower_bits_deal_alike_but_for_the_state_0() -> None:
    """A range is searched with the short cut that uses this, and compared with searches of its two halves, which are
    too small for the short cut.
    """
    observations = (
        seen("puyo1", 0, 3),
        seen("puyo1", 1 << 24, 3),
        seen("puyo1", 0x1234567, 2),
        observed(["AB", "?A"], 4),
        observed(["??"], 4),
    )
    whole = StateSearch("puyo1", observations, 4, 1, 0, (1 << 25) - 1)
    halves = [StateSearch("puyo1", observations, 4, 1, begin, begin + (1 << 24) - 1) for begin in (0, 1 << 24)]
    assert (whole.alike, [half.alike for half in halves]) == (True, [False, False])
    found, parts = find(whole, 2), [find(half, 2) for half in halves]
    assert found.counts == [sum(counts) for counts in zip(*(part.counts for part in parts), strict=True)]
    for k, kept in enumerate(candidates(found)):
        assert kept == [state for part in parts for state in part.candidates(k).tolist()][: search.LISTED]
    assert 0 in candidates(found)[0]
    assert 1 << 24 not in candidates(found)[0]
    assert 1 << 24 in candidates(found)[1]
    assert 0 not in candidates(found)[1]


def test_player_2_of_puyo1_is_searched_by_all_bits() -> None:
    four, five = (StateSearch("puyo1", (seen("puyo1", 5, pairs, 4, 2),), 4, 2, 0, TOP) for pairs in (4, 5))
    assert (four.alike, five.alike) == (True, False)


def sum_of(state: int) -> int:
    """The value that a state of Tsu becomes after the draws for the colour set, plus the constant of a step."""
    for _ in range(sieve.SET_DRAWS):
        state = tsu.step(state, 4, tsu.SET_STACK)
    return (state + marks.ADDED) % (1 << 32)


def only_windows(monkeypatch: pytest.MonkeyPatch, *states: int) -> set[int]:
    """Lets a search examine only the windows in which these states' values are. Returns where the windows begin."""
    chosen = {sum_of(state) // marks.WINDOW * marks.WINDOW for state in states}
    whole = marks.windows_of

    def windows(part: int) -> list[int]:
        return [first for first in whole(part) if first in chosen]

    monkeypatch.setattr(marks, "windows_of", windows)
    return chosen


def test_tsu_states_that_meet_are_found_with_all_that_become_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the values of three windows are examined. Among the states that become these, the search finds the same as
    without the short cut.
    """
    chosen = only_windows(monkeypatch, 12_345, 1_000_000, 70_000)
    games = (seen("tsu", 12_345, 5, 5), seen("tsu", 1_000_000, 6, 5), observed(["AB", "AB", "AB", "CD", "CD"], 5))
    whole = StateSearch("tsu", games, 5, 1, 0, TOP)
    assert whole.meets
    found = find(whole, threads=2)
    part = StateSearch("tsu", games, 5, 1, 0, (1 << 20) - 1)
    assert not part.meets
    several = 0
    for states, near, game in zip(candidates(found), candidates(find(part, 2)), games, strict=True):
        wanted = [state for state in near if sum_of(state) // marks.WINDOW * marks.WINDOW in chosen]
        several += len(wanted)
        assert [state for state in states if state < 1 << 20] == wanted
        assert states == sorted(set(states))
        others = [state for state in states if state >= 1 << 20]
        assert others
        assert all(naive("tsu", game.signs, 5, 1, other, other) for other in others)
    assert several >= 2
    assert found.counts == [len(states) for states in candidates(found)]


@pytest.mark.parametrize("first", [0, 37 * marks.WINDOW, 256 * marks.WINDOW, (1 << 32) - marks.WINDOW])
def test_exactly_the_values_that_come_from_a_state_are_marked(first: int) -> None:
    marked = np.empty(marks.WINDOW // 64, np.uint64)
    values, found = np.empty(marks.WINDOW, np.uint32), np.empty(1, np.int64)
    PAIRS_KERNELS.load("tsu_marks")(first, marked)
    PAIRS_KERNELS.load("tsu_marked")(marked, first, values, found)
    seen = set(values[: found[0]].tolist())
    assert len(seen) == found[0]
    dice = np.random.default_rng(first)
    edges = [*range(100), *range(marks.WINDOW - 100, marks.WINDOW)]
    tried = first + np.concatenate([edges, dice.integers(0, marks.WINDOW, 2000)]) - marks.ADDED
    some = np.unique((tried % (1 << 32)).astype(np.uint32))
    _, numbers = marks.states_of(some)
    reached = set(some[numbers].tolist())
    assert 100 < len(reached) < len(some)
    assert {value for value in some.tolist() if value in seen} == reached


def test_all_states_before_a_draw_are_found() -> None:
    """``before`` reports only states that lead to the value, none twice, and misses none of 500 known ones."""
    values = np.arange(0xFFFFFF00, 0x100000100, dtype=np.uint64).astype(np.uint32)
    states, numbers = marks.before(values)
    assert [tsu.step(int(state), 4, tsu.SET_STACK) for state in states] == values[numbers].tolist()
    assert len({*zip(states.tolist(), numbers.tolist(), strict=True)}) == len(states)
    chosen = np.random.default_rng(1).integers(0, 1 << 32, 500, dtype=np.uint32)
    after = np.array([tsu.step(int(state), 4, tsu.SET_STACK) for state in chosen], np.uint32)
    back, numbers = marks.before(after)
    assert {*zip(range(500), chosen.tolist(), strict=True)} <= {*zip(numbers.tolist(), back.tolist(), strict=True)}


def test_only_games_that_few_states_deal_are_looked_for_where_states_meet() -> None:
    def meets(*games: Observation, last: int = TOP, generator: Generator = "tsu") -> bool:
        return StateSearch(generator, games, 4, 1, 0, last).meets

    assert meets(seen("tsu", 1, 5))
    assert not meets(seen("tsu", 1, 5), seen("tsu", 1, 4))
    assert not meets(observed(["A?"] * 8, 4))
    assert not meets(seen("tsu", 1, 9), last=TOP - 1)
    assert not meets(seen("tsu", 1, 9), generator="puyo1")


@pytest.mark.long
def test_a_stopped_search_where_states_meet_goes_on_at_its_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_windows(monkeypatch, 150_000, 1)
    monkeypatch.setattr(checkpoint, "_EVERY", 0.0)
    kept = tmp_path / "kept.npz"
    wanted = StateSearch("tsu", (seen("tsu", 150_000, 5),), 4, 1, 0, TOP)
    whole = find(wanted, 2)

    def stop(found: FoundStates) -> None:
        if found.done > 1 << 31:
            raise StoppedError

    with pytest.raises(StoppedError):
        find(wanted, 2, kept, stop)
    again: list[int] = []
    found = find(wanted, 2, kept, lambda found: again.append(found.done))
    assert again[0] == 1 << 31
    assert candidates(found) == candidates(whole)
    assert 150_000 in candidates(found)[0]


def test_what_fits_too_often_is_counted_and_the_lowest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "LISTED", 100)
    monkeypatch.setattr(search, "_KEPT", 101)
    monkeypatch.setattr(search, "_BLOCK", 1000)
    found = find(StateSearch("tsu", (observed(["AA"], 4),), 4, 1, 10, 5009), threads=2)
    wanted = naive("tsu", "AA", 4, 1, 10, 5009)
    assert found.counts == [len(wanted)]
    assert candidates(found) == [wanted[:100]]


def test_only_a_plan_that_leaves_nothing_open_answers_without_the_pools() -> None:
    for pairs in ("AB", "AB CA", "AB CA DA AB CD DA BB AC"):
        observation = observed(pairs.split(), 4)
        made = plan("tsu", 4, 1, seen_of("tsu", [observation]))
        assert made.decided == (len(made.cells) == len(observation.signs))


def test_a_stopped_search_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_BLOCK", 1 << 14)
    monkeypatch.setattr(checkpoint, "_EVERY", 0.0)
    kept = tmp_path / "kept.npz"
    wanted = StateSearch("tsu", (observed(["AB", "CA"], 4), seen("tsu", 150_000, 9)), 4, 1, 0, (1 << 18) - 1)
    whole = find(wanted, 2)
    looked: list[int] = []

    def stop_at_half(found: FoundStates) -> None:
        looked.append(found.done)
        if found.done > 1 << 17:
            raise StoppedError

    with pytest.raises(StoppedError):
        find(wanted, 2, kept, stop_at_half)
    assert kept.exists()
    again: list[int] = []
    found = find(wanted, 2, kept, lambda found: again.append(found.done))
    # the block at which the search was stopped is searched again, the earlier blocks aren't
    assert again[:2] == looked[-2:]
    assert len(looked) == 1 + 9
    assert len(again) == 1 + 8
    assert candidates(found) == candidates(whole)
    assert found.counts == whole.counts
    assert not kept.exists()


def test_the_checkpoint_of_another_search_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_BLOCK", 1 << 12)
    monkeypatch.setattr(checkpoint, "_EVERY", 0.0)
    kept = tmp_path / "kept.npz"

    def stop(found: FoundStates) -> None:
        if found.done > 1 << 13:
            raise StoppedError

    begun = StateSearch("tsu", (seen("tsu", 1, 9),), 4, 1, 0, 0xFFFF)
    with pytest.raises(StoppedError):
        find(begun, 1, kept, stop)
    before = kept.read_bytes()
    for other in (
        StateSearch("tsu", (seen("tsu", 2, 9),), 4, 1, 0, 0xFFFF),
        StateSearch("tsu", (seen("tsu", 1, 9),), 5, 1, 0, 0xFFFF),
        StateSearch("tsu", (seen("tsu", 1, 9),), 4, 1, 0, 0xFFFE),
        StateSearch("puyo1", (seen("tsu", 1, 9),), 4, 1, 0, 0xFFFF),
    ):
        with pytest.raises(ConfigError, match="another search"):
            find(other, 1, kept)
    assert kept.read_bytes() == before
    for content in (b"", b"no checkpoint", before[: len(before) // 2]):
        kept.write_bytes(content)
        with pytest.raises(ConfigError, match="not the checkpoint"):
            find(begun, 1, kept)


@pytest.mark.parametrize(
    ("generator", "first", "last", "games"),
    [
        ("tsu", 5, 4, 1),
        ("tsu", -1, 4, 1),
        ("tsu", 0, 1 << 32, 1),
        ("modern", 0, 65536, 1),
        ("tsu", 0, 9, 65),
        ("tsu", 0, 9, 0),
    ],
)
def test_searches_that_there_are_not(generator: Generator, first: int, last: int, games: int) -> None:
    with pytest.raises(ConfigError, match="give"):
        StateSearch(generator, (observed(["AB"], 4),) * games, 4, 1, first, last)
