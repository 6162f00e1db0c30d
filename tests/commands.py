"""Commands of ochibot in processes of their own, without the imports that each would begin with.

A command imports for 0.3 to 0.9 s before it does anything, and the suite runs some hundreds. ``ochibot`` therefore
forks a process that has imported everything already. The child has its own folder, variables, arguments and files, so
it behaves as ``python -m ochibot`` does. Tests of signals, of starts and of the kernel cache start Python themselves.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
LONGEST: Final = 1 << 20
"""Every request has fewer bytes than this."""


class _Forker:
    """The process that has imported everything, and the socket on which it takes requests."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = [str(ROOT), str(ROOT / "bot"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forker", str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
        )
        theirs.close()
        atexit.register(self.close)

    def run(self, request: dict[str, Any], files: tuple[int, int, int], timeout: float) -> int:
        """Runs a command. Returns its exit code, negative for a signal.

        Raises TimeoutError after ``timeout`` seconds. The command is then killed.
        """
        answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with answers:
            with theirs:
                words = json.dumps(request).encode()
                assert len(words) < LONGEST
                socket.send_fds(self._ours, [words], [*files, theirs.fileno()])
            answers.settimeout(timeout)
            answer = answers.recv(64)
        if not answer:
            raise RuntimeError("the forking process has ended")
        return int(answer)

    def close(self) -> None:
        self._ours.close()
        self._process.wait(timeout=60)


_forker: _Forker | None = None
_lock = threading.Lock()


def ochibot(
    *args: object,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    input: str = "",
    timeout: float = 600,
) -> subprocess.CompletedProcess[str]:
    """Runs the command ``ochibot ARGS`` to its end. Without ``cwd`` and ``env``, it has those of the test.

    Raises TimeoutError when it takes longer than ``timeout`` seconds; it is killed then.
    """
    global _forker
    with _lock:
        if _forker is None:
            _forker = _Forker()
    words = [str(word) for word in args]
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        typed.write(input.encode())
        typed.seek(0)
        request = {"words": words, "cwd": str(cwd or Path.cwd()), "env": dict(os.environ) if env is None else env}
        code = _forker.run(request, (typed.fileno(), out.fileno(), err.fileno()), timeout)
        return subprocess.CompletedProcess(["ochibot", *words], code, _text(out), _text(err))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
