"""Inputs that test the fuzzing itself. Most have a defect that it must find: a death, a hang or a bad message."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from ochibot.errors import OchibotError

from tests.fuzz.trial import Maker, Trial


def dies(_: random.Random, __: Path) -> Trial:
    return Trial(call=lambda: os.kill(os.getpid(), signal.SIGSEGV))


def leaves(_: random.Random, __: Path) -> Trial:
    return Trial(call=lambda: os._exit(3))


def hangs(_: random.Random, __: Path) -> Trial:
    return Trial(call=lambda: time.sleep(3600), limit=0.2)


def raises(dice: random.Random, _: Path) -> Trial:
    Path("input.bin").write_bytes(dice.randbytes(8))

    def call() -> None:
        raise KeyError("who")

    return Trial(("play", "--map", "input.bin"), call=call)


def _refuses(text: str) -> Maker:
    def make(_: random.Random, __: Path) -> Trial:
        def call() -> None:
            raise OchibotError(text)

        return Trial(call=call)

    return make


def stops(_: random.Random, __: Path) -> Trial:
    """Sends SIGINT to the parent, as Ctrl-C does, and waits."""

    def call() -> None:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(3600)

    return Trial(call=call)


def fine(_: random.Random, __: Path) -> Trial:
    return Trial(call=lambda: None)


def prints(_: random.Random, __: Path) -> Trial:
    """Prints to standard output, as a core may. The parent must not take the text for an answer of the worker."""
    return Trial(call=lambda: (os.write(1, b"hello\n"), print("hello", file=sys.stdout))[1])


MAKERS: dict[str, Maker] = {
    **{
        "fine": fine,
        "dies": dies,
        "leaves": leaves,
        "hangs": hangs,
        "raises": raises,
        "stops": stops,
        "prints": prints,
    },
    **{"two-lines": _refuses("one\ntwo"), "long": _refuses("much " * 100), "refuses": _refuses("give another")},
}
