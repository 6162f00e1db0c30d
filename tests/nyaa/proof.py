"""The long comparison with the naive reference: ``python -m tests.nyaa.proof --boards 100000``.

Writes a JSON report to stdout. Its field ``holds`` is true if nothing differed on any board under either ruleset.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict

from ochibot.nyaa import Ruleset

from tests.nyaa.agreement import Agreement, compare
from tests.nyaa.boards import mixture

BATCH = 1000


def main(arguments: list[str] | None = None) -> None:
    """Runs the comparison. Exits with 0 if it holds, else with 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.nyaa.proof", description=__doc__)
    parser.add_argument("--boards", type=int, default=100_000, help="random boards for each ruleset")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    report: dict[str, object] = {"boards": options.boards, "seed": options.seed}
    holds = options.boards > 0
    for ruleset in Ruleset:
        total = Agreement()
        for first in range(0, options.boards, BATCH):
            seen = compare(mixture(options.seed * 1_000_003 + first, min(BATCH, options.boards - first)), ruleset)
            total.boards += seen.boards
            total.lit += seen.lit
            total.tied += seen.tied
            total.not_exact += seen.not_exact
            total.all_outcomes_compared += seen.all_outcomes_compared
            total.different += seen.different
            if sys.stderr.isatty():
                print(f"\r{ruleset} {total.boards}", end="", file=sys.stderr)
        holds = holds and total.boards == options.boards and not total.different
        report[str(ruleset)] = asdict(total) | {"different": len(total.different), "first": total.different[:5]}
    report["seconds"] = round(time.perf_counter() - began, 1)
    report["holds"] = holds
    print(json.dumps(report, indent=2))
    raise SystemExit(not holds)


if __name__ == "__main__":
    main()
