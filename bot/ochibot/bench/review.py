"""Shows what the words of a review are worth: on games of players of known strength, and by playing on.

Games are those of the strength protocol (``ochibot.puyo.sim.fifty``): 50 pairs, Tsu rules, 4 colours, two pairs visible
besides the falling one. Everything is kept in a folder, so that a killed run goes on.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ochibot.bench.kept import KeptRun
from ochibot.data import data_path
from ochibot.falling.player import chosen
from ochibot.falling.review import Verdict
from ochibot.lab.opponents import Random
from ochibot.puyo.reviewing import PuyoReviewer
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.draw import Draw, future, palette
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import TwoPly
from ochibot.puyo.search.versus.outlook import Scout
from ochibot.puyo.sim.dealer import PoolDealer
from ochibot.puyo.sim.fifty import COLORS, PAIRS
from ochibot.review.judging import Grade, Grades, accuracy_of, as_dict, from_dict

PLANTED: Final = "planted"
STRONGEST: Final = "chain[nodes=750000]"
NODES: Final = {"chain[nodes=2500]": 2_500, "chain[nodes=40000]": 40_000, STRONGEST: 750_000}
"""1.05 ms, 14.5 ms and 275 ms of processor time for a decision, measured on a machine of 2026 (docs/review.md)."""
PLAYERS: Final = ("random", "article", *NODES)
_EVERY: Final = 20
"""One placement of so many is replaced by the median one."""
_SHOWN: Final = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """A placement of a game, and what the reviewer said about it."""

    snapshot: Snapshot
    placement: Placement
    verdict: Verdict
    planted: bool


def player_of(name: str, rules: Rules, seed: int) -> Any:
    """One of ``PLAYERS``; for ``PLANTED`` the strongest."""
    if name == "random":
        return Random(rules, seed + 1)
    if name == "article":
        return TwoPly(load_player(data_path("configs/players/article.yaml")), rules)
    config = load_chain_player(data_path("configs/players/chain.yaml"))
    return ChainPlayer(config, rules, nodes=NODES[STRONGEST if name == PLANTED else name])


def play_and_judge(name: str, rules: Rules, seed: int, reviewer: PuyoReviewer, planter: PuyoReviewer) -> list[Judged]:
    """One game of a player with the verdicts on all its placements. ``planter``: names the median placements."""
    dealer = PoolDealer("modern", seed, COLORS)
    pairs = [next(dealer) for _ in range(PAIRS + _SHOWN)]
    player, draw = player_of(name, rules, seed), Draw(seed, 20)
    here, found = Field.empty(), []
    for number in range(PAIRS):
        pair, following, *more = pairs[number : number + 1 + _SHOWN]
        snapshot = Snapshot(here, pair, following, 0, rules.spawn, colors=COLORS, foreseen=tuple(more))
        decision = chosen(player, snapshot)
        if decision is None:
            break
        placement = getattr(decision, "placement", decision)
        planted = name == PLANTED and draw.below(_EVERY) == 0
        if planted:
            order = planter.ranking(snapshot)
            placement = order[len(order) // 2]
        verdict = reviewer.judge(snapshot, placement)
        assert verdict is not None  # nothing floats, and all pairs are known
        found.append(Judged(snapshot, placement, verdict, planted))
        outcome = place(here, pair, placement, rules)
        here = outcome.field
        if outcome.game_over:
            break
    return found


def judge_games(
    folder: Path,
    rules: Rules,
    names: Sequence[str],
    seeds: Sequence[int],
    boards: int,
    stopped: Callable[[], bool] = lambda: False,
    on_game: Callable[[str, int], None] = lambda *_: None,
) -> KeptRun:
    """Plays and judges one game of each player for each seed. Raises KeyboardInterrupt when ``stopped()``."""
    games = KeptRun(folder / "games.jsonl", {"rules": rules.name, "boards": boards})
    done = {(one["player"], one["seed"]) for one in games.kept}
    reviewer, planter = PuyoReviewer(rules, boards), PuyoReviewer(rules, boards)
    for seed in seeds:
        for name in names:
            if (name, seed) in done:
                continue
            if stopped():
                raise KeyboardInterrupt
            judged = play_and_judge(name, rules, seed, reviewer, planter)
            games.keep({"player": name, "seed": seed, "moves": [_as_dict(one) for one in judged]})
            on_game(name, seed)
    return games


def _as_dict(one: Judged) -> dict[str, Any]:
    snapshot = one.snapshot
    pairs = [str(pair) for pair in (snapshot.pair, snapshot.next_pair, *snapshot.foreseen)]
    where = one.placement
    field = str(snapshot.field).replace("\n", "/")
    lock = where.x, where.y, int(where.orientation)
    return {"field": field, "pairs": pairs, "lock": lock, "planted": one.planted, "verdict": as_dict(one.verdict)}


def verdicts(games: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], list[tuple[bool, Verdict]]]]:
    """For each game: whether each placement was planted, and the verdict on it."""
    for game in games:
        yield game, [(move["planted"], from_dict(move["verdict"])) for move in game["moves"]]


@dataclass(frozen=True)
class PlayerRow:
    """The accuracy of a player: the mean over its games and its standard error; its placements by grade."""

    player: str
    games: int
    accuracy: float
    stderr: float
    grades: dict[str, int]

    @property
    def mistakes(self) -> float:
        """The share of placements that are called mistakes or blunders."""
        return (self.grades[Grade.MISTAKE] + self.grades[Grade.BLUNDER]) / max(1, sum(self.grades.values()))


def rows_of(games: Iterable[Mapping[str, Any]], grades: Grades) -> list[PlayerRow]:
    """A row for each player, in the order of ``PLAYERS``; without planted placements."""
    accuracies: dict[str, list[float]] = {}
    counts: dict[str, Counter[str]] = {}
    for game, found in verdicts(games):
        own = [verdict for planted, verdict in found if not planted]
        accuracy = accuracy_of([grades.accuracy(verdict) for verdict in own])
        if accuracy is not None:
            accuracies.setdefault(game["player"], []).append(accuracy)
        counts.setdefault(game["player"], Counter()).update(str(grades.grade(verdict)) for verdict in own)
    order = sorted(accuracies, key=lambda name: [*PLAYERS, PLANTED].index(name))
    return [
        PlayerRow(
            name,
            len(accuracies[name]),
            round(statistics.fmean(accuracies[name]), 2),
            round(standard_error_of(accuracies[name]), 2),
            {str(grade): counts[name][str(grade)] for grade in Grade},
        )
        for name in order
    ]


def standard_error_of(values: Sequence[float]) -> float:
    """The standard error of a mean; 0 for fewer than two values."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def planted_of(games: Iterable[Mapping[str, Any]], grades: Grades) -> dict[str, int]:
    """How often the planted placements were called what."""
    said = (grades.grade(verdict) for _, found in verdicts(games) for planted, verdict in found if planted)
    counts = Counter(map(str, said))
    return {str(grade): counts[str(grade)] for grade in Grade}


