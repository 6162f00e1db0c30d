"""``python -m tests.strangers --games N --seed S``: draws strangers; prints, plays or judges them."""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.strangers.checking import Checked
from tests.strangers.maker import Spec, draw
from tests.strangers.maker.drawing import KINDS
from tests.strangers.maker.mechanisms import MECHANISMS, NAMES

TUNED = 1000
"""The engine is tuned on seeds below this one."""

GIT_HEAD = ("git", "rev-parse", "HEAD")
GIT_DIFF = ("git", "status", "--porcelain", "--untracked-files=no")


def drawn(said: argparse.Namespace) -> Iterator[Spec]:
    """The games that the command names. Raises ValueError."""
    if said.each:
        for name in NAMES:
            with contextlib.suppress(ValueError):
                # some mechanisms are not of this kind
                yield draw(said.seed, said.kind or "family", name)
        return
    for number in range(said.games):
        kind = said.kind or ("family", "other")[number % 2]
        yield draw(said.seed + (number if said.kind else number // 2), kind, said.only)


def unseen_seed(commit: str) -> int:
    """A first seed that nobody can have tuned the engine on: it follows from the hash of the last commit."""
    return TUNED + int(commit[:8], 16) % 1_000_000


def last_commit() -> str:
    """The hash of the last commit. Raises ValueError where files differ from it, or outside a checkout."""
    try:
        if subprocess.run(GIT_DIFF, capture_output=True, text=True, check=True).stdout:
            raise ValueError("--unseen: there are changes that aren't committed: commit them first")
        return subprocess.run(GIT_HEAD, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise ValueError(f"--unseen: git doesn't tell the last commit: {error}") from None


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="how many games")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed")
    parser.add_argument("--unseen", action="store_true", help="take the first seed from the last commit's hash")
    parser.add_argument("--kind", choices=KINDS, help="one kind alone (else family and other)")
    parser.add_argument("--only", choices=NAMES, metavar="MECHANISM", help="dull games with one mechanism alone")
    parser.add_argument("--each", action="store_true", help="a dull game for each mechanism alone")
    parser.add_argument("--pieces", type=int, default=30, help="how many pieces are played")
    parser.add_argument("--list", action="store_true", help="print what is drawn")
    parser.add_argument("--play", action="store_true", help="let the tests' own player play, and check")
    parser.add_argument("--judge", action="store_true", help="let the engine learn them, and judge what it learnt")
    parser.add_argument("--whole", action="store_true", help="with --judge: learn family games whole, with an exam")
    parser.add_argument("--effort", type=float, default=1.0, help="with --whole: how many times the usual frames")
    parser.add_argument("--rom", action="store_true", help="with --judge: as ROMs in the real core, where they can be")
    parser.add_argument("--json", type=Path, metavar="FILE", help="with --judge: write the verdicts there")
    parser.add_argument("--mechanisms", action="store_true", help="print what games may have, and end")
    said = parser.parse_args()
    if said.mechanisms:
        print("\n".join(f"{one.name:16} {one.doc}" for one in MECHANISMS))
        return 0
    if said.unseen:
        try:
            commit = last_commit()
        except ValueError as error:
            parser.error(str(error))
        said.seed = unseen_seed(commit)
        print(f"commit {commit}: the first seed is {said.seed}", flush=True)
    if not said.judge and (said.whole or said.json or said.rom):
        parser.error("--whole, --rom and --json go with --judge")
    if said.whole:
        said.kind = said.kind or "family"
        if said.kind == "other":
            parser.error("--whole goes with --kind family or formulas: no rules are known of the others")
    try:
        if said.judge:
            from tests.strangers.judging import judge_all

            judge_all(
                drawn(said),
                whole=said.whole,
                effort=said.effort,
                report=said.json,
                rom=said.rom,
                say=lambda words: print(words, flush=True),
            )
            return 0
        return played(said)
    except (ValueError, OSError) as error:
        print(f"{error}", file=sys.stderr)
        return 2


def played(said: argparse.Namespace) -> int:
    """Prints or plays games. Returns 1 if something was wrong."""
    wrong = 0
    for spec in drawn(said):
        if said.list or not said.play:
            print(spec)
        if said.play:
            done = Checked(spec).play(said.pieces)
            wrong += bool(done.problems)
            print(
                f"{spec.kind} {spec.seed}: {done.pieces} pieces, {done.score} points, {done.games} games, "
                f"{done.frames} frames" + "".join(f"\n  {problem}" for problem in done.problems[:5])
            )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
