"""Defects, to see that they are found: a process that dies, one that hangs, and messages that are none."""

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
    """Ctrl-C is pressed: the parent gets the signal."""

    def call() -> None:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(3600)

    return Trial(call=call)


def fine(_: random.Random, __: Path) -> Trial:
    return Trial(call=lambda: None)


def prints(_: random.Random, __: Path) -> Trial:
    """What a core prints is no answer of the worker's."""
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
