"""Compares the browser's engine for Puyo Puyo with the kernels: ``python -m tests.ui.web.puyoengine --boards 100000``.

Of every board, these must be equal: the board after its chain, points, steps, puyos cleared, game over, the chain step
by step, every place of a random pair with its outcome, the chain in reach and the shape's value of the resolved board;
of some boards also the presses to each place. In positions, drawn at random and from games, the decisions of the player
``chain`` and their values must be equal. ``--in`` chooses Node or a real Chromium. Writes a JSON report to stdout;
``holds`` is true if nothing differed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from ochibot.data import data_path
from ochibot.puyo.kernels.engine import RESOLVE_KERNELS
from ochibot.puyo.rules.field import COLUMNS, ROWS, SYMBOLS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import UNKNOWN, Pair
from ochibot.puyo.rules.profile import Extra, Rules, score_table
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.layout import SCRATCH_WORDS
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.chain.search import CHAIN_KERNELS, Floats, Layer
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.twoply import Decision
from webengine.given import GROUP, browser_rules

from tests.puyo.fields import Cells, ordered_kernel_locks, random_cells
from tests.ui.web.puyolive import PLACES, Ask, Question

BATCH: Final = 1000
SPARSE: Final = 25
"""For one board in this many, the presses to each place are compared, too."""
GAME: Final = 80
"""The length of a game in which decisions are compared. Half as many positions are drawn."""
STEP: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))
CONFIG: Final = load_chain_player(data_path("configs/players/chain.yaml"))


@cache
def all_rules() -> tuple[Rules, ...]:
    """The shipped profiles, and rules that no profile has, so that each number of the rules occurs with two values."""
    tsu, famicom, puyo1 = (load_rules(name) for name in ("tsu", "famicom", "puyo1"))
    return (
        tsu,
        famicom,
        puyo1,
        replace(tsu, name="threes", clear_size=3, hidden_clear=True, group_bonus_per="step"),
        replace(famicom, name="six", clear_size=6, kicks=False, group_bonus_per="excess", all_clear_bonus=2100),
        replace(
            tsu,
            name="many parts",
            multiplier="product",
            color_bonus=(0, 0, 2, 3, 4, 5, 6),
            extra=Extra(per_cell=7, by_size=(0, 0, 0, 0, 3, 11), by_step=(5, 0, 40), multiplied=True, per_group=25),
            all_clear_bonus=2100,
            all_clear_when="lowest_row",
        ),
        replace(
            famicom,
            name="beside",
            group_bonus_per="step",
            extra=Extra(per_cell=50, by_size=(1, 0, 2), per_group=10, groups_multiplied=True, per_nuisance=5),
            all_clear_bonus=500,
            all_clear_per="step",
        ),
        replace(tsu, name="box", turns="box", quick_turn=False),
        replace(tsu, name="low", visible_rows=10, hidden_rows=2, hidden_clear=True, quick_turn=False),
    )


@dataclass
class Seen:
    """What was compared. quiet, chains, full, with_nuisance, hidden: on how many boards nothing cleared, a chain went
    off, the game was over, there was nuisance, a puyo lay above the visible rows. longest, longest_decided: the most
    steps of a chain, of boards and of decisions. reasons: of the decisions, as the engine names them.
    """

    boards: int = 0
    quiet: int = 0
    chains: int = 0
    longest: int = 0
    full: int = 0
    with_nuisance: int = 0
    hidden: int = 0
    places: int = 0
    paths: int = 0
    in_reach: int = 0
    decisions: int = 0
    longest_decided: int = 0
    values: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    different: list[str] = field(default_factory=list)

    def same(self, what: str, here: object, there: object, given: object) -> None:
        """Notes a difference."""
        if here != there:
            self.different.append(f"{what}: {here} here, {there} there, of {given}")


def planes_of(cells: Cells) -> npt.NDArray[np.uint64]:
    """The boards of (n, 14, 6) cells."""
    bits = np.zeros((len(cells), 3, 8, 16), np.uint8)
    for k in range(3):
        bits[:, k, :COLUMNS, :ROWS] = (cells >> k & 1)[:, ::-1].transpose(0, 2, 1)
    packed = np.packbits(bits.reshape(len(cells), -1), axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view("<u8").astype(np.uint64)


def texts_of(boards: npt.NDArray[np.uint64]) -> list[str]:
    """The letters of boards."""
    return [str(Field.from_planes(board)).replace("\n", "") for board in boards]


def text_of(cells: Cells) -> str:
    """The letters of a field."""
    return "".join(SYMBOLS[code] for code in cells.flatten().tolist())


def resolved(cells: Cells, rules: Rules) -> tuple[npt.NDArray[np.uint64], list[dict[str, Any]]]:
    """Resolves fields with the kernel: the boards, and the outcomes as the engine writes them."""
    boards, results = planes_of(cells), np.zeros((len(cells), 3), np.int64)
    RESOLVE_KERNELS.kernel("resolve_boards", rules)(boards, score_table(rules), results)
    spawn = rules.spawn.y * COLUMNS + rules.spawn.x - 1
    found = []
    for letters, (score, chain, cleared) in zip(texts_of(boards), results.tolist(), strict=True):
        emptied = rules.all_clear_now if chain and letters == "." * len(letters) else 0
        over = letters[spawn] != "."
        found.append({"field": letters, "score": score + emptied, "chain": chain, "cleared": cleared, "gameOver": over})
    return boards, found


def compare_boards(ask: Ask, cells: Cells, rules: Rules, dice: np.random.Generator, seen: Seen) -> None:
    """Compares everything but decisions."""
    given = {"rules": browser_rules(rules, CONFIG)}
    letters = [text_of(one) for one in cells]
    pairs = [Pair(*dice.integers(1, 7, 2).tolist()) for _ in letters]
    mask = int(dice.integers(1, 64))
    boards, outcomes = resolved(cells, rules)
    builds = rules.clear_size == GROUP
    questions: list[Question] = [("resolveAll", {**given, "fields": letters})]
    questions += [("steps", {**given, "field": one}) for one in letters]
    questions += [
        ("places", {**given, "field": one, "pair": str(pair)}) for one, pair in zip(letters, pairs, strict=True)
    ]
    if builds:
        after = [one["field"] for one in outcomes]
        questions.append(("potentials", {**given, "fields": after, "mask": mask}))
    answers = ask(questions)
    count = len(letters)
    for at, text in enumerate(letters):
        seen.same("chain", outcomes[at], answers[0][at], text)
        _compare_steps(answers[1 + at], outcomes[at], rules, seen, text)
    _compare_places(answers[1 + count : 1 + 2 * count], cells, pairs, rules, seen)
    if builds:
        _compare_potentials(answers[-1], boards, mask, rules, seen)
    kept = ROWS - rules.visible_rows
    seen.boards += count
    seen.chains += sum(one["chain"] > 0 for one in outcomes)
    seen.quiet += sum(one["chain"] == 0 for one in outcomes)
    seen.longest = max(seen.longest, *(one["chain"] for one in outcomes))
    seen.full += sum(one["gameOver"] for one in outcomes)
    seen.with_nuisance += int((cells == 7).any((1, 2)).sum())
    seen.hidden += int((cells[:, :kept] > 0).any((1, 2)).sum())


def _compare_steps(steps: list[dict[str, Any]], outcome: dict[str, Any], rules: Rules, seen: Seen, text: str) -> None:
    bonus = rules.all_clear_now if steps and set(outcome["field"]) == {"."} else 0
    found = len(steps), sum(step["score"] for step in steps) + bonus, sum(len(step["cells"]) for step in steps)
    seen.same("steps", (outcome["chain"], outcome["score"], outcome["cleared"]), found, text)
    if steps:
        seen.same("the last step", outcome["field"], steps[-1]["after"], text)


def _compare_places(answers: list[Any], cells: Cells, pairs: list[Pair], rules: Rules, seen: Seen) -> None:
    start = (rules.spawn.x, rules.spawn.y, int(rules.spawn.orientation))
    boards = planes_of(cells)
    found: list[list[tuple[int, int, int]]] = [[] for _ in pairs]
    for kind in (0, 1):
        some = [at for at, pair in enumerate(pairs) if (pair.axis == pair.partner) == kind]
        if some:
            of_kind = ordered_kernel_locks(np.ascontiguousarray(boards[some]), rules, kind, start)
            for at, one in zip(some, of_kind, strict=True):
                found[at] = one
    locked = []
    for board, pair, locks in zip(cells, pairs, found, strict=True):
        for x, y, turned in locks:
            dx, dy = STEP[turned]
            after = board.copy()
            after[y, x - 1], after[y + dy, x + dx - 1] = pair
            locked.append(after)
    _, outcomes = resolved(np.array(locked, np.uint8).reshape(-1, ROWS, COLUMNS), rules)
    rest = iter(outcomes)
    for at, (answer, cells_locked) in enumerate(zip(answers, found, strict=True)):
        wanted = [{"x": x, "y": y, "orientation": turned, **next(rest)} for x, y, turned in cells_locked]
        given = f"{text_of(cells[at])} {pairs[at]} {rules.name}"
        plain = [{name: value for name, value in one.items() if name not in ("lock", "path")} for one in answer]
        seen.same("places", wanted, plain, given)
        order = [list(lock_order()).index((one["x"], one["orientation"])) for one in answer]
        seen.same("locks", order, [one["lock"] for one in answer], given)
        seen.places += len(wanted)
        if at % SPARSE == 0:
            words = {"rotate_cw": "clockwise", "rotate_ccw": "counterclockwise"}
            ways = placements(Field.from_cells(cells[at]), pairs[at], rules)
            presses = [[words.get(name := one.name.lower(), name) for one in way.path] for way in ways]
            seen.same("presses", presses, [one["path"] for one in answer], given)
            seen.paths += len(presses)


def _compare_potentials(
    answers: list[dict[str, Any]], boards: npt.NDArray[np.uint64], mask: int, rules: Rules, seen: Seen
) -> None:
    points, shapes = np.zeros((len(boards), 3), np.int64), np.zeros(len(boards))
    weights, scratch = CONFIG.vector(), np.zeros(SCRATCH_WORDS, np.uint64)
    CHAIN_KERNELS.kernel("potential_boards", rules)(boards, mask, score_table(rules), weights, scratch, points)
    CHAIN_KERNELS.kernel("shape_boards", rules)(boards, weights, shapes)
    for board, answer, (score, chain, puyos), shape in zip(
        boards, answers, points.tolist(), shapes.tolist(), strict=True
    ):
        wanted = {"score": score, "chain": chain, "puyos": puyos, "shape": shape}
        seen.same("reach", wanted, answer, board.tolist())
    seen.in_reach += int((points[:, 0] > 0).sum())


def positions(dice: np.random.Generator, count: int, rules: Rules) -> list[Snapshot]:
    """Resolved positions with one, two or three visible pairs: random fields, half of them with little clearing."""
    found: list[Snapshot] = []
    while len(found) < count:
        colors = int(dice.integers(3, 6))
        heights = np.clip(int(dice.choice([2, 5, 8, 10, 11])) + dice.integers(-2, 3, COLUMNS), 0, rules.kept_rows)
        cells = dice.integers(1, colors + 1, (ROWS, COLUMNS)).astype(np.uint8)
        cells[dice.random(cells.shape) < float(dice.choice([0, 0.1]))] = 7
        cells[np.arange(ROWS)[:, None] < ROWS - heights[None, :]] = 0
        _, outcomes = resolved(cells[None], rules)
        if outcomes[0]["gameOver"]:
            continue
        pairs = [Pair(*dice.integers(1, colors + 1, 2).tolist()) for _ in range(int(dice.choice([1, 2, 3, 3, 3])))]
        here = Field.parse("\n".join(outcomes[0]["field"][at : at + COLUMNS] for at in range(0, 84, COLUMNS)))
        following = pairs[1] if len(pairs) > 1 else UNKNOWN
        found.append(Snapshot(here, pairs[0], following, 0, rules.spawn, colors=colors, foreseen=tuple(pairs[2:])))
    return found


class Watched(ChainPlayer):
    """The player; it keeps the values of all first locks in each future of the last decision."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        super().__init__(CONFIG, rules, nodes=nodes)
        self.valued: list[Floats] = []

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision for a snapshot."""
        self.valued = []
        return super().choose(snapshot)

    def _values(self, last: Layer, points: Floats) -> Floats:
        found = super()._values(last, points)
        self.valued.append(found)
        return found


def compare_decision(ask: Ask, player: Watched, snapshot: Snapshot, nodes: int, seen: Seen) -> Decision | None:
    """Compares a decision of the player ``chain`` with a budget of boards, and returns it."""
    decision = player.choose(snapshot)
    shown = [snapshot.pair, snapshot.next_pair, *snapshot.foreseen]
    pairs = [str(pair) for pair in shown if not pair.is_unknown]
    given: dict[str, Any] = {"rules": browser_rules(player.rules, CONFIG), "field": str(snapshot.field), "pairs": pairs}
    given |= {"nodes": nodes, "colors": snapshot.colors, "waited": player._waited, "lines": 1}
    (answer,) = ask([("analyse", given)])
    seen.reasons[answer["why"]] = seen.reasons.get(answer["why"], 0) + 1
    seen.decisions += 1
    if decision is None:
        seen.same("decision", None, answer["decision"], given)
        return None
    best = answer["decision"] or {}
    wanted = decision.placement.x, decision.placement.y, int(decision.placement.orientation)
    seen.same("decision", wanted, tuple(best.get(name) for name in ("x", "y", "orientation")), given)
    outcome = decision.outcome
    after = str(outcome.field).replace("\n", ""), outcome.score, outcome.chain, outcome.game_over
    seen.same("outcome", after, tuple(best.get(name) for name in ("field", "score", "chain", "gameOver")), given)
    seen.longest_decided = max(seen.longest_decided, outcome.chain)
    if player.valued:
        values = (np.sum(np.stack(player.valued), axis=0) / len(player.valued)).tolist()
        valued = {one["lock"]: one["value"] for one in answer["places"] if one["value"] is not None}
        seen.same("values", {lock: values[lock] for lock in valued}, valued, given)
        seen.values += len(valued)
    if answer["why"] == "build":
        seen.same("value", decision.value, best.get("value"), given)
    elif answer["why"] in ("chain", "room"):
        certain = answer["certain"]
        later = CONFIG.deciding.later ** (certain["at"] - 1)
        seen.same("points", decision.value in (certain["points"] * later, best["score"]), True, given)
    return decision


def compare_game(ask: Ask, dice: np.random.Generator, rules: Rules, nodes: int, pieces: int, seen: Seen) -> None:
    """Compares the decisions of a game. In half of the games, nuisance falls now and then."""
    player, here = Watched(rules, nodes), Field.empty()
    colors, falls = int(dice.integers(4, 6)), bool(dice.integers(2))
    pairs = [Pair(*one) for one in dice.integers(1, colors + 1, (pieces + 2, 2)).tolist()]
    for number in range(pieces):
        pair, following, third = pairs[number : number + 3]
        snapshot = Snapshot(here, pair, following, 0, rules.spawn, colors=colors, foreseen=(third,))
        decision = compare_decision(ask, player, snapshot, nodes, seen)
        if decision is None or decision.outcome.game_over:
            return
        here = decision.outcome.field
        if falls and dice.random() < 0.1:
            cells = here.cells.copy()
            cells[0, dice.random(COLUMNS) < 0.5] = 7
            after = resolve(Field.from_cells(cells), rules)
            here = here if after.game_over else after.field


def main() -> int:
    """Compares, and prints the report; 1 if anything differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=100_000)
    parser.add_argument("--positions", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=BATCH, help="so many boards in a row are of one profile of rules")
    parser.add_argument("--game", type=int, default=GAME, help="so many decisions in a row are of one game")
    parser.add_argument("--in", dest="place", choices=sorted(PLACES), default="node")
    wanted = parser.parse_args()
    dice, seen, began = np.random.default_rng(wanted.seed), Seen(), time.monotonic()
    with PLACES[wanted.place]() as ask:
        for number in range(-(-wanted.boards // wanted.batch)):
            count = min(wanted.batch, wanted.boards - wanted.batch * number)
            cells = random_cells(count, int(dice.integers(2**31)))
            rules = all_rules()[number % len(all_rules())]
            compare_boards(ask, cells, rules, dice, seen)
            print(f"{seen.boards:,} boards, {len(seen.different)} differ", file=sys.stderr)
        builders = [rules for rules in all_rules() if rules.clear_size == GROUP]
        number = 0
        while seen.decisions < wanted.positions:
            rules = builders[number % len(builders)]
            for snapshot in positions(dice, wanted.game // 2, rules):
                compare_decision(ask, Watched(rules, wanted.nodes), snapshot, wanted.nodes, seen)
            compare_game(ask, dice, rules, wanted.nodes, wanted.game, seen)
            print(f"{seen.decisions} decisions, {len(seen.different)} differ", file=sys.stderr)
            number += 1
    report = asdict(seen) | {"seconds": round(time.monotonic() - began), "in": wanted.place}
    report |= {"different": len(seen.different), "examples": seen.different[:5]}
    report["holds"] = not seen.different and seen.boards == wanted.boards and seen.decisions > 0
    print(json.dumps(report, indent=2))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
