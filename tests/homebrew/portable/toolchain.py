"""The tools that Kodama is built with, as TOOLCHAIN.txt records them."""

from __future__ import annotations

import shutil
import subprocess

from ochibot.data import data_path

FOLDER = data_path("roms/homebrew/portable")
ROMS = {
    "gb": "kodama.gb",
    "gg": "kodama.gg",
    "sms": "kodama.sms",
    "snes": "kodama.sfc",
    "pce": "kodama.pce",
    "gba": "kodama.gba",
}
TOOLS = {"gb": "sdcc", "gg": "sdcc", "sms": "sdcc", "snes": "cc65", "pce": "cc65", "gba": "arm-none-eabi-gcc"}
"""The compiler of each console."""


def problem(console: str) -> str:
    """Why the console's ROM can't be built here to the same bytes; empty when it can."""
    tool = TOOLS[console]
    if shutil.which(tool) is None:
        return f"not installed: {tool}"
    said = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
    version = (said.stdout + said.stderr).splitlines()[0]
    recorded = (FOLDER / "TOOLCHAIN.txt").read_text(encoding="ascii").splitlines()
    # SDCC lists the processors that it compiles for before its version
    known = any(
        line == version or (tool == "sdcc" and version.endswith(line.removeprefix("SDCC "))) for line in recorded
    )
    return "" if known else f"the tool is {version}; recorded are {recorded}"
