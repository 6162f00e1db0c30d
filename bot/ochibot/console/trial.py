"""Tries a savestate that comes from a file in a separate process first, because a core may crash or hang on it.

``try_states`` starts ``python -m ochibot.console.trial``. That process opens the same core and ROM, loads each state,
plays some frames and closes. A state that kills the process is refused. A state that passes could still do harm later.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ochibot.console.rom import Rom
from ochibot.console.systems import RamLayout, System, register_system, system_names
from ochibot.errors import ConsoleError
from ochibot.leftovers import TemporaryFolder

FRAMES = 600
"""How many frames a trial plays, with all buttons (ten seconds). If it has several states, they share these frames."""

AT_ONCE = 10
"""The most states that one process tries, so that each is played for at least a second."""

CPU_SECONDS = 15
"""The most processor time of a trial, in seconds. A trial usually takes about one second."""

SECONDS = 300
"""The most time by the clock, in seconds. It is long, because the machine may be busy with other programs."""

COMMAND = (sys.executable, "-P", "-m", "ochibot.console.trial")

_OPENED, _REFUSED, _FINE = b"o", b"r", b"f"


@dataclass(frozen=True)
class StateTrial:
    """The core, the ROM and the states to try, at most AT_ONCE."""

    core: Path
    rom: Rom
    layout: RamLayout
    options: Mapping[str, str]
    bios: Path | None
    states: tuple[bytes, ...]


def try_states(trial: StateTrial) -> None:
    """Tries savestates. Raises ConsoleError when the core refuses one, crashes or hangs."""
    with TemporaryFolder() as folder:
        # a process that crashes leaves its files behind, so they lie in a folder that we remove
        env = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))}
        home = str(Path(__file__).resolve().parents[2])
        env["PYTHONPATH"] = os.pathsep.join(part for part in (home, os.environ.get("PYTHONPATH")) if part)
        try:
            done = subprocess.run(
                COMMAND,
                input=pickle.dumps(trial),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=env,
                timeout=SECONDS,
                # in its own session: otherwise Ctrl-C would end it, which would look like a crash of the core
                start_new_session=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ConsoleError("the core hangs on it") from None
        except OSError as error:
            raise ConsoleError(f"it can't be tried in a process of its own ({error.strerror or error})") from None
    _judge(done.returncode, done.stdout)


def _judge(code: int, output: bytes) -> None:
    """Raises ConsoleError unless the output and exit code of the process show that the state is sound."""
    if _FINE in output and code == 0:
        return
    if _REFUSED in output:
        raise ConsoleError("the core refuses it")
    if _OPENED not in output:
        raise ConsoleError(f"it can't be tried in a process of its own, which ended with {_ending(code)}")
    if code == -getattr(signal, "SIGXCPU", 0):
        raise ConsoleError("the core hangs on it")
    raise ConsoleError(f"the core crashes on it ({_ending(code)})")


def _ending(code: int) -> str:
    with contextlib.suppress(ValueError):
        if code < 0:
            return signal.Signals(-code).name
    return f"code {code}"


def _limit() -> None:
    """Limits this process: no core dump after a crash, and a limited processor time."""
    if sys.platform == "win32":  # there, only the time limit in try_states applies
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Only the soft limit is lowered: passing it sends SIGXCPU, by which ``_judge`` recognises a hang.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _play(trial: StateTrial, output: int) -> None:
    from ochibot.console.console import Console

    if trial.rom.system not in system_names():
        # a system registered from outside; only its memory layout is needed here

        def load(path: Path, folder: Path | None, sets: object) -> Rom:  # noqa: ARG001
            return trial.rom

        register_system(System(trial.rom.system, "", (), trial.layout, load))
    with Console.open(trial.core, trial.rom, options=trial.options, bios=trial.bios) as console:
        # some cores load a savestate reliably only after they have run one frame
        console.step()
        os.write(output, _OPENED)
        for state in trial.states:
            try:
                console.load(state)
            except ConsoleError:
                os.write(output, _REFUSED)
                return
            for frame in range(FRAMES // len(trial.states)):
                console.step(1 << (frame // 7) % 9, 1 << (frame // 5) % 9)
            console.save()
    os.write(output, _FINE)


def main() -> None:
    """Runs in the process that ``try_states`` starts: reads a pickled Trial from stdin, writes its progress to stdout.

    It writes one letter for each step (_OPENED, _REFUSED, _FINE).
    """
    _limit()
    trial = pickle.load(sys.stdin.buffer)
    # cores may print to stdout, so the letters go to a copy of it
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _play(trial, output)


if __name__ == "__main__":
    # the pickle names the class Trial of this module, not of ``__main__``
    from ochibot.console import trial

    trial.main()
