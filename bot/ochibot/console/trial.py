"""Tries a savestate from outside in a process of its own first: a core may crash on one, or hang.

``try_states`` starts ``python -m ochibot.console.trial``. That process opens the same core and ROM, loads each state,
plays some frames and closes. A state that kills the process is refused. Passing shows that a state is sound for those
frames, not for ever.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ochibot.console.rom import Rom
from ochibot.console.systems import RamLayout, System, register_system, system_names
from ochibot.errors import ConsoleError

FRAMES = 600
"""Frames that a state is played for, with all buttons: ten seconds of the machine's time. Several share them."""

AT_ONCE = 10
"""States that a process tries at the most: each is played for a second at least."""

CPU_SECONDS = 15
"""The processor's time that a trial may take; it takes about one second."""

SECONDS = 300
"""The time that it may take at all, on a machine that is busy with others."""

COMMAND = (sys.executable, "-P", "-m", "ochibot.console.trial")

_OPENED, _REFUSED, _FINE = b"o", b"r", b"f"


@dataclass(frozen=True)
class Trial:
    """What to try, and in what: one state, or up to AT_ONCE."""

    core: Path
    rom: Rom
    layout: RamLayout
    options: Mapping[str, str]
    bios: Path | None
    states: tuple[bytes, ...]


def try_states(trial: Trial) -> None:
    """Try savestates. Raises ConsoleError when the core refuses one, dies of it or does not come back."""
    with tempfile.TemporaryDirectory(prefix="ochibot-") as folder:
        # a process that dies leaves its files behind: they lie in a folder of ours
        env = {**os.environ, "TMPDIR": folder, "TEMP": folder, "TMP": folder}
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
                # a Ctrl-C is for us, and would look like a crash of the core
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
    """No memory dump of a crash, and not for ever."""
    try:
        import resource
    except ImportError:  # Windows; the time limit of try_states is all there
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # the hard limit stays where it is: the soft one kills with a signal of its own
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _play(trial: Trial, output: int) -> None:
    from ochibot.console.console import Console

    if trial.rom.system not in system_names():
        # a row from outside; nothing of it but the layout is used

        def load(path: Path, folder: Path | None, sets: object) -> Rom:  # noqa: ARG001
            return trial.rom

        register_system(System(trial.rom.system, "", (), trial.layout, load))
    with Console.open(trial.core, trial.rom, options=trial.options, bios=trial.bios) as console:
        # a core takes a savestate surely only after it has run once
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
    """The process that ``try_states`` starts: a pickled Trial on standard input, letters on standard output."""
    _limit()
    trial = pickle.load(sys.stdin.buffer)
    # cores may print
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    _play(trial, output)


if __name__ == "__main__":
    # under its own name, so that the class that was pickled is found
    from ochibot.console import trial

    trial.main()
