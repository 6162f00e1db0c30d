"""Tries mutants, each in a copy of the commit, against the nearest tests, in a process of its own."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mutating.nearest import ALL, LONG, near_files, nearest
from mutating.sample import Mutant, around, at_import, digest, has_kernels, in_kernel, mutated, statement, users

_ZYGOTE: Final = Path(__file__).with_name("zygote.py")
_CALLED: Final = Path(__file__).with_name("called.py")
_LATER: Final = 1000
"""A changed file's time is this many seconds later than the tree's, so that Python uses no bytecode of
another version.
"""
_COMPILED: Final = ("bot/ochibot/puyo/", "bot/ochibot/nyaa/")
"""Modules that kernels may import. Most changes of these make kernels compile anew, into a cache folder
of the trial.
"""


@dataclass(frozen=True)
class Patience:
    """How many seconds a test may take before its mutant counts as hanging: ``least`` plus ``factor`` times its usual
    time, and ``compiling`` more if kernels are compiled, but at most ``most``.
    """

    least: float = 30.0
    compiling: float = 60.0
    factor: float = 15.0
    most: float = 240.0
    base: float = 300.0
    """The limit for a test of the unchanged tree, which may compile kernels."""


@dataclass
class Known:
    """The results of a test file in the unchanged tree: the seconds of each test, and the lines that each ran."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    digest: str = ""
    """The digest of the file."""

    @property
    def total(self) -> float:
        """The seconds of the whole file."""
        return sum(self.seconds.values())


LOADERS: Final = {"bot/ochibot/jit/library.py": "load", "bot/ochibot/puyo/kernels/engine.py": "kernel"}
"""The functions that load kernels. A test that runs one of them needs kernels, which a trial may have to compile."""

QUICK: Final = 1.5
"""Tests of a kernel that take no more seconds than this come before all others."""

KERNELS_SHARE: Final = 3
"""The tests of a kernel may take this many times as long as those of other code, because the
lines that run inside a kernel can't be watched.
"""


class BrokenTreeError(Exception):
    """A test fails even without a mutant."""


