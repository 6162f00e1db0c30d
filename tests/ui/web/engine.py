"""Compares the browser's calculator with the one in Python: ``python -m tests.ui.web.engine --boards 50000``.

All values must be equal: attacks, ranges, tails with their paths, steps, ties, outcomes, the board afterwards; for some
of the boards also heat map, best ignition, best pair and best additions. The page's engine is the built one, in a real
Chromium. Writes a JSON report to stdout; ``holds`` is true if all boards were compared and nothing differed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from ochibot.nyaa import Grid, Ruleset, best_additions, best_ignition, best_of_pairs, best_pair, heat_map, ignite
from ochibot.nyaa.calculator.heat import Needle
from ochibot.nyaa.rules.grid import CELLS, COLUMNS
from ochibot.nyaa.rules.resolve import settled
from ochibot.ui.web.nyaa import MAX_OUTCOMES, ignition_json

from tests.nyaa.boards import KINDS, random_codes
from tests.ui.web.live import browsing, serving
from tests.ui.web.pagetools import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

BATCH: Final = 250
HEAT_BURNS: Final = 2048
SPARSE: Final = 25
"""For one board in this many, the heat map and the best moves are compared, too."""

LATER = """(given) => { window.answers = new Promise((done, failed) => setTimeout(() => {
    try { done(JSON.stringify((%s)(given))); } catch (error) { failed(error); }
})); window.answers.catch(() => {}); }"""
"""Starts a function (``%s``) in the page and returns at once, so that Python can work on the same boards meanwhile.

Its result, or its error, comes from ``window.answers``.
"""
VALUES = """({ boards, burns, outcomes }) => boards.map((text, at) => nyaa.RULESETS.map((ruleset) =>
    nyaa.ignite(nyaa.parse(text), ruleset, { mostBurns: burns[at], mostOutcomes: outcomes })))"""
MOVES = """({ boards, pairs, anywhere }) => boards.map((text, at) => nyaa.RULESETS.map((ruleset) => {
    const cells = nyaa.parse(text);
    const all = { anywhere: anywhere[at] };
    const { low, high, complete, resting } = nyaa.finish(nyaa.heatMap(cells, ruleset, all));
    return {
        low: low.map((one) => [...one]), high: high.map((one) => [...one]), complete, resting,
        best: nyaa.finish(nyaa.bestIgnition(cells, ruleset, nyaa.COLOURS, all)),
        pair: nyaa.finish(nyaa.bestPair(cells, pairs[at], ruleset, all)),
        every: nyaa.finish(nyaa.bestOfPairs(cells, ruleset, all)),
        additions: nyaa.finish(nyaa.bestAdditions(cells, ruleset, nyaa.COLOURS, all)),
    };
}))"""


@dataclass
class Seen:
    """What was compared, and the boards on which something differed.

    lit, tied, not_exact, incomplete: how many ignitions (one for each board and ruleset) had a start, had open ties,
    weren't exact, and tried only some ways to settle the ties. moves: for how many boards the best moves were compared.
    """

    boards: int = 0
    lit: int = 0
    tied: int = 0
    not_exact: int = 0
    incomplete: int = 0
    moves: int = 0
    different: list[str] = field(default_factory=list)


def _structure(dice: np.random.Generator) -> bytes:
    """A board with one random structure (thin branches, rings, lumps) and up to four needles beside it."""
    color, cells = int(dice.integers(1, 5)), {int(dice.integers(CELLS))}
    size, open_air = int(dice.integers(2, 70)), float(dice.choice([0.2, 0.6, 1.0]))
    for _ in range(20 * size):
        if len(cells) >= size:
            break
        grown = int(dice.choice(sorted(cells)))
        near = [at for at in _near(grown) if at not in cells]
        if near:
            one = int(dice.choice(near))
            if sum(at in cells for at in _near(one)) == 1 or dice.random() < 1 - open_air:
                cells.add(one)
    codes = bytearray(CELLS)
    for cell in cells:
        codes[cell] = color
    edge = sorted({at for cell in cells for at in _near(cell)} - cells)
    for needle in dice.permutation(edge)[: int(dice.choice([1, 1, 2, 4]))].tolist():
        codes[needle] = 5 + color
    return bytes(codes)


def _near(cell: int) -> list[int]:
    row, column = divmod(cell, COLUMNS)
    beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [y * COLUMNS + x for y, x in beside if 0 <= y * COLUMNS + x < CELLS and 0 <= x < COLUMNS]


def boards(seed: int, count: int) -> Iterator[Grid]:
    """Boards of all shapes: structures, random ones of every kind, settled ones, tall and flat ones, lattices."""
    dice = np.random.default_rng(seed)
    names = list(KINDS)
    for number in range(count):
        kind = number % 8
        if kind < 3:
            codes = _structure(dice)
        elif kind < 6:
            codes = random_codes(dice, names[int(dice.choice(len(names), p=(0.25, 0.25, 0.25, 0.1, 0.1, 0.05)))])
        elif kind == 6:
            # random cells only in the lowest rows
            codes = random_codes(dice, names[int(dice.integers(3))])
            rows = int(dice.integers(0, 12))
            codes = bytes(COLUMNS * (12 - rows)) + codes[COLUMNS * (12 - rows) :]
        else:
            text = random_codes(dice, names[2])
            full = bytearray(text)
            for cell in range(0, CELLS, 2):
                full[cell] = 1 if full[cell] in (0, 5) else full[cell]
            codes = bytes(full)
        grid = Grid(codes)
        yield settled(grid) if dice.random() < 0.4 else grid


def _value(grid: Grid, ruleset: Ruleset, most: int, seen: Seen) -> dict[str, Any]:
    """Python's answer for one board, in the page's form. Counts the board's properties in ``seen``."""
    found = ignite(grid, ruleset, most_burns=most, most_outcomes=MAX_OUTCOMES)
    starts = [list(place) for place in found.starts]
    seen.lit += bool(starts)
    seen.tied += bool(found.open_ties)
    seen.not_exact += not found.exact
    seen.incomplete += not found.complete
    answer: dict[str, Any] = json.loads(json.dumps(ignition_json(found)))
    return answer | {"starts": starts}


