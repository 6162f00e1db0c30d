"""A process that imports the large packages once and forks for each trial, which then imports only Ochibot.

The process runs in a copy of the commit with its own cache folder. It reads jobs from stdin and writes answers to
stdout, each as one line of JSON. A job names tests; the answer says which test failed first, or how else the job ended.
With ``watch`` it runs all tests, and reports how long each took and which of the watched lines each ran.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_IMPORTED: Final = (
    "hypothesis", "hypothesis.extra.numpy", "numba", "numpy", "pydantic", "pytest", "rich.console", "scipy.stats",
    "typer", "yaml", "PIL.Image", "libretro",
)  # fmt: skip
_MEMORY: Final = 8 << 30
_FILE: Final = 1 << 30
"""A trial's address space and each of its files may have at most so many bytes: a mutant must not fill the machine."""
_MONITORING: Final[Any] = getattr(sys, "monitoring", None)
"""None in Python 3.11: no lines can be watched there, so a mutant may be tried against any near test."""
_TOOL: Final = 4
"""A tool number of sys.monitoring that no usual tool has."""


def _processor_time() -> float:
    """The processor time of this process and its ended children: other work on the machine doesn't count."""
    return sum(os.times()[:4])


class Plugin:
    """The pytest plugin: it orders the tests, reports the running test through a pipe, and records the
    lines that run.
    """

    def __init__(self, job: dict[str, Any], pipe: int) -> None:
        self._pipe = pipe
        self._first = {name: number for number, name in enumerate(job["first"])}
        self._only: bool = job["only"]
        self._watch: dict[str, set[int]] = {name: set(lines) for name, lines in (job["watch"] or {}).items()}
        self._watches = job["watch"] is not None and _MONITORING is not None
        self._seen: set[tuple[str, int]] = set()

    def say(self, **what: object) -> None:
        """Sends one line of JSON to the parent process."""
        os.write(self._pipe, json.dumps(what).encode() + b"\n")

    def pytest_collection(self) -> None:
        """Sets up Hypothesis: it draws the same examples each time (--hypothesis-seed), stores none and
        shrinks none.
        """
        from hypothesis import Phase, settings

        usual = settings.get_profile("unhurried")
        settings.register_profile("mutants", usual, database=None, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")
        if self._watches:
            self._begin_watching()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Puts the tests of the job's ``first`` first, in that order; with ``only``, drops all other tests."""
        if self._only:
            items[:] = [item for item in items if item.nodeid in self._first]
        items.sort(key=lambda item: self._first.get(item.nodeid, len(self._first)))
        self.say(collected=len(items))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Reports which test begins."""
        self._seen.clear()
        if self._watches:
            _MONITORING.restart_events()
        self._began = _processor_time()
        self.say(begins=nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Reports a failed test and the reason."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = str(crash.message if crash else report.longrepr).strip().splitlines() or [""]
            self.say(failed=report.nodeid, why=why[0][:160])

    def pytest_collectreport(self, report: Any) -> None:
        """Reports a test file that can't be imported."""
        if report.failed:
            self.say(
                failed=report.nodeid or "collection", why=(str(report.longrepr).strip().splitlines() or [""])[-1][:160]
            )

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Reports how much processor time a test took, and which watched lines it ran."""
        lines = sorted(self._seen)
        self.say(ended=nodeid, seconds=round(_processor_time() - self._began, 3), lines=lines)

    def _begin_watching(self) -> None:
        monitoring = _MONITORING
        here = f"{Path.cwd()}/"

        def line(code: Any, number: int) -> object:
            path: str = code.co_filename
            if path.startswith(here) and number in self._watch.get(path[len(here) :], ()):
                self._seen.add((path[len(here) :], number))
            return monitoring.DISABLE

        monitoring.use_tool_id(_TOOL, "mutate")
        monitoring.register_callback(_TOOL, monitoring.events.LINE, line)
        monitoring.set_events(_TOOL, monitoring.events.LINE)


def _keep_machine_code(file: str, source: str) -> None:
    """Lets a library of kernels find its machine code although ``file`` is changed. The code must not depend on it.

    The library's folder is named after a digest of all its sources, so ``file``, when read as bytes, gets the unchanged
    text ``source``. Nothing else in Ochibot reads a source as bytes.
    """
    plain = Path.read_bytes

    def read_bytes(self: Path) -> bytes:
        return source.encode() if str(self) == file else plain(self)

    Path.read_bytes = read_bytes  # type: ignore[method-assign]


def _run(job: dict[str, Any], pipe: int) -> None:
    """Runs a job in the child process. It never returns."""
    os.setsid()
    code = 3
    try:
        for what, limit in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_FSIZE, _FILE), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(what, (limit, limit))
        log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.update(job["environment"])
        if job["kept"] is not None:
            _keep_machine_code(*job["kept"])
        import pytest

        plugin = Plugin(job, pipe)
        stop = () if job["watch"] is not None else ("-x",)
        options = ("-q", *stop, "-m", job["marks"], "--durations=0", "--tb=short", f"--hypothesis-seed={job['seed']}")
        off = ("-p", "no:cacheprovider", "-p", "no:xdist", "--basetemp", job["temporary"])
        code = int(pytest.main([*options, *off, *job["tests"]], plugins=[plugin]))
        plugin.say(code=code)
    finally:
        os._exit(code)


def _lines(pipe: int, child: int, limit: float, allowed: dict[str, float]) -> Iterator[dict[str, Any]]:
    """Yields the child's reports, and last its exit ``status``, or ``late`` if it exceeded a limit and was killed.

    allowed: seconds for each test. limit: seconds for everything outside tests (imports, module fixtures), and for
    tests that ``allowed`` doesn't name.
    """
    data, until = b"", time.monotonic() + limit
    while True:
        readable, _, _ = select.select([pipe], [], [], 0.05)
        block = os.read(pipe, 1 << 16) if readable else b""
        data += block
        while b"\n" in data:
            line, data = data.split(b"\n", 1)
            told = json.loads(line)
            until = time.monotonic() + allowed.get(told.get("begins", ""), limit)
            yield told
        if not block:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                if select.select([pipe], [], [], 0)[0] and (rest := os.read(pipe, 1 << 20)):
                    yield from (json.loads(line) for line in (data + rest).splitlines() if line.endswith(b"}"))
                yield {"status": os.waitstatus_to_exitcode(status)}
                return
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            yield {"late": True}
            return


def _trial(job: dict[str, Any]) -> dict[str, Any]:
    for folder in (job["temporary"], ".hypothesis"):
        shutil.rmtree(folder, ignore_errors=True)
    pipe, inner = os.pipe()
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(pipe)
        _run(job, inner)
    os.close(inner)
    answer: dict[str, Any] = {"tests": {}, "failed": [], "ran": 0, "test": "", "why": ""}
    for told in _lines(pipe, child, job["limit"], job["allowed"]):
        if "begins" in told:
            answer["test"] = told["begins"]
            answer["ran"] += 1
        elif "failed" in told:
            answer["failed"].append(told["failed"])
            answer["test"], answer["why"] = told["failed"], told["why"]
        elif "ended" in told and job["watch"] is not None:
            answer["tests"][told["ended"]] = {"seconds": told["seconds"], "lines": told["lines"]}
        elif {"code", "status", "late"} & told.keys():
            answer |= told
    os.close(pipe)
    with contextlib.suppress(ProcessLookupError):  # processes that the child has started and left running
        os.killpg(child, signal.SIGKILL)
    return answer | {"seconds": round(time.perf_counter() - began, 2)}


def main() -> None:
    """Answers jobs until stdin ends."""
    import importlib

    for name in _IMPORTED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(_trial(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