# --- playing on ---


def play_on(field: Field, pairs: Sequence[Pair], first: Placement, player: Any, rules: Rules, scout: Scout) -> int:
    """The points of the best chain when a player goes on from a placement: the best one set off, or at the end in
    reach.
    """
    best, here = 0, field
    for number in range(len(pairs) - _SHOWN):
        pair, following, *more = pairs[number : number + 1 + _SHOWN]
        if number:
            snapshot = Snapshot(here, pair, following, 0, rules.spawn, colors=COLORS, foreseen=tuple(more))
            decision = chosen(player, snapshot)
            if decision is None:
                return best
            first = decision.placement
        outcome = place(here, pair, first, rules)
        best, here = max(best, outcome.score), outcome.field
        if outcome.game_over:
            return best
    return max(best, int(scout.reach([here], palette(here, pairs, COLORS))[0]))


def outcomes(
    folder: Path,
    games: Sequence[Mapping[str, Any]],
    rules: Rules,
    grades: Grades,
    *,
    positions: int,
    futures: int,
    pieces: int,
    nodes: int,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
    on_position: Callable[[int], None] = lambda _: None,
) -> list[Any]:
    """From judged positions, both the best and the played placement are played on along the same random futures.

    The positions are drawn from all games, as many of each grade as there are, up to equal numbers. Returns a line for
    each: its grade and, for each future, the square roots of the points after the best and after the played placement.
    """
    identity = {"futures": futures, "pieces": pieces, "nodes": nodes, "seed": seed}
    kept = KeptRun(folder / f"outcomes{nodes}.jsonl", identity)
    done = {(one["player"], one["game"], one["move"]) for one in kept.kept}
    player = ChainPlayer(load_chain_player(data_path("configs/players/chain.yaml")), rules, nodes=nodes)
    scout = Scout(load_chain_player(data_path("configs/players/chain.yaml")), rules)
    for count, (game, at, grade) in enumerate(chosen_positions(games, grades, positions, seed)):
        if (game["player"], game["seed"], at) in done:
            continue
        if stopped():
            raise KeyboardInterrupt
        move = game["moves"][at]
        verdict = from_dict(move["verdict"])
        field, seen = Field.parse(move["field"].replace("/", "\n")), [Pair.parse(pair) for pair in move["pairs"]]
        where = [_placement_of(field, seen[0], one.place, rules) for one in (verdict.best, verdict.played)]
        colors, draw = palette(field, seen, COLORS), Draw(seed, game["seed"], at)
        drawn = [[*seen, *future(colors, pieces - len(seen) + _SHOWN, draw)] for _ in range(futures)]
        made = [[play_on(field, pairs, one, player, rules, scout) for pairs in drawn] for one in where]
        kept.keep(
            {
                "player": game["player"],
                "game": game["seed"],
                "move": at,
                "grade": grade,
                "best": made[0],
                "played": made[1],
            }
        )
        on_position(count)
    return kept.kept


