"""The process behind ``tests.commands``: it imports what commands import, then forks one child for each request."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from typing import NoReturn

import ochibot.cli

from tests.commands import LONGEST

IMPORTED = [
    *("rich.console", "rich.live", "typer.rich_utils", "PIL.Image", "PIL.GifImagePlugin", "PIL.PngImagePlugin"),
    *("concurrent.futures.process", "scipy.optimize", "scipy.stats", "pydantic"),
    *("ochibot.console.host", "ochibot.record", "ochibot.record.movies", "ochibot.record.video.animation"),
    *("ochibot.lab.contest.rating", "ochibot.lab.endless", "ochibot.review.judging"),
    *("ochibot.puyo.search.chain.player", "ochibot.experiments.run"),
    *(f"ochibot.cli.{module.name}" for module in pkgutil.iter_modules(ochibot.cli.__path__)),
]
"""What commands import, whichever they are: most of the time of a short one."""


def serve(requests: socket.socket) -> None:
    """Take requests until the tests have ended. Sends a child's exit code to the socket that came with its request."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    answers: dict[int, socket.socket] = {}
    while True:
        watched = [requests.fileno(), woken, *(answer.fileno() for answer in answers.values())]
        ready = set(select.select(watched, [], [])[0])
        if woken in ready:
            os.read(woken, 4096)
            _reap(answers)
        for pid, answer in list(answers.items()):
            if answer.fileno() in ready:  # the test that asked is gone, so nobody waits for this command any more
                os.kill(pid, signal.SIGKILL)
                answers.pop(pid).close()
        if requests.fileno() in ready:
            words, files, _, _ = socket.recv_fds(requests, LONGEST, 4)
            if not words:
                return
            answer = socket.socket(fileno=files.pop())
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                _become(json.loads(words), files)
            answers[pid] = answer
            for file in files:
                os.close(file)


def _reap(answers: dict[int, socket.socket]) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid in answers:
                with answers.pop(pid) as answer, contextlib.suppress(OSError):
                    answer.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(request: dict[str, object], files: list[int]) -> NoReturn:
    """Become the command, in the forked child. Never returns: the process ends with the command's exit code."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, file in enumerate(files):
            os.dup2(file, number)
        os.closerange(3, 256)
        os.environ.clear()
        os.environ.update(request["env"])  # type: ignore[call-overload]
        os.chdir(str(request["cwd"]))
        sys.argv = ["ochibot", *request["words"]]  # type: ignore[misc]
        from ochibot.cli.main import script

        script()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """Import the modules, load the kernels, then serve."""
    for name in IMPORTED:
        importlib.import_module(name)
    from ochibot.falling.player import prepare
    from ochibot.games import find_game
    from ochibot.games.choosing import find_rules
    from ochibot.players import open_player

    for title in map(find_game, ("puyo", "tsu", "nyaa")):
        prepare(open_player(None, title, find_rules(title)))
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
