"""Compares the two-ply player with a naive search, and its metrics with hand-made ones. Bad input is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError, FieldError
from ochibot.falling.deciding import tie_order
from ochibot.falling.orientation import Orientation
from ochibot.nyaa import Grid, Rules
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import SPAWN, NyaaState, Pair
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search import (
    GREEDY,
    METRICS,
    NyaaPlayer,
    NyaaPlayerConfig,
    NyaaWeights,
    RandomPlayer,
    load_nyaa_player,
    lock_positions,
    metrics,
)
from ochibot.nyaa.search.engine import LIBRARY
from ochibot.nyaa.search.locks import lock_order

from tests.nyaa.fields import drawing, random_grid
from tests.nyaa.profiles import MVS, edited
from tests.nyaa.search import reference
from tests.nyaa.search.reference import ARCADE, House


@pytest.fixture(scope="module")
def shipped() -> NyaaPlayerConfig:
    return load_nyaa_player(data_path("configs/players/nyaa.yaml"))


def every_metric(seed: int) -> NyaaPlayerConfig:
    """A player file's content in which every metric has a random weight."""
    worth = np.random.default_rng(seed).normal(size=len(METRICS)).round(3).tolist()
    return NyaaPlayerConfig(
        name="any", weights=NyaaWeights(**dict(zip(METRICS, worth, strict=True))), provenance="random"
    )


def sample(seed: int, highest: int, *, single: bool) -> Snapshot:
    """A random snapshot with an opponent; some have pending nuisance or a moved pair.

    highest: the most rows of a column. single: whether each of the first two pairs has one colour.
    """
    dice = np.random.default_rng(seed)
    pairs = [Pair(*dice.integers(1, 5, 2).tolist()) for _ in range(3)]
    if single:
        pairs[:2] = Pair(pairs[0].axis, pairs[0].axis), Pair(pairs[1].partner, pairs[1].partner)
    opponent = Opponent(random_grid(dice, 10), None, int(dice.integers(0, 30)))
    state = SPAWN if seed % 3 else NyaaState(2, 1, Orientation.RIGHT, needle=True)
    waits = int(dice.integers(0, 30)) * int(dice.integers(2))
    return Snapshot(random_grid(dice, highest), pairs[0], (pairs[1], pairs[2]), state, waits, opponent)


def expected(
    seen: Snapshot, config: NyaaPlayerConfig, plies: int, seed: int | None, house: House = ARCADE
) -> tuple[int, float, int]:
    assert seen.opponent is not None
    return reference.search(
        drawing(seen.grid),
        (str(seen.pair), str(seen.nexts[0]), str(seen.nexts[1])),
        (seen.state.x, seen.state.y, int(seen.state.orientation)),
        seen.pending,
        drawing(seen.opponent.grid),
        seen.opponent.pending,
        list(config.weights.factors),
        plies,
        tie_order(52, seed).tolist(),
        house,
    )


def found(seen: Snapshot, config: NyaaPlayerConfig, plies: int, seed: int, rules: Rules) -> tuple[int, float, int]:
    """The player's decision in the reference's form: (lock, value, leaves). Also checks its outcome and path."""
    decision = NyaaPlayer(config, rules, plies, seed).choose(seen)
    assert decision is not None
    placement = decision.placement
    assert decision.outcome == place(seen.grid, seen.pair, placement, rules)
    assert placement in lock_positions(seen.grid, Pair(1, 2), seen.state)  # this compares the path, too
    number = lock_order().index((placement.x, placement.orientation, placement.needle))
    return number, decision.value, decision.leaves


@pytest.mark.parametrize(("seed", "highest"), [(1, 2), (2, 11), (3, 12)])
def test_two_plies_are_those_of_trying_everything(seed: int, highest: int) -> None:
    config, seen = every_metric(seed), sample(seed, highest, single=True)
    assert found(seen, config, 2, seed, MVS) == expected(seen, config, 2, seed)  # values equal to the last bit


def walled(dice: np.random.Generator) -> Grid:
    """A nearly full grid with few reachable places: columns 3 and 5 are walls of 11 or 12 rows, column 4 is lower."""
    tops = dice.integers(9, 13, 7)
    tops[[2, 4]] = dice.integers(11, 13, 2)
    tops[3] = dice.integers(7, 11)
    stacks = ["".join(dice.choice(list("rgbyo"), int(top))).ljust(12, ".") for top in tops]
    return Grid.parse("\n".join("".join(row) for row in list(zip(*stacks, strict=True))[::-1]))