class Slot:
    """A tree of a commit in a folder, with a cache of kernels and a process that forks for each trial."""

    def __init__(self, folder: Path, root: Path, commits: tuple[str, str], seed: int, near: float) -> None:
        """``commits``: that of the code and that of the tests. ``near``: seconds of near tests (see ``chosen``)."""
        commit, self._tests = commits
        self.tree = folder / "tree"
        self._cache = folder / "cache"
        self._own_cache = folder / "trial-cache"
        self._temporary = folder / "temporary"
        self._log = folder / "log.txt"
        self._seed = seed
        self._near = near
        self._changed = 0
        self._called: set[tuple[str, int]] | None = None
        self._patience = Patience()
        marker = folder / "commit"
        if not marker.exists() or marker.read_text() != commit:
            # the cache stays: a library of kernels lies in a folder named after a digest of its sources
            for old in (self.tree, self._own_cache, self._temporary):
                shutil.rmtree(old, ignore_errors=True)
            self.tree.mkdir(parents=True)
        # always done, because a killed run may have left a mutant there
        shutil.rmtree(self.tree / "tests", ignore_errors=True)
        for name, parts in ((commit, ()), (self._tests, ("tests",))):
            archive = subprocess.run(["git", "archive", name, *parts], cwd=root, capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", str(self.tree)], input=archive, check=True)
        marker.write_text(commit)
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(_ZYGOTE)],
            cwd=self.tree,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _environment(self) -> dict[str, str]:
        paths = os.pathsep.join(str(self.tree / name) for name in ("bot", "tests/outside"))
        return os.environ | {
            "PYTHONPATH": paths,
            "XDG_CACHE_HOME": str(self._cache),
            # a mutant may have the size and the second of what was compiled before it
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def kernels(self) -> set[str]:
        """The libraries of kernels that are in the cache."""
        return {path.name for path in (self._cache / "ochibot").glob("*-*")}

    def compiles(self, mutant: Mutant) -> bool:
        """Whether the machine code of kernels may differ with a mutant.

        It can't if the mutant lies in a function of a file without kernels, and nothing calls that function when
        the modules of kernels are imported. Then the kernels' sources, and all values that they import, are unchanged.
        """
        if not mutant.path.startswith(_COMPILED):
            return False
        source = (self.tree / mutant.path).read_text(encoding="utf-8")
        if has_kernels(source) or at_import(source, mutant):
            return True
        if self._called is None:
            modules = [
                str(file.relative_to(self.tree / "bot").with_suffix("")).replace("/", ".")
                for room in _COMPILED
                for file in sorted((self.tree / room).rglob("*.py"))
                if has_kernels(file.read_text(encoding="utf-8"))
            ]
            command = [sys.executable, str(_CALLED), *modules]
            done = subprocess.run(
                command, cwd=self.tree, env=self._environment(), capture_output=True, text=True, check=True
            )
            self._called = {(path, line) for path, line in json.loads(done.stdout)}
        return any((mutant.path, line) in self._called for line in around(source, mutant))

    def known(self, files: list[str], watch: dict[str, list[int]]) -> dict[str, Known]:
        """Runs test files in the unchanged tree. Raises BrokenTreeError where a test fails."""
        limit = self._patience.base
        answer = self._ask(files, [], watch, limit, {}, self._cache, only=False)
        if answer.get("code") not in (0, 5):
            raise BrokenTreeError(f"{files} fail without a mutant: {answer['test']} {answer['why']}\n{self._log}")
        known = {file: Known(digest=digest_of(self.tree / file)) for file in files}
        for name, told in answer["tests"].items():
            of = known[name.split("::")[0]]
            of.seconds[name] = told["seconds"]
            of.lines[name] = {(path, line) for path, line in told["lines"]}
        return known

    def attempt(self, mutant: Mutant, known: dict[str, Known]) -> dict[str, Any]:
        """Tries a mutant. Meanwhile the file on disk is changed."""
        file = self.tree / mutant.path
        source = file.read_text(encoding="utf-8")
        text = mutated(source, mutant.operator, mutant.occurrence)
        assert text is not None
        compiles = self.compiles(mutant)
        files, first, seen = chosen(self.tree, mutant, source, known, self._near, compiles=compiles)
        patience, cache = self._patience, self._own_cache if compiles else self._cache
        more = patience.compiling if compiles else 0.0
        allowed = {
            name: min(patience.most, patience.least + more + patience.factor * seconds)
            for tests in files
            for name, seconds in known[tests].seconds.items()
        }
        if compiles:
            shutil.rmtree(cache, ignore_errors=True)
            shutil.copytree(self._cache, cache, symlinks=True)
        before = file.stat()
        self._changed += 1
        try:
            file.write_text(text, encoding="utf-8")
            later = before.st_mtime + _LATER + self._changed
            os.utime(file, (later, later))
            kept = None if compiles else (str(file), source)
            answer = self._ask(files, first, None, patience.least + more, allowed, cache, only=True, kept=kept)
        finally:
            file.write_text(source, encoding="utf-8")
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        return {
            **dataclasses.asdict(mutant),
            "name": mutant.name,
            "tests": self._tests,
            "near": self._near,
            "outcome": outcome(answer),
            "test": answer["test"] if outcome(answer) != "lived" else "",
            "why": answer["why"],
            "ran": answer["ran"],
            "seen": seen,
            "seconds": answer["seconds"],
        }

    def _ask(
        self,
        tests: list[str],
        first: list[str],
        watch: dict[str, list[int]] | None,
        limit: float,
        allowed: dict[str, float],
        cache: Path,
        *,
        only: bool,
        kept: tuple[str, str] | None = None,
    ) -> dict[str, Any]:
        """Sends a job to the process and returns its answer.

        ``kept``: a file and its text without the mutant, if the machine code of kernels doesn't depend on that file.
        """
        job = {
            "tests": tests,
            "marks": "not proof" if LONG.intersection(tests) else "not long and not proof",
            "first": first,
            "only": only,
            "kept": kept,
            "watch": watch,
            "limit": limit,
            "allowed": allowed,
            "seed": self._seed,
            "temporary": str(self._temporary),
            "log": str(self._log),
            "environment": {"XDG_CACHE_HOME": str(cache)},
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def outcome(answer: dict[str, Any]) -> str:
    """How a trial ended: ``killed`` by a test, ``hung``, ``crashed`` (the process died), or ``lived``."""
    if answer.get("late"):
        return "hung"
    code = answer.get("code")
    if code is None or code == 5:
        return "crashed"
    return "lived" if code == 0 else "killed"


def digest_of(file: Path) -> str:
    """A short digest of a file; empty if it doesn't exist."""
    return digest(file.read_text(encoding="utf-8")) if file.exists() else ""


def watched(root: Path, mutants: list[Mutant]) -> dict[str, list[int]]:
    """The lines of the mutants' statements, by file."""
    lines: dict[str, set[int]] = {}
    sources: dict[str, str] = {}
    for mutant in mutants:
        source = sources.setdefault(mutant.path, (root / mutant.path).read_text(encoding="utf-8"))
        begin, end = statement(source, mutant)
        lines.setdefault(mutant.path, set()).update(range(begin, end + 1), users(source, mutant))
    for path, name in LOADERS.items():
        lines.setdefault(path, set()).update(_lines_of(root / path, name))
    return {path: sorted(found) for path, found in lines.items()}


def _lines_of(file: Path, name: str) -> set[int]:
    """The lines of the bodies of a file's functions of that name."""
    return {
        line
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name == name
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def chosen(
    root: Path, mutant: Mutant, source: str, known: dict[str, Known], near: float, *, compiles: bool = False
) -> tuple[list[str], list[str], bool]:
    """(the test files for a mutant; the tests that it is tried against, in order; whether any test was seen to run the
    mutant's lines).

    Chooses the tests that were seen to run the lines, or to use the constant that they define, the quickest first; all
    near tests if none was seen, quick ones that are near to every module first. If the mutant ``compiles``, tests that
    need no kernels come before the others. Together they take up to ``near`` seconds in the unchanged tree, but at
    least one is taken. No test is seen to run the lines
    of a compiled kernel, so mutants of kernels are tried against all near tests, in the order of the table but with
    quick ones (``QUICK``) first, for up to ``KERNELS_SHARE`` times as long.
    """
    begin, end = statement(source, mutant)
    lines = {(mutant.path, line) for line in range(begin, end + 1)}
    files = near_files(root, nearest(mutant.path))
    seconds = {name: (taken, file) for file in files for name, taken in known[file].seconds.items()}
    running = {name for file in files for name, ran in known[file].lines.items() if not ran.isdisjoint(lines)}
    if at_import(source, mutant):
        # import runs these lines for all tests, but they are seen only in tests that import again
        lines = {(mutant.path, line) for line in users(source, mutant)}
        running = {name for file in files for name, ran in known[file].lines.items() if not ran.isdisjoint(lines)}
    if "/kernels/" in mutant.path or (not running and in_kernel(source, mutant)):
        order = [name for file in files for name in sorted(known[file].seconds, key=lambda one: seconds[one])]
        order.sort(key=lambda name: seconds[name][0] > QUICK)
        near, running = KERNELS_SHARE * near, set()
    else:
        loaders = {(path, line) for path, name in LOADERS.items() for line in _lines_of(root / path, name)}
        slow = {name for file in files for name, ran in known[file].lines.items() if not ran.isdisjoint(loaders)}
        # what no test runs, such as how a class is declared, is looked at by tests of all modules, if by any
        declared = {name for name, (taken, file) in seconds.items() if not running and file in ALL and taken <= QUICK}
        order = sorted(
            running or seconds, key=lambda name: (compiles and name in slow, name not in declared, seconds[name])
        )
    first: list[str] = []
    total = 0.0
    for name in order:
        total += seconds[name][0]
        if first and total > near:
            break
        first.append(name)
    return list(dict.fromkeys(seconds[name][1] for name in first)), first, bool(running)
