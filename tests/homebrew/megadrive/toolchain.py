"""The tools that the cartridge is built with, as TOOLCHAIN.txt records them."""

from __future__ import annotations

import shutil
import subprocess

from tests.homebrew.megadrive.driver import ROM

FOLDER = ROM.parent
TOOLS = {"m68k-linux-gnu-gcc": "gcc-m68k-linux-gnu", "m68k-linux-gnu-ld": "binutils-m68k-linux-gnu"}
"""Each tool and its Debian package."""


def missing() -> str:
    """What to install before the cartridge can be built; empty when all is there."""
    packages = sorted(package for tool, package in TOOLS.items() if shutil.which(tool) is None)
    return f"not installed: {', '.join(packages)}" if packages else ""


def versions() -> list[str]:
    """The first line of each tool's answer to --version."""
    return [
        subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        for tool in TOOLS
    ]


def recorded() -> list[str]:
    return (FOLDER / "TOOLCHAIN.txt").read_text(encoding="ascii").splitlines()