@pytest.mark.long
def test_two_plies_between_walls_are_those_of_trying_everything() -> None:
    """Few places can be reached on these boards. So trying everything is quick, and the test would notice a lock that
    can't be reached, by the current pair or by the next one."""
    boards = with_replies = 0
    for seed in range(200):
        dice = np.random.default_rng(seed)
        grid = walled(dice)
        if len({(x, o) for x, _, o in reference.locks(drawing(grid), reference.SPAWN)}) > 8:
            continue
        pairs = [Pair(*dice.integers(1, 5, 2).tolist()) for _ in range(3)]
        waits = int(dice.integers(0, 9)) * int(dice.integers(2))
        there = Opponent(random_grid(dice, 5), None, int(dice.integers(0, 30)))
        seen = Snapshot(grid, pairs[0], (pairs[1], pairs[2]), SPAWN, waits, there)
        config = every_metric(seed)
        wanted = expected(seen, config, 2, seed)
        assert found(seen, config, 2, seed, MVS) == wanted, grid
        boards += 1
        with_replies += wanted[2] > 16  # the current pair has at most 16 locks, so some leaves are of the next pair
        if boards == 24:
            break
    assert boards == 24
    assert with_replies > 12


def test_one_ply_is_the_best_single_lock() -> None:
    ignited = 0
    for seed in range(20, 28):
        config, seen = (GREEDY if seed % 2 else every_metric(seed)), sample(seed, 4 + seed % 9, single=seed % 3 == 0)
        lock, value, leaves = expected(seen, config, 1, seed)
        player = NyaaPlayer(config, MVS, 1, seed)
        decision = player.choose(seen)
        assert decision is not None
        placement = decision.placement
        assert (placement.x, placement.orientation, placement.needle) == lock_order()[lock]
        assert (decision.value, decision.leaves) == (value, leaves)
        assert player.value(seen) == value
        ignited += decision.outcome.ignited
    assert ignited >= 3


EDITED: list[tuple[dict[str, Any], House]] = [
    ({"nuisance_each": 3}, House(each=3)),
    ({"offset": False}, House(offset=False)),
    ({"most_pending": 10}, House(most_pending=10)),
    ({"most_per_fall": 3}, House(most_per_fall=3)),
    ({"idle_needle": "vanish"}, House(vanish=True)),
    ({"nuisance_pops": False}, House(nuisance_pops=False)),
    ({"spawn_column": 6, "over_cell": [6, 12]}, House(middle=6)),
    ({"spawn_column": 1, "over_cell": [1, 11]}, House(middle=1, over=11)),
]
"""Entries of a rules file, and what they mean to the reference."""


@pytest.mark.long
@pytest.mark.parametrize(("entries", "house"), EDITED)
def test_an_edited_rules_file_changes_what_is_chosen(tmp_path: Path, entries: dict[str, Any], house: House) -> None:
    rules = edited(tmp_path, **entries)
    others = 0
    for seed in range(30, 70):
        config, seen = every_metric(seed), sample(seed, 4 + seed % 6, single=False)
        chosen = found(seen, config, 1, seed, rules)
        if seed % 5 == 0:
            assert chosen == expected(seen, config, 1, seed, house)
        others += chosen[0] != found(seen, config, 1, seed, MVS)[0]
    assert others > 0


def test_two_plies_by_edited_rules_are_those_of_trying_everything(tmp_path: Path) -> None:
    rules = edited(
        tmp_path,
        nuisance_each=2,
        offset=False,
        most_pending=60,
        most_per_fall=5,
        nuisance_pops=False,
        spawn_column=3,
        over_cell=[3, 10],
    )
    house = House(2, False, 60, 5, False, False, 3, 10)
    config, seen = every_metric(5), sample(5, 8, single=True)
    assert found(seen, config, 2, 5, rules) == expected(seen, config, 2, 5, house)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"ruleset": "ps2"}, "give ruleset: mvs"),
        ({"hidden_rows": 2}, "give hidden_rows: 1"),
        ({"idle_needle": "stay"}, "give idle_needle: block or vanish"),
        ({"spawn_column": 3}, "give spawn_column and over_cell the same column"),
    ],
)
def test_rules_that_the_search_cannot_play_by_are_refused(tmp_path: Path, entries: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words) as refused:
        NyaaPlayer(GREEDY, edited(tmp_path, **entries))
    assert "the rules mine" in str(refused.value)


def test_kernels_depend_on_no_rules_file_and_not_on_its_reader() -> None:
    names = {path.name for path in LIBRARY.sources()}
    assert {"kernels.py", "question.py", "profile.py"} <= names
    assert not names & {"file.py", "yamlfile.py", "player.py", "twoply.py"}


def test_every_metric_has_a_place_of_its_name() -> None:
    assert [getattr(metrics, name.upper()) for name in METRICS] == list(range(len(METRICS)))


