"""FCEUX's .fm2: a text of keys and values, then a line for each frame.

Source of the format: FCEUX's own description (``fm2.txt`` in its documentation, the help page ".fm2"). Two facts were
found by experiments with FCEUX 2.6.5: which bytes of the ROM romChecksum covers, and the meaning of RAMInitOption.
"""

from __future__ import annotations

import base64
import binascii
import re
import uuid
from pathlib import Path

from ochibot.console import Button
from ochibot.errors import MovieError
from ochibot.quoting import brief
from ochibot.record.movies.movie import Movie, decoded, letters, one_line, pressed, read_bytes
from ochibot.wording import counted

BUTTONS = (
    (Button.RIGHT, "R"),
    (Button.LEFT, "L"),
    (Button.DOWN, "D"),
    (Button.UP, "U"),
    (Button.START, "T"),
    (Button.SELECT, "S"),
    (Button.B, "B"),
    (Button.A, "A"),
)
"""The columns of a pad, from the left."""

RESET, POWER = 1, 2
"""Bits of a line's first number: which button of the console is pressed at the beginning of the frame."""

GAMEPAD, NONE = "1", "0"

EMULATOR = 20605
"""The version of FCEUX that our files imitate: 2.6.5."""

RAM_INIT = {0xFF: 1, 0x00: 2}
"""RAMInitOption by the byte that fills RAM at power-on; 0 is FCEUX's own pattern, 3 random."""

_LINE = re.compile(r"\|(\d{1,9})\|([^|]{8})?\|([^|]{8})?\|\|")

_UNSUPPORTED = {
    "palFlag": "PAL timing",
    "fourscore": "a four-player adapter",
    "microphone": "a microphone",
    "FDS": "a disk system",
    "binary": "a binary log (save it as text in FCEUX)",
    "port2": "an expansion device",
}
"""Keys that must be 0 or missing, with the unsupported feature that each stands for."""


def write_fm2(movie: Movie) -> bytes:
    """The bytes of the file. The movie must know its ROM."""
    rom = movie.rom
    assert rom is not None, "only movies made of a record are written"
    log = "".join(
        f"|{RESET if index in movie.resets else 0}|{letters(first, BUTTONS)}|{letters(second, BUTTONS)}||\n"
        for index, (first, second) in enumerate(movie.pads)
    )
    keys: list[tuple[str, object]] = [
        ("version", 3),
        ("emuVersion", EMULATOR),
        ("rerecordCount", 0),
        ("palFlag", 0),
        ("romFilename", one_line(rom.name)),
        ("romChecksum", "base64:" + base64.b64encode(bytes.fromhex(rom.md5)).decode()),
        # derived from the contents, so that the same record always gives the same file
        ("guid", str(uuid.uuid5(uuid.NAMESPACE_OID, rom.md5 + log)).upper()),
        ("fourscore", 0),
        ("microphone", 0),
        ("port0", GAMEPAD),
        ("port1", GAMEPAD),
        ("port2", NONE),
        ("FDS", 0),
        ("NewPPU", 0),
    ]
    if movie.ram_fill in RAM_INIT:
        keys.append(("RAMInitOption", RAM_INIT[movie.ram_fill]))
    if movie.author:
        keys.append(("comment", f"author {one_line(movie.author)}"))
    keys += [("comment", one_line(comment)) for comment in movie.comments]
    return ("".join(f"{key} {value}\n" for key, value in keys) + log).encode()


