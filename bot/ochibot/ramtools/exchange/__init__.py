"""Converts maps to and from the symbol and watch files of other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ochibot.data import read_file as read_bytes
from ochibot.errors import MapError
from ochibot.quoting import brief_path
from ochibot.ramtools.exchange import cht, nl, stable_retro, wch
from ochibot.ramtools.exchange.symbols import Exported, Imported, System, system_of


@dataclass(frozen=True)
class Format:
    """A file format. name: for messages. ending: of the files' names. write: map to text. read: text to symbols."""

    name: str
    ending: str
    write: Callable[..., Exported]
    read: Callable[[str, System], Imported]


FORMATS: Final[Mapping[str, Format]] = {
    "stable-retro": Format("stable-retro's data.json", ".json", stable_retro.write, stable_retro.read),
    "cht": Format("RetroArch's .cht", ".cht", cht.write, cht.read),
    "wch": Format("BizHawk's .wch", ".wch", wch.write, wch.read),
    "nl": Format("FCEUX's .nl", ".nl", nl.write, nl.read),
}

_MOST: Final = 4 << 20


def format_of(path: Path) -> Format:
    """The format of a file by its ending. Raises MapError with the known endings."""
    for one in FORMATS.values():
        if path.suffix.lower() == one.ending:
            return one
    endings = ", ".join(f"{one.ending} ({one.name})" for one in FORMATS.values())
    raise MapError(f"{brief_path(path)}: its ending names no format; known are {endings}")


def read_file(path: Path, system: str) -> Imported:
    """The symbols in a file. ``system``: the machine's name. Raises MapError with the file, the line and the reason."""
    chosen = format_of(path)
    try:
        data = read_bytes(path, _MOST + 1)
    except OSError as error:
        raise MapError(f"can't read {path}: {error.strerror or error}; give the path of {chosen.name}") from None
    if len(data) > _MOST:
        raise MapError(f"{path} is too large to be {chosen.name}; give another file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MapError(f"{path} is not a text file; give {chosen.name}") from None
    try:
        found = chosen.read(text, system_of(system))
    except MapError as error:
        raise MapError(f"{path}: {error}") from None
    if not found.symbols:
        raise MapError(f"{path}: there is no address in RAM in it; is it {chosen.name} of this machine?")
    return found


__all__ = ["FORMATS", "Exported", "Format", "Imported", "format_of", "read_file"]
