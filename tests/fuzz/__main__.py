"""Gives thousands of damaged inputs to the commands: python -m tests.fuzz [--seed N] [--inputs N] [--json FILE].

Each must be accepted, or refused in one line of at most 300 characters. Failures are: a process that dies or hangs, a
traceback, "this is a bug", a longer message. A failing input is kept in runs/fuzz/, with the command that makes it
again. The same seed makes the same inputs. The exit code is 1 when something failed, and 130 after Ctrl-C, which still
prints the counts so far.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from pathlib import Path

from ochibot.leftovers import TemporaryFolder
from ochibot.report import write_json

from tests.fuzz.kinds import ALL, numbers
from tests.fuzz.run import Case, Fuzzing
from tests.fuzz.seeds import ROOT

INPUTS = 8400


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=INPUTS, help=f"about so many in all (default: {INPUTS:,})")
    parser.add_argument(
        "--kinds",
        default="",
        metavar="A,B=N",
        help=f"of these only, or so many of one: {', '.join(name for name, kind in ALL.items() if kind.share)}",
    )
    parser.add_argument("--only", metavar="KIND:NUMBER", help="one input, such as one that failed")
    parser.add_argument(
        "--jobs", type=int, default=min(os.cpu_count() or 1, 8), help="processes (default: one for each core)"
    )
    parser.add_argument("--keep", type=Path, default=ROOT / "runs/fuzz", help="where failing inputs go")
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    asked = parser.parse_args()
    words = [word.partition("=")[::2] for word in asked.kinds.split(",") if word]
    if asked.only:
        words.append(asked.only.partition(":")[::2])
    for name, number in words:
        if name not in ALL or (number and not number.isdecimal()) or (asked.only and not number):
            parser.error(f"there is no {name}:{number}; known are {', '.join(ALL)}")
    if asked.only:
        cases = [Case(name, int(number)) for name, number in words[-1:]]
    else:
        counts = numbers(asked.inputs, {name: int(number) if number else None for name, number in words})
        # the kinds are interleaved, so that an interrupted run has tried some inputs of each
        cases = sorted(
            (Case(kind, number) for kind, count in counts.items() for number in range(count)),
            key=lambda case: (case.number + 0.5) / counts[case.kind],
        )
    out = sys.stderr if asked.json == "-" else sys.stdout
    code = 130

    def end(number: int, _: object) -> None:
        nonlocal code
        code = 128 + number
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    with TemporaryFolder("ochibot-fuzz-") as folder:
        fuzzing = Fuzzing(asked.seed, cases, folder, asked.keep, out=out)
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
        return code
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
