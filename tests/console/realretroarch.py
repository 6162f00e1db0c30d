"""Starts a stock RetroArch without a screen, with the settings of docs/retroarch.md, for tests and proofs.

With null drivers RetroArch runs as fast as it can; ``vrr_runloop_enable`` holds it at 60 frames a second. Where no
session bus can be started, D-Bus would end RetroArch 1.14 for a warning (``DBUS_FATAL_WARNINGS``).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ochibot.console import find_cores
from ochibot.console.netcommands import Address, Commands
from ochibot.errors import ConsoleError

from tests.commands import ROOT
from tests.console.fakeretroarch import OCHIDAMA, two_sockets

MISSING = "no retroarch here with the core nestopia (apt packages retroarch, libretro-nestopia)"
HEADLESS = """
video_driver = "null"
audio_driver = "null"
input_driver = "null"
input_joypad_driver = "null"
menu_driver = "null"
pause_nonactive = "false"
config_save_on_exit = "false"
vrr_runloop_enable = "true"
"""


def found() -> bool:
    """Whether there is a RetroArch with the core here."""
    return shutil.which("retroarch") is not None and bool(find_cores("nestopia"))


@dataclass(frozen=True)
class Running:
    """A RetroArch that runs. log: what it has printed."""

    address: Address
    process: subprocess.Popen[Any]
    log: Path

    @property
    def where(self) -> str:
        """The address as an option has it."""
        return f"localhost:{self.address.port}:{self.address.pad_port}"


def settings(port: int, pad_port: int) -> str:
    """The settings that the page names, with other ports."""
    (block,) = re.findall(r"```text\n(network_cmd.*?)```", (ROOT / "docs/retroarch.md").read_text(), re.DOTALL)
    return str(block).replace("55355", str(port)).replace("55400", str(pad_port))


@contextlib.contextmanager
def started(folder: Path, rom: Path = OCHIDAMA, further: str = HEADLESS) -> Iterator[Running]:
    """Runs a RetroArch of its own with our cartridge in Nestopia; it has ended after the block."""
    program = shutil.which("retroarch")
    assert program is not None
    pads = two_sockets()
    pad_port = pads[0].getsockname()[1]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    for pad in pads:
        pad.close()
    config = folder / "retroarch.cfg"
    config.write_text(settings(port, pad_port) + further)
    words = [program, "--verbose", "--config", str(config), "-L", str(find_cores("nestopia")[0].path), str(rom)]
    log = folder / "log"
    env = {**os.environ, "DBUS_FATAL_WARNINGS": "0"}
    with log.open("w") as out, subprocess.Popen(words, stdout=out, stderr=out, cwd=folder, env=env) as process:
        try:
            there = Running(Address("127.0.0.1", port, pad_port), process, log)
            await_game(there)
            yield there
        finally:
            process.kill()


def await_game(there: Running) -> None:
    """Waits until it plays. Raises ConsoleError if it never does."""
    for number in range(20):
        commands = Commands(there.address)
        try:
            if commands.status().state == "PLAYING":
                return
        except ConsoleError:
            if number == 19 or there.process.poll() is not None:
                raise
            with contextlib.suppress(subprocess.TimeoutExpired):
                there.process.wait(timeout=0.5)
        finally:
            commands.close()
