"""Gives thousands of damaged inputs to the commands: python -m tests.fuzz [--seed N] [--inputs N] [--json FILE].

Each must be taken, or refused in one line of at most 300 signs. What fails: a process that dies or hangs, a traceback,
"this is a bug", a longer message. A failing input is kept in runs/fuzz/, with the command that gives it again. The same
seed gives the same inputs. Exit code 1 when something failed, 130 after Ctrl-C, with what was counted so far.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from ochibot.leftovers import TemporaryFolder
from ochibot.report import write_json

from tests.fuzz.kinds import ALL, numbers
from tests.fuzz.run import Case, Fuzzing
from tests.fuzz.seeds import ROOT
from tests.fuzz.trial import LIMIT

INPUTS = 5400


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"about so many in all (default: {INPUTS:,})")
    parser.add_argument(
        "--kinds",
        default="",
        metavar="A,B",
        help=f"of these: {', '.join(name for name, kind in ALL.items() if kind.share)}",
    )
    parser.add_argument("--only", metavar="KIND:NUMBER", help="one input, such as one that failed")
    parser.add_argument(
        "--jobs", type=int, default=min(os.cpu_count() or 1, 8), help="processes (default: one for each core)"
    )
    parser.add_argument("--limit", type=float, default=LIMIT + 60, help="seconds after which an input is taken to hang")
    parser.add_argument("--keep", type=Path, default=ROOT / "runs/fuzz", help="where failing inputs go")
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    asked = parser.parse_args()
    kinds = tuple(name for name in asked.kinds.split(",") if name)
    one = asked.only.rpartition(":") if asked.only else ("", "", "")
    unknown = [name for name in (*kinds, *((one[0],) if asked.only else ())) if name not in ALL]
    if unknown or (asked.only and not one[2].isdecimal()):
        parser.error(f"there is no {unknown[0] if unknown else asked.only}; known are {', '.join(ALL)}")
    if asked.only:
        cases = [Case(one[0], int(one[2]))]
    else:
        counts = numbers(asked.inputs, kinds)
        # the kinds side by side, so that a part of a run has some of each
        cases = sorted(
            (Case(kind, number) for kind, count in counts.items() for number in range(count)),
            key=lambda case: (case.number + 0.5) / counts[case.kind],
        )
    out = sys.stderr if asked.json == "-" else sys.stdout
    with TemporaryFolder("ochibot-fuzz-") as folder:
        fuzzing = Fuzzing(asked.seed, cases, folder, asked.keep, limit=asked.limit, out=out)
        try:
            fuzzing.run(max(1, asked.jobs))
        except KeyboardInterrupt:
            fuzzing.interrupted = True
        finally:
            fuzzing.close()
    for line in fuzzing.lines():
        print(line, file=out)
    report = fuzzing.report()
    if asked.json == "-":
        print(json.dumps(report))
    else:
        write_json(report, asked.json)
    if fuzzing.interrupted:
        return 130
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
