"""Gives inputs to workers, notices workers that die or hang, counts the verdicts, and keeps the inputs that failed."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from tests.fuzz.seeds import ROOT
from tests.fuzz.trial import VERDICTS

MOST_SHOWN = 20
"""The most failures that are printed; all are kept."""


TO_BEGIN = 900
"""The most seconds until a worker begins with an input: before, it imports modules and may compile kernels."""


class Case(NamedTuple):
    """An input, identified by its kind and number."""

    kind: str
    number: int


@dataclass
class _Worker:
    """A process and the input that it is working on."""

    place: Path
    process: subprocess.Popen[bytes]
    case: Case | None = None
    command: str = ""
    since: float = 0.0
    until: float = 0.0
    told: bytes = b""

    def end(self) -> None:
        if self.process.poll() is None:
            # kills the whole process group, because a child of the worker may hang
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()


@dataclass
class Fuzzing:
    """One run. folder: for temporary files. keep: where failing inputs go."""

    seed: int
    cases: list[Case]
    folder: Path
    keep: Path
    out: TextIO
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    took: Counter[str] = field(default_factory=Counter)
    """Milliseconds by kind, summed over all workers. A worker's first input includes the worker's start."""
    failures: list[dict[str, str]] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    _workers: list[_Worker] = field(default_factory=list)

    def run(self, jobs: int) -> None:
        """Run all inputs. Raises KeyboardInterrupt after Ctrl-C, and SystemExit when the seeds can't be made."""
        began = time.monotonic()
        seeds = self.folder / "seeds"
        seeds.mkdir()
        try:
            make = self._command(seeds, "--make", *{case.kind for case in self.cases})
            made = subprocess.run(make, cwd=ROOT, env=self._env(), stderr=subprocess.PIPE, text=True, check=False)
            if made.returncode:
                raise SystemExit(f"the sound files to be damaged can't be made here: {made.stderr}")
            waiting = list(reversed(self.cases))
            with selectors.DefaultSelector() as ready:
                for number in range(min(jobs, len(waiting))):
                    self._start(number, seeds, ready)
                    self._hand_out(self._workers[number], waiting)
                while any(worker.case for worker in self._workers):
                    for key, _ in ready.select(1):
                        worker = self._workers[key.data]
                        told = os.read(key.fd, 1 << 16)
                        if told:
                            self._listen(worker, told)
                        else:
                            code = worker.process.wait()
                            how = f"dies of {signal.Signals(-code).name}" if code < 0 else f"ends with code {code}"
                            self._replace(worker, f"the process {how}", seeds, ready)
                        if worker.case is None and not told:
                            worker = self._workers[key.data]
                        if worker.case is None:
                            self._hand_out(worker, waiting)
                    for number, worker in enumerate(self._workers):
                        if worker.case is not None and time.monotonic() > worker.until:
                            self._replace(worker, "hangs: it doesn't come to an end", seeds, ready)
                            self._hand_out(self._workers[number], waiting)
        finally:
            self.seconds = time.monotonic() - began

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.end()

    def _command(self, *words: Path | str) -> list[str]:
        return [sys.executable, "-m", "tests.fuzz.worker", *map(str, words)]

    def _env(self) -> dict[str, str]:
        parts = (str(ROOT / "bot"), str(ROOT), os.environ.get("PYTHONPATH", ""))
        return {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in parts if part)}

    def _start(self, number: int, seeds: Path, ready: selectors.BaseSelector) -> None:
        place = self.folder / f"w{number}" / "in"
        place.parent.mkdir(exist_ok=True)
        # the worker's stderr goes to a file, which is read when the worker has died or hangs
        with (place.parent / "stderr").open("wb") as errors:
            process = subprocess.Popen(
                self._command(seeds, place),
                cwd=ROOT,
                env={**self._env(), "PYTHONFAULTHANDLER": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,  # so Ctrl-C reaches this process only, and ``end`` can kill the group
            )
        self._workers[number : number + 1] = [_Worker(place, process)]
        assert process.stdout is not None
        ready.register(process.stdout, selectors.EVENT_READ, number)

    def _replace(self, worker: _Worker, how: str, seeds: Path, ready: selectors.BaseSelector) -> None:
        """Replaces a worker that has died or hangs. The input that it was working on, if any, counts as failed."""
        assert worker.process.stdout is not None
        ready.unregister(worker.process.stdout)
        worker.end()
        said = (worker.place.parent / "stderr").read_text(encoding="utf-8", errors="replace")[-1500:]
        self._take(worker, f"{how}\n{said}".strip())
        self._start(self._workers.index(worker), seeds, ready)

    def _hand_out(self, worker: _Worker, waiting: list[Case]) -> None:
        if not waiting:
            return
        worker.case, worker.command, worker.told, worker.since = waiting.pop(), "", b"", time.monotonic()
        worker.until = worker.since + TO_BEGIN
        assert worker.process.stdin is not None
        asked = {"seed": self.seed, "kind": worker.case.kind, "number": worker.case.number}
        try:
            worker.process.stdin.write(json.dumps(asked).encode() + b"\n")
            worker.process.stdin.flush()
        except BrokenPipeError:
            return  # the worker has died: ``run`` notices this when it reads the end of its output

    def _listen(self, worker: _Worker, told: bytes) -> None:
        *lines, worker.told = (worker.told + told).split(b"\n")
        for line in lines:
            answer = json.loads(line)
            if "command" in answer:
                worker.command = answer["command"]
                worker.until = time.monotonic() + answer["limit"]
            if "verdict" in answer:
                self._take(worker, answer["verdict"])

    def _take(self, worker: _Worker, verdict: str) -> None:
        case, worker.case = worker.case, None
        if case is None:
            return
        self.took[case.kind] += round(1000 * (time.monotonic() - worker.since))
        count = self.counts.setdefault(case.kind, Counter())
        count[verdict if verdict in VERDICTS else "failed"] += 1
        if verdict not in VERDICTS:
            self._keep(case, worker, verdict)

    def _keep(self, case: Case, worker: _Worker, verdict: str) -> None:
        target = self.keep / f"seed{self.seed}-{case.kind}-{case.number}"
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        if worker.place.exists():
            # a link stays a link: one of them leads to a device without an end
            shutil.copytree(worker.place, target, symlinks=True)
        target.mkdir(exist_ok=True)
        again = f"python -m tests.fuzz --seed {self.seed} --only {case.kind}:{case.number}"
        told = f"{again}\ncd {target.name}; {worker.command}\n\n{verdict}\n"
        (target / "COMMAND.txt").write_text(told, encoding="utf-8", errors="backslashreplace")
        last = verdict.strip().splitlines()[-1]
        self.failures.append({"kind": case.kind, "again": again, "command": worker.command, "verdict": verdict})
        if len(self.failures) <= MOST_SHOWN:
            shown = f"FAILED {case.kind} {case.number}: {worker.command}\n  {last[:300]}\n  again: {again}"
            print(shown.encode("utf-8", "backslashreplace").decode(), file=self.out, flush=True)

    def lines(self) -> list[str]:
        """The counts as a table, for people to read."""
        heads = (*VERDICTS, "failed")
        rows = [f"{'':10}" + "".join(f"{head:>11}" for head in heads)]
        rows += [f"{kind:10}" + "".join(f"{count[head]:11,}" for head in heads) for kind, count in self.counts.items()]
        whole = Counter[str]()
        for count in self.counts.values():
            whole += count
        rows.append(f"{'in all':10}" + "".join(f"{whole[head]:11,}" for head in heads))
        done, of = whole.total(), len(self.cases)
        ended = f"interrupted after {done:,} of {of:,} inputs" if self.interrupted else f"{done:,} inputs"
        rows.append(f"{ended} in {self.seconds:.0f} s, seed {self.seed}")
        if self.failures:
            rows.append(f"{len(self.failures)} failed; they are kept in {self.keep}")
        return rows

    def report(self) -> dict[str, Any]:
        """The counts and the failures as plain values, for JSON."""
        counts = {kind: {head: count[head] for head in (*VERDICTS, "failed")} for kind, count in self.counts.items()}
        done = sum(sum(count.values()) for count in counts.values())
        return {
            "seed": self.seed,
            "inputs": done,
            "asked": len(self.cases),
            "kinds": counts,
            "failed": len(self.failures),
            "failures": self.failures,
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 1),
            "seconds_by_kind": {kind: round(milliseconds / 1000, 1) for kind, milliseconds in self.took.items()},
            "holds": not self.failures and done == len(self.cases),
        }
