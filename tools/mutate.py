"""Tries a seeded sample of mutants against the nearest tests. ``make mutate`` runs it.

``python tools/mutate.py --seed 1 --sample 400``: a mutant is the code with one small fault. Cosmic-ray's operators make
them (``pip install -e '.[mutate]'``). The code and the tests are those of the last commit: each trial runs in a copy of
it. Every result is kept at once as one line of runs/mutate/COMMIT.jsonl, so that a killed run can resume. The report
at the end says killed / sampled for each package with a Wilson interval of 95 %, then lists the mutants that
lived. ``--again`` with a greater ``--near`` tries the mutants that lived against more of the near tests. ``--tests
HEAD`` with ``--commit C`` tries the mutants that lived at C against newer tests, as long as the code is that of C.

tools/mutating/sample.py says which code isn't mutated, and tools/mutating/nearest.py which tests are the nearest. A
mutant that hangs or crashes counts as killed; such mutants are also counted separately.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import itertools
import json
import math
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from mutating import sample
from mutating.nearest import near_files, nearest
from mutating.sample import PACKAGES, USUAL, Mutant, difference, draw, in_kernel
from mutating.trials import BrokenTreeError, Known, Slot, digest_of, watched
from ochibot.falling.series import wilson_interval

ROOT: Final = Path(__file__).resolve().parent.parent
LEAST: Final = 20
"""The least number of mutants of each package."""

TOGETHER: Final = 6
"""The most test files that run together in the first run, without a mutant."""

Result = dict[str, Any]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="tries a seeded sample of mutants against the nearest tests")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--sample", type=int, default=400, help=f"mutants of all packages, {LEAST} of each at least")
    parser.add_argument("--package", choices=PACKAGES, action="append", help="only this one; may be given again")
    parser.add_argument("--jobs", type=int, default=2, help="trials at a time, each in a tree of its own")
    parser.add_argument("--near", type=float, default=20.0, help="seconds of tests for each mutant, about")
    parser.add_argument("--trees", type=Path, help="folder for these trees (default: the one for temporary files)")
    parser.add_argument("--commit", default="HEAD", help="whose code and tests are tried")
    parser.add_argument("--tests", metavar="COMMIT", help="try again what has lived, against the tests of that commit")
    parser.add_argument("--again", action="store_true", help="try again what has lived, with a greater --near")
    parser.add_argument("--report", action="store_true", help="only print the report of what is there")
    return parser.parse_args()


def _stop(why: str) -> SystemExit:
    print(f"mutate: {why}", file=sys.stderr)
    return SystemExit(2)


def _commit(name: str) -> str:
    command = ["git", "rev-parse", "--verify", "--quiet", "--short=12", f"{name}^{{commit}}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise _stop(f"there is no commit {name}")
    changed = subprocess.run(["git", "diff", "--quiet", name, "--", "bot"], cwd=ROOT, check=False).returncode
    if changed:
        raise _stop(f"the code differs from that of {name}: commit it, or check that commit out")
    return done.stdout.strip()


def _read(file: Path) -> dict[str, Result]:
    """The results in a file, by the names of their mutants. A line cut off by a kill is left out."""
    results = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            result = json.loads(line)
        except ValueError:
            continue
        results[result["name"]] = {"tests": file.stem, **result}
    return results


def _mutant(result: Result) -> Mutant:
    first, last = ((int(line), int(column)) for line, column in (result["first"], result["last"]))
    names = ("package", "path", "operator", "occurrence", "digest")
    return Mutant(**{name: result[name] for name in names}, first=first, last=last)


class Run:
    """The trials of one sample: several slots take mutants from one queue and write results to one file."""

    def __init__(self, file: Path, slots: list[Slot]) -> None:
        self._file = file
        self._slots = slots
        self._lock = threading.Lock()
        self._error: BaseException | None = None
        self.known: dict[str, Known] = {}

    def _share(self, work: Any, things: list[Any]) -> None:
        """Calls ``work(slot, thing)`` for all things, with one thread for each slot. Raises the first exception
        that a call raises.
        """
        left = iter(things)

        def take(slot: Slot) -> None:
            while self._error is None:
                with self._lock:
                    thing = next(left, None)
                if thing is None:
                    return
                try:
                    work(slot, thing)
                except BaseException as error:
                    self._error = error

        threads = [threading.Thread(target=take, args=(slot,), daemon=True) for slot in self._slots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._error is not None:
            raise self._error

    def learn(self, files: list[str], watch: dict[str, list[int]]) -> None:
        """Runs the near tests without mutants: they must pass. Compiles the kernels for each slot."""
        compiling: list[tuple[Slot, list[str]]] = []

        def work(slot: Slot, some: list[str]) -> None:
            before = slot.kernels()
            known = slot.known(some, watch)
            compiled = slot.kernels() != before
            if compiled:  # run again, because compiling took part of the measured time
                known = slot.known(some, watch)
            for file, of in known.items():
                print(f"  {file}: {len(of.seconds)} tests pass, {of.total:.1f} s", flush=True)
            with self._lock:
                self.known.update(known)
                self._file.with_suffix(".known").write_bytes(pickle.dumps((watch, self.known)))
                if compiled:
                    compiling.append((slot, some))

        def again(slot: Slot, _: int) -> None:
            for elsewhere, some in compiling:
                if elsewhere is not slot:
                    slot.known(some, {})

        kept = self._file.with_suffix(".known")
        with contextlib.suppress(OSError, ValueError, TypeError):
            told, self.known = pickle.loads(kept.read_bytes())
            if told != watch:
                self.known = {}
        tree = self._slots[0].tree
        self.known = {file: known for file, known in self.known.items() if known.digest == digest_of(tree / file)}
        left = [file for file in files if file not in self.known]
        self._share(work, _groups(left))
        self._share(again, list(range(len(self._slots))))
        kept.write_bytes(pickle.dumps((watch, self.known)))

    def attempt(self, mutants: list[Mutant], done: int) -> None:
        """Tries the mutants and keeps each result at once."""
        count = itertools.count(done + 1)

        def work(slot: Slot, mutant: Mutant) -> None:
            result = slot.attempt(mutant, self.known)
            with self._lock, self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(result) + "\n")
                print(
                    f"{next(count)}/{done + len(mutants)} {result['outcome']} after {result['seconds']:.1f} s: "
                    f"{mutant.name} line {mutant.first[0]}",
                    flush=True,
                )

        self._share(work, mutants)


def _drawn(file: Path, package: str, count: int, seed: int) -> tuple[list[Mutant], int]:
    """The result of ``draw``, which is kept beside the results because it takes a minute for all packages."""
    kept = file.with_suffix(".drawn")
    known: dict[tuple[object, ...], tuple[list[Mutant], int]] = {}
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
        known = pickle.loads(kept.read_bytes())
    key = package, count, seed, digest_of(Path(sample.__file__))
    if key not in known:
        known[key] = draw(ROOT, package, count, seed)
        kept.write_bytes(pickle.dumps(known))
    return known[key]


def _groups(files: list[str]) -> list[list[str]]:
    """Groups of up to ``TOGETHER`` files of one folder. Each group is one run of pytest."""
    groups: list[list[str]] = []
    for _, of in itertools.groupby(sorted(files), key=lambda file: file.rpartition("/")[0]):
        groups += [list(some) for some in batched(of, TOGETHER)]
    return groups


def batched(things: Iterable[str], size: int) -> Iterator[list[str]]:
    """The things in lists of ``size`` (``itertools.batched`` needs Python 3.12)."""
    left = iter(things)
    while some := list(itertools.islice(left, size)):
        yield some


def _interval(killed: int, count: int) -> str:
    low, high = wilson_interval(killed, count)
    return f"{killed} of {count}, {killed / max(1, count):.1%} ({low:.1%} to {high:.1%})"


def _report(results: list[Result], positions: dict[str, int]) -> Iterator[str]:
    """The lines of the report."""
    rates: dict[str, float] = {}
    for package in (*PACKAGES, ""):
        of = [result for result in results if package in ("", result["package"])]
        if not of:
            continue
        ways = {way: sum(result["outcome"] == way for result in of) for way in ("killed", "hung", "crashed", "lived")}
        killed = len(of) - ways["lived"]
        rates[package] = killed / len(of)
        beside = [f"{ways[way]} {way}" for way in ("hung", "crashed") if ways[way]]
        refused = sum("numba" in result["why"] or "nopython" in result["why"] for result in of)
        beside += [f"{refused} refused by numba"] if refused else []
        there = f" of {positions[package]:,} positions" if package in positions else ""
        yield f"{package or 'all'}{there}: killed {_interval(killed, len(of))}" + (
            f"; among them {', '.join(beside)}" if beside else ""
        )
    if all(package in rates for package in positions):
        weighed = sum(positions[package] * rates[package] for package in positions) / max(1, sum(positions.values()))
        yield f"each package weighed by its positions: {weighed:.1%}"
    lived = sorted(
        (result for result in results if result["outcome"] == "lived"), key=lambda one: (one["path"], one["first"])
    )
    yield f"\n{len(lived)} lived:"
    for result in lived:
        mutant = _mutant(result)
        how = f"{result['ran']} tests" if result["seen"] else f"{result['ran']} tests, none seen to run the line"
        yield f"{mutant.path}:{mutant.first[0]} {mutant.operator} ({how})"
        yield from (
            f"    {line}"
            for line in difference((ROOT / mutant.path).read_text(encoding="utf-8"), mutant)
            if line != "-"
        )


def main() -> None:
    """Runs the command line of this tool."""
    told = _arguments()
    if importlib.util.find_spec("cosmic_ray") is None:
        raise _stop("cosmic-ray is missing: pip install -e '.[mutate]'")
    if told.sample < 1 or told.jobs < 1:
        raise _stop("--sample and --jobs must be at least 1")
    commit = _commit(told.commit)
    file = ROOT / "runs/mutate" / f"{commit}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    packages = told.package or list(USUAL)
    each = max(LEAST, math.ceil(told.sample / len(packages)))
    done = _read(file)
    samples, positions = [], {}
    for package in packages:
        drawn, positions[package] = _drawn(file, package, each, told.seed)
        samples.append(drawn)
    # packages take turns, so that an interrupted run has mutants of each
    mutants = [one for row in itertools.zip_longest(*samples) for one in row if one is not None]
    tests = _commit(told.tests) if told.tests else commit
    lived = {
        name
        for name, result in done.items()
        if result["outcome"] == "lived" and (result["tests"] != tests or result.get("near", 0.0) < told.near)
    }
    again = told.tests or told.again
    left = [mutant for mutant in mutants if (mutant.name in lived if again else mutant.name not in done)]
    if left and not told.report:
        _try(told, (commit, tests), file, mutants, left)
    tried = _read(file)
    print(*_report([tried[mutant.name] for mutant in mutants if mutant.name in tried], positions), sep="\n")


def _try(
    told: argparse.Namespace, commits: tuple[str, str], file: Path, mutants: list[Mutant], left: list[Mutant]
) -> None:
    trees = told.trees or Path(tempfile.gettempdir()) / "ochibot-mutate"
    slots = [Slot(trees / str(number), ROOT, commits, told.seed, told.near) for number in range(told.jobs)]
    run = Run(file, slots)
    # mutants that make kernels compile come last: each takes a quarter of a minute or more
    left.sort(key=lambda one: (slots[0].compiles(one), in_kernel((ROOT / one.path).read_text(encoding="utf-8"), one)))
    try:
        files = dict.fromkeys(name for mutant in left for name in near_files(slots[0].tree, nearest(mutant.path)))
        print(f"{len(left)} mutants; first the {len(files)} test files without any", flush=True)
        run.learn(list(files), watched(slots[0].tree, mutants))
        run.attempt(left, len(mutants) - len(left))
    except BrokenTreeError as error:
        raise _stop(str(error)) from None
    finally:
        for slot in slots:
            slot.close()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