def test_metrics_of_a_drawn_grid() -> None:
    """A red needle on the second or third red block gives tails of 2 and 3. The attack is
    (100 * 5 + 4 * 2 * 5) // 100 = 5.
    """
    own = Grid.parse("....o..\nrrrroo.\ngoobogo")
    there = Grid.parse("...y...\n...y...\n...y...")
    seen = Snapshot(own, Pair.parse("rb"), (Pair.parse("rg"),) * 2, SPAWN, 10, Opponent(there, None, 18))
    measured = NyaaPlayer(GREEDY, MVS).measure(seen).metrics
    assert tuple(measured) == METRICS
    room, theirs = 7 * 10, 7 * 9  # 7 columns times the free rows of the fourth column
    wanted = {
        "attack": 0,
        "best": 5,
        "second": 0,
        "ready": 5,
        "tails": 2,
        "mass": 16 + 1 + 1 + 1,
        "growth": 4 * 4,
        "buried": 3,
        "nuisance": 7,
        "pending": 10,
        "danger": 100 * 10 * 10 // room**2,
        "pressure": 100 * 18 * 18 // theirs**2,
    }
    assert {name: measured[name] for name in wanted} == wanted


def test_the_shipped_player_fires_when_that_ends_the_game(shipped: NyaaPlayerConfig) -> None:
    """The other side's middle column has two free rows, so 14 nuisance blocks end the game. A needle on the yellows
    sends at least 14.
    """
    comb = "y.y.y.y\nyyyyyyy\nrgbrgbr"
    there = Opponent(Grid.parse("...o...\n" * 10), None, 0)
    pairs = (Pair.parse("gb"), Pair.parse("gr"))
    seen = Snapshot(Grid.parse(comb), Pair.parse("yb"), pairs, opponent=there)
    decision = NyaaPlayer(shipped, MVS).choose(seen)
    assert decision is not None
    assert decision.outcome.attack >= 14


def test_losing_is_worse_than_anything(shipped: NyaaPlayerConfig) -> None:
    """The fourth column is eleven rows high, so a half that comes to rest on it ends the game."""
    grid = Grid.parse("...o...\n" * 11)
    seen = Snapshot(grid, Pair.parse("rg"), (Pair.parse("by"),) * 2)
    for plies in (1, 2):
        decision = NyaaPlayer(shipped, MVS, plies).choose(seen)
        assert decision is not None
        assert not decision.outcome.over
    # the pending nuisance ends the game after any lock
    doomed = NyaaPlayer(shipped, MVS).choose(Snapshot(grid, Pair.parse("rg"), seen.nexts, pending=21))
    assert doomed is not None
    assert doomed.value == -2e9


def test_the_other_side_may_be_seen_in_the_middle_of_anything(shipped: NyaaPlayerConfig) -> None:
    pairs = Pair.parse("rg"), (Pair.parse("by"), Pair.parse("rr"))
    player = NyaaPlayer(shipped, MVS)
    floating = Snapshot(Grid.empty(), *pairs, opponent=Opponent(Grid.parse("Y.r....\n.......\n..r.o..")))
    lying = Snapshot(Grid.empty(), *pairs, opponent=Opponent(Grid.parse("..r....\ny.r.o..")))
    assert player.choose(floating) == player.choose(lying)
    assert player.choose(Snapshot(Grid.empty(), *pairs)) == player.choose(
        Snapshot(Grid.empty(), *pairs, opponent=Opponent(Grid.empty()))
    )


def test_equal_snapshots_get_equal_decisions_whatever_came_before(shipped: NyaaPlayerConfig) -> None:
    """A player keeps the values of ignitions from earlier decisions; they mustn't change what it chooses."""
    used = NyaaPlayer(shipped, MVS, seed=4)
    for seed in range(40, 52):
        seen = sample(seed, 9, single=False)
        assert used.choose(seen) == NyaaPlayer(shipped, MVS, seed=4).choose(seen)


def test_what_a_player_cannot_take(shipped: NyaaPlayerConfig) -> None:
    pairs = Pair.parse("rg"), (Pair.parse("rg"),) * 2
    player = NyaaPlayer(shipped, MVS)
    for text in ("R......", "r......\n......."):
        with pytest.raises(FieldError, match="at rest"):
            player.choose(Snapshot(Grid.parse(text), *pairs))
    with pytest.raises(FieldError, match="code 5"):
        player.choose(Snapshot(Grid.empty(), Pair(5, 1), pairs[1]))
    with pytest.raises(ConfigError, match="plies"):
        NyaaPlayer(shipped, MVS, 3)
    assert NyaaPlayer(shipped, MVS).choose(Snapshot(Grid.parse("...o...\n" * 12), *pairs)) is None
    for state in (NyaaState(0, 3, Orientation.UP), NyaaState(3, 13, Orientation.UP), NyaaState(1, 3, Orientation.LEFT)):
        assert player.choose(Snapshot(Grid.empty(), *pairs, state)) is None


def test_the_random_player_uses_every_lock() -> None:
    player = RandomPlayer(1, MVS)
    seen = Snapshot(Grid.empty(), Pair.parse("rg"), (Pair.parse("rg"),) * 2)
    chosen = set()
    for _ in range(600):
        decision = player.choose(seen)
        assert decision is not None
        chosen.add((decision.placement.x, decision.placement.orientation, decision.placement.needle))
    assert chosen == set(lock_order())
    assert RandomPlayer(1, MVS).choose(Snapshot(Grid.parse("...o...\n" * 12), seen.pair, seen.nexts)) is None
