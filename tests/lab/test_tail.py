"""``ochibot tail``: its kernel against plain Python, its estimates against direct play, its intervals, its files."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.lab.selfplay import SelfPlay
from ochibot.lab.sharded.folder import SHARDS, SUMMARY
from ochibot.lab.tail import Splitting, TailTask, estimate, play_replica, tail_summary
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.sim.dealer import UniformDealer
from ochibot.puyo.sim.engine import EXCURSION_KERNELS, EXCURSION_WORDS

from tests.commands import ochibot

RULES = load_rules("famicom")
PLAYER = load_player(data_path("configs/players/article.yaml"))
FULL = Field.parse("\n".join(["RGRGRG", "BYBYBY"] * 6))
LOW = Field.parse("""
    R..B..
    RGYBPG
    GYPRGY
""")


def excursions(
    field: Field, following: Pair, seed: int, runs: int, floor: int, ceiling: int, limit: int = 0, rows: int = 100
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int, int]:
    """Runs the kernel. Returns how often each number of puyos was seen; how often a game ended with that number;
    the entrances (positions in which ``ceiling`` was reached) that it kept; how many it found; how many locks
    it played.
    """
    start = np.zeros((1, EXCURSION_WORDS), np.uint64)
    start[0, :6] = field.planes
    start[0, 6] = (following.axis - 1) | (following.partner - 1) << 3
    counts, overs = np.zeros(85, np.int64), np.zeros(85, np.int64)
    entrances = np.zeros((rows, EXCURSION_WORDS), np.uint64)
    how = np.array([floor, ceiling, 5, limit, 0, 0, 0], np.int64)
    EXCURSION_KERNELS.kernel("excursions", RULES)(
        start,
        np.zeros(runs, np.int64),
        entrances,
        np.zeros(EXCURSION_WORDS, np.uint64),
        np.array([seed, seed + 1], np.uint64),
        how,
        counts,
        overs,
        np.array(PLAYER.factors, np.float64),
        zeros(WORK_WORDS),
    )
    return counts, overs, entrances, int(how[5]), int(how[6])


@pytest.mark.parametrize(
    ("field", "floor", "runs"),
    [(LOW, 10, 2), *(pytest.param(*one, 12, marks=pytest.mark.long) for one in ((FULL, 62), (LOW, 10)))],
)
def test_excursions_are_what_the_player_does_in_plain_python(field: Field, floor: int, runs: int) -> None:
    ceiling, following = floor + 5, Pair.parse("RG")
    counts, overs, entrances, found, played = excursions(field, following, 5, runs, floor, ceiling)
    dealer, player = UniformDealer(5, 5), TwoPly(PLAYER, RULES)
    seen, ends, entered, locks = np.zeros(85, int), np.zeros(85, int), [], 0
    for _ in range(runs):
        board, current, before = field, following, 0
        while (puyos := int((board.cells > 0).sum())) >= floor:
            seen[puyos] += 1
            if before < ceiling <= puyos:
                entered.append((board, current))
            before = puyos
            if board.cells[RULES.spawn.y, RULES.spawn.x - 1]:
                ends[puyos] += 1
                break
            behind = next(dealer)
            decision = player.choose(Snapshot(board, current, behind, 0, RULES.spawn))
            assert decision is not None
            board, current = place(board, current, decision.placement, RULES).field, behind
            locks += 1
    assert counts.tolist() == seen.tolist()
    assert overs.tolist() == ends.tolist()
    assert ends.any() == (field == FULL)
    assert (found, played) == (len(entered), locks)
    for row, (board, current) in zip(entrances, entered, strict=False):
        assert Field.from_planes(row[:6]) == board
        assert (row[6] & np.uint64(7), row[6] >> np.uint64(3)) == (current.axis - 1, current.partner - 1)


def test_a_start_that_is_over_ends_at_once_and_counts() -> None:
    over = Field.parse("\n".join(["..B...", *["..R...", "..G..."] * 6]))
    counts, overs, _, found, played = excursions(over, Pair.parse("RG"), 1, 7, 5, 13)
    assert (int(counts.sum()), int(overs[13]), found, played) == (7, 7, 7, 0)


def test_more_entrances_than_rows_are_chosen_evenly() -> None:
    """All 40 runs start at the ceiling, so each start is an entrance. Starts have a fair share of the 10 rows kept."""
    kept = 0.0
    for seed in range(300):
        _, _, entrances, found, _ = excursions(LOW, Pair.parse("RG"), seed, 40, 13, 14, rows=10)
        assert found >= 40
        # how many of the kept entrances are starts
        firsts = sum(Field.from_planes(row[:6]) == LOW for row in entrances)
        kept += firsts * found / 10
    assert kept / 300 == pytest.approx(40, rel=0.06)


def replicas(number: int, seed: int = 1) -> list[dict[str, object]]:
    splitting = Splitting(pieces=30_000, first=14, step=3, runs=400)
    return [play_replica(TailTask(PLAYER, RULES, 5, splitting, seed, each)) for each in range(number)]


@pytest.mark.proof
def test_it_agrees_with_direct_play() -> None:
    """Compares the frequencies of 8 to 25 puyos, which direct play sees often. Splitting begins at 14 puyos, so it is
    compared, too.
    """
    direct = [SelfPlay(PLAYER, 5, 1_000 + seed, RULES).play(25_000).counts / 25_000 for seed in range(16)]
    rows = tail_summary(replicas(24))["frequencies"]
    compared = 0
    for puyos in range(8, 26):
        plain = estimate([float(shares[puyos]) for shares in direct])
        value, low, high, _ = rows[puyos]
        # the standard error of the difference of the logarithms; 99.99 % of differences are below 3.9 such errors
        error = math.hypot(math.log(plain.high / plain.low), math.log(high / low)) / (2 * 1.96)
        assert abs(math.log(value / plain.value)) < 3.9 * error + 0.01, puyos
        compared += 1
        assert error < 0.35
    assert compared == 18
    assert sum(row[0] for row in rows) == pytest.approx(1, abs=0.02)


def test_a_replica_is_its_seed_s() -> None:
    first, second = replicas(2)
    assert replicas(1) == [first]
    assert first["frequencies"] != second["frequencies"]
    assert replicas(1, seed=2) != [first]
    assert tail_summary([first, second]) == tail_summary([second, first])


def test_intervals_hold_what_they_promise() -> None:
    """About 95 % of the intervals contain 1, the true mean of the skewed estimates."""
    random = np.random.default_rng(1)
    inside = 0
    for _ in range(1_000):
        one = estimate(random.lognormal(-0.5, 1, 40).tolist())
        inside += one.low <= 1 <= one.high
    assert 890 <= inside <= 980
    assert estimate([0.0, 0.0]).value == 0
    assert estimate([0.5, 0.0, 0.0]).low == 0
    assert estimate([0.5, 0.0, 0.0]).high == 1


def run(folder: Path, *options: str | int) -> str:
    words = ["tail", "--replicas", 3, "--direct", 5_000, "--excursions", 60, "--first", 16, "-o", folder, *options]
    done = ochibot(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_command_s_files_are_the_same_however_it_is_run(tmp_path: Path) -> None:
    out = run(tmp_path / "one", "--workers", 1)
    assert "3 replicas" in out
    lines = (tmp_path / "one" / SHARDS).read_text().splitlines(keepends=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "experiment.json").write_bytes((tmp_path / "one" / "experiment.json").read_bytes())
    (tmp_path / "two" / SHARDS).write_text(lines[1] + "0badf00d [2,{")  # as a killed run leaves the file
    assert json.loads(run(tmp_path / "two", "--workers", 2, "--json", "-")) == json.loads(
        (tmp_path / "one" / SUMMARY).read_text()
    )
    for name in (SHARDS, SUMMARY):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
