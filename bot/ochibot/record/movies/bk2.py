"""BizHawk's .bk2: a zip archive with a text of keys (Header.txt) and a text of frames (Input Log.txt).

Source of the format: TASVideos' page "BizHawk / BK2 Format" (files, keys, one line for each frame, and that any
character except a dot means "down"). That SHA1 is computed without the iNES header comes from other people's tools.
The columns are in ``platforms.py``. Nobody has played our files in BizHawk yet.
"""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from functools import cache
from pathlib import Path

from ochibot.errors import MovieError
from ochibot.quoting import brief, quoted
from ochibot.record.movies.movie import (
    IDLE,
    MAX_BYTES,
    PLATFORMS,
    POWER,
    RESET,
    Column,
    Movie,
    Platform,
    decoded,
    one_line,
    platform_named,
    pressed,
    read_bytes,
)
from ochibot.wording import counted

HEADER, LOG, STATE = "Header.txt", "Input Log.txt", "CoreState"
KEY = "LogKey:"

_AXIS = re.compile(r" *-?\d+,")
"""The value of an axis. It isn't imported."""

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time given to the files in the archive, so that the same record always gives the same file."""


def write_bk2(movie: Movie) -> bytes:
    """The bytes of the file. The movie must know its ROM. The second pad gets columns only if it is used.

    Raises MovieError for a reset on a console whose log has no column for it.
    """
    rom = movie.rom
    assert rom is not None, "only movies made of a record are written"
    platform = PLATFORMS[movie.system]
    ports = 2 if any(second for _, second in movie.pads) else 1
    groups = [group for group in platform.groups if group[0].port < ports]
    resets = movie.resets
    if not any(column.name == RESET for column in platform.columns):
        if any(resets):
            raise MovieError(
                f"the console is reset after frame {max(resets)}: BizHawk's log of {platform.name} has no column for it"
            )
        # a reset before the first frame changes nothing
        resets = frozenset()
    lines = ["[Input]", KEY + "".join(f"#{''.join(f'{column.name}|' for column in group)}" for group in groups)]
    for index, held in enumerate(movie.pads):
        signs = (_signs(group, held, index in resets) for group in groups)
        lines.append(f"|{'|'.join(signs)}|")
    lines.append("[/Input]")
    keys = {
        "MovieVersion": "BizHawk v2.0.0",
        "Author": one_line(movie.author) or "Ochibot",
        "emuVersion": "Version 2.9.1",
        "Platform": platform.name,
        "GameName": one_line(rom.name),
        "SHA1": rom.sha1.upper(),
        "rerecordCount": "0",
        "Core": platform.core,
        **({"IsCGBMode": "1"} if rom.color else {}),
    }
    files = {
        HEADER: "".join(f"{key} {value}\n" for key, value in keys.items()),
        LOG: "\n".join(lines) + "\n",
        "Comments.txt": "".join(f"{one_line(comment)}\n" for comment in movie.comments),
        "Subtitles.txt": "",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), text.encode(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


@cache
def _signs(group: tuple[Column, ...], held: tuple[int, int], reset: bool) -> str:
    """A frame's characters in one group of columns."""
    found = []
    for column in group:
        if not column.sign:
            found.append(IDLE)
            continue
        down = reset if column.name == RESET else held[column.port] & column.button
        found.append(column.sign if down else ".")
    return "".join(found)


def read_bk2(path: Path) -> Movie:
    """Reads a movie that begins at power-on. Raises MovieError naming the file and the line."""
    files = _unpack(path)
    keys = dict(line.partition(" ")[::2] for line in decoded(files[HEADER], f"{HEADER} in {path}") if line)
    platform = platform_named(keys.get("Platform", "NES"))
    if platform is None:
        known = ", ".join(one.name for one in PLATFORMS.values())
        raise MovieError(f"{path} is a movie of the platform {brief(keys['Platform'])}; known are {known}")
    if STATE in files or keys.get("StartsFromSavestate", "").lower() == "true":
        raise MovieError(f"{path} starts from a savestate of BizHawk's, which other emulators can't read")
    pads, resets = _read_log(path, decoded(files[LOG], f"{LOG} in {path}"), platform)
    comments = decoded(files.get("Comments.txt", b""), f"Comments.txt in {path}")
    return Movie(
        tuple(pads),
        frozenset(resets),
        author=keys.get("Author", ""),
        comments=tuple(line for line in comments if line),
        rom_hash=keys.get("SHA1", "").strip(),
        rom_name=keys.get("GameName", ""),
        system=platform.system,
    )


def _unpack(path: Path) -> dict[str, bytes]:
    """The archive's files by name. A savestate's name is included, but its contents aren't unpacked."""
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path))) as archive:
            for name in archive.namelist():
                if name.startswith(STATE):
                    files[STATE] = b""
                elif name in (HEADER, LOG, "Comments.txt"):
                    with archive.open(name) as packed:
                        files[name] = packed.read(MAX_BYTES + 1)
                    if len(files[name]) > MAX_BYTES:
                        raise MovieError(f"{name} in {path} is too large for a movie")
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, RuntimeError, EOFError, OSError) as error:
        raise MovieError(f"{path} is no readable .bk2 movie, which is a zip archive: {brief(str(error))}") from None
    for name in (HEADER, LOG):
        if name not in files:
            raise MovieError(f"{path} is no .bk2 movie: there is no {name} in it")
    return files


def _read_log(path: Path, lines: list[str], platform: Platform) -> tuple[list[tuple[int, int]], set[int]]:
    where = f"{LOG} in {path}, line"
    known = {column.name: column for column in platform.columns}
    columns: list[str] = []
    pads: list[tuple[int, int]] = []
    resets: set[int] = set()
    for number, line in enumerate(lines, 1):
        if line.startswith(KEY):
            named = [name for name in line.removeprefix(KEY).replace("#", "|").split("|") if name]
            columns = [name for name in named if name not in known or known[name].sign]
        elif line.startswith("|"):
            if not columns:
                raise MovieError(f"{where} {number}: a frame comes before the line {KEY}, which names the columns")
            signs = _AXIS.sub("", line).replace("|", "")
            if len(signs) != len(columns):
                raise MovieError(
                    f"{where} {number}: {counted(len(signs), 'sign')} for the "
                    f"{counted(len(columns), 'column')} of {KEY}"
                )
            held = [0, 0]
            for name in (name for name, sign in zip(columns, signs, strict=True) if pressed(sign)):
                column = known.get(name)
                if column is not None and column.button:
                    held[column.port] |= column.button
                elif name == RESET:
                    resets.add(len(pads))
                elif name != POWER or pads:
                    raise MovieError(f"{where} {number}: {quoted(name)} is pressed, which can't be imported")
            pads.append((held[0], held[1]))
        elif line and not line.startswith("["):
            raise MovieError(f"{where} {number}: {quoted(line)} is neither a frame nor a heading")
    if not pads:
        raise MovieError(f"{path} holds no frames")
    return pads, resets
