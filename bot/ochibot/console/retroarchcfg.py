"""RetroArch's file of settings, retroarch.cfg: where it lies, and what network play by the bot needs in it.

A line is ``name = "value"``; the quotes may be missing. A line that begins with ``#`` says nothing. A name that is
missing has RetroArch's own value.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ochibot.console.cores import retroarch_homes
from ochibot.console.netcommands import COMMAND_PORT, PAD_PORT, Address
from ochibot.data import home_dir
from ochibot.errors import ConfigError, OutputError
from ochibot.leftovers import whole_file
from ochibot.quoting import brief_path

NAME: Final = "retroarch.cfg"
NEEDED: Final = {
    "network_cmd_enable": "true",
    "network_remote_enable": "true",
    "network_remote_enable_user_p1": "true",
    "network_remote_enable_user_p2": "true",
}
"""What must be so. A name that is missing is off. Player 2's pad is for battles and for play against a person."""

_LINE: Final = re.compile(r"^\s*([A-Za-z0-9_]+)\s*=\s*(?:\"([^\"]*)\"|(\S+))")
_ON: Final = ("true", "1")


def places() -> Iterator[Path]:
    """Where retroarch.cfg may lie on this system."""
    for home in retroarch_homes():
        yield home / "config" / NAME if sys.platform == "darwin" else home / NAME
    home = home_dir()
    if sys.platform == "win32":
        yield Path("C:/RetroArch-Win64") / NAME
    elif sys.platform != "darwin":
        yield home / "snap/retroarch/current/.config/retroarch" / NAME
        yield home / ".local/share/Steam/steamapps/common/RetroArch" / NAME
        yield home / f".{NAME}"


def find() -> Path | None:
    """The first retroarch.cfg in the usual places; None if there is none."""
    for path in places():
        try:
            if path.is_file():
                return path
        except OSError:
            continue
    return None


@dataclass(frozen=True)
class Settings:
    """What a retroarch.cfg says. values: each setting by its name."""

    path: Path
    text: str
    values: Mapping[str, str]

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Reads the file. Raises ConfigError."""
        try:
            text = path.read_bytes().decode("utf-8", errors="surrogateescape")
        except (OSError, ValueError) as error:
            raise ConfigError(f"can't read {brief_path(path)}: {getattr(error, 'strerror', None) or error}") from None
        found = (_LINE.match(line) for line in text.splitlines())
        return cls(path, text, {one[1]: one[2] if one[2] is not None else one[3] for one in found if one})

    def wrong(self) -> list[str]:
        """The names of the settings that aren't as they must be."""
        return [name for name in NEEDED if self.values.get(name, "").lower() not in _ON]

    def address(self) -> Address:
        """Where a RetroArch with these settings listens on this machine. Raises ConfigError for a port that is none."""
        return Address(
            "127.0.0.1", self._port("network_cmd_port", COMMAND_PORT), self._port("network_remote_base_port", PAD_PORT)
        )

    def _port(self, name: str, usual: int) -> int:
        text = self.values.get(name, str(usual))
        if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65536):
            raise ConfigError(f"{brief_path(self.path)}: {name} is no port: give a number from 1 to 65535")
        return int(text)

    def mended(self) -> str:
        """The text of the file with all settings as they must be. Its other lines stay as they are."""
        wrong = self.wrong()
        end = "\r\n" if "\r\n" in self.text else "\n"
        lines = self.text.splitlines(keepends=True)
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += end
        for at, line in enumerate(lines):
            found = _LINE.match(line)
            if found and found[1] in wrong:
                rest = line[len(line.rstrip("\r\n")) :]
                lines[at] = f'{found[1]} = "{NEEDED[found[1]]}"{rest}'
        missing = [name for name in wrong if name not in self.values]
        return "".join([*lines, *(f'{name} = "{NEEDED[name]}"{end}' for name in missing)])

    def write(self) -> Path:
        """Writes the settings as they must be, and returns the path of a copy of the file as it was before.

        Raises OutputError.
        """
        number = 0
        backup = self.path.with_name(f"{self.path.name}.before-ochibot")
        while backup.exists():
            number += 1
            backup = self.path.with_name(f"{self.path.name}.before-ochibot-{number}")
        try:
            for path, text in ((backup, self.text), (self.path, self.mended())):
                with whole_file(path) as partial:
                    partial.write_bytes(text.encode("utf-8", errors="surrogateescape"))
        except OSError as error:
            raise OutputError(f"can't write {brief_path(self.path)}: {error.strerror or error}") from None
        return backup