def _placement_of(field: Field, pair: Pair, where: Mapping[str, Any], rules: Rules) -> Placement:
    found = [one for one in placements(field, pair, rules) if one.x == where["x"]]
    return next(one for one in found if one.orientation.word == where["orientation"])


def chosen_positions(
    games: Sequence[Mapping[str, Any]], grades: Grades, count: int, seed: int
) -> list[tuple[Mapping[str, Any], int, str]]:
    """(game, number of the move, grade) of ``count`` positions, about as many of each grade but the best, whose two
    placements are one and the same.
    """
    by_grade: dict[str, list[tuple[Mapping[str, Any], int, str]]] = {}
    for game in games:
        for at, move in enumerate(game["moves"]):
            grade = str(grades.grade(from_dict(move["verdict"])))
            if grade != Grade.BEST:
                by_grade.setdefault(grade, []).append((game, at, grade))
    draw = Draw(seed, 1)
    found: list[tuple[Mapping[str, Any], int, str]] = []
    groups = sorted(by_grade.values(), key=len)
    for number, group in enumerate(groups):
        wanted = min(len(group), (count - len(found)) // (len(groups) - number))
        for _ in range(wanted):
            found.append(group.pop(draw.below(len(group))))
    return found


@dataclass(frozen=True)
class OutcomeRow:
    """What placements of a grade lost when both were played on. positions: how many. lost: the mean loss as a share of
    the best placement's square root of points, and its standard error over the positions. points: the mean loss.
    """

    grade: str
    positions: int
    lost: float
    stderr: float
    points: float


def outcome_rows(lines: Iterable[Mapping[str, Any]]) -> list[OutcomeRow]:
    """A row for each grade."""
    shares: dict[str, list[float]] = {}
    points: dict[str, list[float]] = {}
    for one in lines:
        best = statistics.fmean(value**0.5 for value in one["best"])
        mine = statistics.fmean(value**0.5 for value in one["played"])
        shares.setdefault(one["grade"], []).append((best - mine) / max(best, 1.0))
        points.setdefault(one["grade"], []).append(statistics.fmean(one["best"]) - statistics.fmean(one["played"]))
    return [
        OutcomeRow(
            str(grade),
            len(shares[grade]),
            round(statistics.fmean(shares[grade]), 4),
            round(standard_error_of(shares[grade]), 4),
            round(statistics.fmean(points[grade]), 0),
        )
        for grade in Grade
        if grade in shares
    ]