def _needle(one: Needle | None) -> dict[str, Any] | None:
    return asdict(one) if one is not None else None


def _moves(grid: Grid, pair: tuple[int, int], ruleset: Ruleset, anywhere: bool) -> dict[str, Any]:
    found = heat_map(grid, ruleset, anywhere=anywhere)
    both = best_pair(grid, pair, ruleset, anywhere=anywhere)
    every = best_of_pairs(grid, ruleset, anywhere=anywhere)
    return {
        "low": found.low.reshape(4, -1).tolist(),
        "high": found.high.reshape(4, -1).tolist(),
        "complete": found.complete.reshape(4, -1).tolist(),
        "resting": np.flatnonzero(found.resting).tolist(),
        "best": _needle(best_ignition(grid, ruleset, anywhere=anywhere)),
        "pair": json.loads(json.dumps(asdict(both))) if both else None,
        "every": None if every is None else {"pair": list(every[0]), **json.loads(json.dumps(asdict(every[1])))},
        "additions": [asdict(one) for one in best_additions(grid, ruleset, anywhere=anywhere)],
    }


def compare(page: Page, grids: Sequence[Grid], seed: int, seen: Seen) -> None:
    """Compares the answers of Python and of the page for these boards. Adds the counts and differences to ``seen``."""
    dice = np.random.default_rng(seed)
    burns = [int(dice.choice([2, 64, 128, 2048], p=(0.1, 0.2, 0.6, 0.1))) for _ in grids]
    texts = [str(grid) for grid in grids]
    page.evaluate(LATER % VALUES, {"boards": texts, "burns": burns, "outcomes": MAX_OUTCOMES})
    values = [
        [_value(grid, ruleset, most, seen) for ruleset in Ruleset] for grid, most in zip(grids, burns, strict=True)
    ]
    answers = json.loads(page.evaluate("answers"))
    for grid, most, mine, its in zip(grids, burns, values, answers, strict=True):
        seen.boards += 1
        for ruleset, one, other in zip(Ruleset, mine, its, strict=True):
            if one != other:
                seen.different.append(f"{ruleset} {most} burns {grid!r}")
    # every other board keeps its needles
    bare = [
        grid if at % 2 else Grid(bytes(code if code < 6 else 0 for code in grid.codes))
        for at, grid in enumerate(grids[::SPARSE])
    ]
    pairs = [(int(a), int(b)) for a, b in dice.integers(1, 5, (len(bare), 2))]
    anywhere = [bool(dice.random() < 0.2) for _ in bare]
    page.evaluate(LATER % MOVES, {"boards": [str(grid) for grid in bare], "pairs": pairs, "anywhere": anywhere})
    moves = [
        [_moves(grid, pair, ruleset, free) for ruleset in Ruleset]
        for grid, pair, free in zip(bare, pairs, anywhere, strict=True)
    ]
    for grid, pair, mine, its in zip(bare, pairs, moves, json.loads(page.evaluate("answers")), strict=True):
        seen.moves += 1
        for ruleset, one, other in zip(Ruleset, mine, its, strict=True):
            if one != other:
                seen.different.append(f"moves {ruleset} {pair} {grid!r}")


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(prog="python -m tests.ui.web.engine", description=__doc__)
    parser.add_argument("--boards", type=int, default=50_000, help="boards for each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began, seen = time.perf_counter(), Seen()
    with serving() as url, browsing() as browser:
        page = browser.new_page()
        page.goto(url)
        until(page, "window.nyaa !== undefined")
        version = browser.version
        for first in range(0, options.boards, BATCH):
            seed = options.seed * 1_000_003 + first
            compare(page, list(boards(seed, min(BATCH, options.boards - first))), seed, seen)
            if sys.stderr.isatty():
                print(f"\r{seen.boards}", end="", file=sys.stderr)
    report = asdict(seen) | {"different": len(seen.different), "first": seen.different[:5]}
    report |= {"chromium": version, "seconds": round(time.perf_counter() - began, 1)}
    report["holds"] = seen.boards == options.boards > 0 and not seen.different
    print(json.dumps(report, indent=2))
    raise SystemExit(not report["holds"])


if __name__ == "__main__":
    main()
