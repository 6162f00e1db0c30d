"""The tools that the cartridge is built with, as TOOLCHAIN.txt records them."""

from __future__ import annotations

import shutil
import subprocess
import zlib

from tests.homebrew.neogeo.driver import ROM

FOLDER = ROM.parent
PREFIX = "m68k-linux-gnu-"
TOOLS = {f"{PREFIX}gcc": "gcc-m68k-linux-gnu", f"{PREFIX}ld": "binutils-m68k-linux-gnu", "z80asm": "z80asm"}
"""Each tool and its Debian package."""


def missing() -> str:
    """What to install before the cartridge can be built; empty when all is there."""
    packages = sorted(package for tool, package in TOOLS.items() if shutil.which(tool) is None)
    return f"not installed: {', '.join(packages)}" if packages else ""


def versions() -> list[str]:
    """The first line of each tool's answer to --version, and the version of zlib."""
    found = []
    for tool in TOOLS:
        answer = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
        found.append((answer.stdout + answer.stderr).splitlines()[0])
    return [*found, f"zlib {zlib.ZLIB_RUNTIME_VERSION}"]


def recorded() -> list[str]:
    return (FOLDER / "TOOLCHAIN.txt").read_text(encoding="ascii").splitlines()