def read_fm2(path: Path) -> Movie:
    """Reads a movie that begins at power-on, with plain pads. Raises MovieError naming the file and the line."""
    lines = decoded(read_bytes(path), str(path))
    first = next((number for number, line in enumerate(lines) if line.startswith("|")), len(lines))
    keys, comments = _keys(path, lines[:first])
    _check(path, keys)
    ports = [keys.get(f"port{port}", "") for port in range(2)]
    while lines and not lines[-1]:
        lines.pop()
    pads: list[tuple[int, int]] = []
    resets: set[int] = set()
    for number, line in enumerate(lines[first:], first + 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise MovieError(f"{path}, line {number}: {_short(line)} is not a frame of a movie with two pads")
        command = int(match[1])
        if command & ~(RESET | POWER):
            raise MovieError(f"{path}, line {number}: the command {brief(match[1])} is neither a reset nor power-on")
        if command & POWER and pads:
            raise MovieError(f"{path}, line {number}: the power is switched off and on, which a record can't hold")
        held = [0, 0]
        for port, column in enumerate((match[2], match[3])):
            if (column is None) != (ports[port] == NONE):
                raise MovieError(
                    f"{path}, line {number}: {_short(line)} doesn't fit the key port{port} {brief(ports[port])}"
                )
            held[port] = _mask(column or "")
        # at power-on a reset changes nothing
        if command & RESET and not command & POWER:
            resets.add(len(pads))
        pads.append((held[0], held[1]))
    if "length" in keys:
        length = int(keys["length"]) if re.fullmatch("[0-9]{1,9}", keys["length"]) else -1
        if not 0 <= length <= len(pads):
            raise MovieError(
                f"{path} is cut short: its key length says {brief(keys['length'])}, it holds "
                f"{counted(len(pads), 'frame')}"
            )
        pads, resets = pads[:length], {frame for frame in resets if frame < length}
    if not pads:
        raise MovieError(f"{path} holds no frames")
    author = next((text[7:] for text in comments if text.startswith("author ")), "")
    rest = tuple(text for text in comments if not text.startswith("author "))
    return Movie(
        tuple(pads),
        frozenset(resets),
        author=author,
        comments=rest,
        rom_hash=_checksum(path, keys["romChecksum"]),
        rom_name=keys.get("romFilename", ""),
        ram_fill={str(option): fill for fill, option in RAM_INIT.items()}.get(keys.get("RAMInitOption", "")),
    )


def _keys(path: Path, lines: list[str]) -> tuple[dict[str, str], list[str]]:
    keys: dict[str, str] = {}
    comments = []
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        key, _, value = line.partition(" ")
        if not keys and (key, value.strip()) != ("version", "3"):
            raise MovieError(f"{path}, line {number}: {_short(line)}; a .fm2 movie begins with the line: version 3")
        if key == "comment":
            comments.append(value)
        elif key != "subtitle":
            keys[key] = value.strip()
    if not keys:
        raise MovieError(f"{path} is no .fm2 movie: it has no keys")
    return keys, comments


def _check(path: Path, keys: dict[str, str]) -> None:
    if keys.get("savestate"):
        raise MovieError(f"{path} starts from a savestate of FCEUX's, which other emulators can't read")
    for key, what in _UNSUPPORTED.items():
        if keys.get(key, "0") != "0":
            raise MovieError(f"{path} uses {what} (key {key}), which can't be imported")
    for port in range(2):
        if keys.get(f"port{port}") not in (GAMEPAD, NONE):
            raise MovieError(f"{path}: the key port{port} must be {GAMEPAD}, a pad, or {NONE}, nothing")
    if "romChecksum" not in keys:
        raise MovieError(f"{path} doesn't name its ROM: the key romChecksum is missing")


def _checksum(path: Path, text: str) -> str:
    """Decodes the value of the key romChecksum, an MD5 in base64 or, in old files, hexadecimal. Raises MovieError."""
    try:
        if text.startswith("base64:"):
            data = base64.b64decode(text.removeprefix("base64:"), validate=True)
        else:
            data = bytes.fromhex(text.removeprefix("0x"))
    except (ValueError, binascii.Error):
        data = b""
    if len(data) != 16:
        raise MovieError(f"{path}: the key romChecksum, {_short(text)}, is no MD5")
    return data.hex()


def _mask(column: str) -> int:
    return sum(button for (button, _), letter in zip(BUTTONS, column, strict=False) if pressed(letter))


def _short(line: str) -> str:
    return repr(line if len(line) <= 40 else line[:37] + "...")
