"""BizHawk's .bk2: a zip archive with a text of keys (Header.txt) and a text of frames (Input Log.txt).

Source of the format: TASVideos' page "BizHawk / BK2 Format" (files, keys, one line for each frame, and that any
character except a dot means "down"). Two facts come from other people's files and tools: the columns of a Famicom pad,
and that SHA1 is computed without the iNES header. Nobody has played our files in BizHawk yet.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from pathlib import Path

from ochibot.console import Button
from ochibot.errors import MovieError
from ochibot.quoting import brief, quoted
from ochibot.record.movies.movie import Movie
from ochibot.record.movies.text import MAX_BYTES, decoded, letters, one_line, pressed, read_bytes
from ochibot.wording import counted

BUTTONS = (
    (Button.UP, "U"),
    (Button.DOWN, "D"),
    (Button.LEFT, "L"),
    (Button.RIGHT, "R"),
    (Button.START, "S"),
    (Button.SELECT, "s"),
    (Button.B, "B"),
    (Button.A, "A"),
)
"""The columns of a pad, from the left."""

HEADER, LOG, STATE = "Header.txt", "Input Log.txt", "CoreState"
KEY = "LogKey:"

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time given to the files in the archive, so that the same record always gives the same file."""

_NAMES = {f"P{port + 1} {str(button.name).capitalize()}": (port, button) for port in range(2) for button, _ in BUTTONS}
"""For each column's name in the log's first line, in order: its port and button."""


def write_bk2(movie: Movie) -> bytes:
    """The bytes of the file. The movie must know its ROM. The second pad gets columns only if it is used."""
    rom = movie.rom
    assert rom is not None, "only movies made of a record are written"
    ports = 2 if any(second for _, second in movie.pads) else 1
    columns = "".join(
        f"#{'|'.join(name for name, (owner, _) in _NAMES.items() if owner == port)}|" for port in range(ports)
    )
    lines = ["[Input]", f"{KEY}#Reset|Power|{columns}"]
    for index, held in enumerate(movie.pads):
        pads = "|".join(letters(pad, BUTTONS) for pad in held[:ports])
        lines.append(f"|{'r' if index in movie.resets else '.'}.|{pads}|")
    lines.append("[/Input]")
    keys = {
        "MovieVersion": "BizHawk v2.0.0",
        "Author": one_line(movie.author) or "Ochibot",
        "emuVersion": "Version 2.9.1",
        "Platform": "NES",
        "GameName": one_line(rom.name),
        "SHA1": rom.sha1.upper(),
        "rerecordCount": "0",
        "Core": "NesHawk",
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


def read_bk2(path: Path) -> Movie:
    """Reads a movie of the NES that begins at power-on. Raises MovieError naming the file and the line."""
    files = _unpack(path)
    keys = dict(line.partition(" ")[::2] for line in decoded(files[HEADER], f"{HEADER} in {path}") if line)
    if keys.get("Platform", "NES") != "NES":
        raise MovieError(f"{path} is a movie of the platform {brief(keys['Platform'])}, not of the NES")
    if STATE in files or keys.get("StartsFromSavestate", "").lower() == "true":
        raise MovieError(f"{path} starts from a savestate of BizHawk's, which other emulators can't read")
    pads, resets = _read_log(path, decoded(files[LOG], f"{LOG} in {path}"))
    comments = decoded(files.get("Comments.txt", b""), f"Comments.txt in {path}")
    return Movie(
        tuple(pads),
        frozenset(resets),
        author=keys.get("Author", ""),
        comments=tuple(line for line in comments if line),
        rom_hash=keys.get("SHA1", "").strip(),
        rom_name=keys.get("GameName", ""),
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


def _read_log(path: Path, lines: list[str]) -> tuple[list[tuple[int, int]], set[int]]:
    where = f"{LOG} in {path}, line"
    columns: list[str] = []
    pads: list[tuple[int, int]] = []
    resets: set[int] = set()
    for number, line in enumerate(lines, 1):
        if line.startswith(KEY):
            columns = [name for name in line.removeprefix(KEY).replace("#", "|").split("|") if name]
        elif line.startswith("|"):
            if not columns:
                raise MovieError(f"{where} {number}: a frame comes before the line {KEY}, which names the columns")
            signs = line.replace("|", "")
            if len(signs) != len(columns):
                raise MovieError(
                    f"{where} {number}: {counted(len(signs), 'sign')} for the "
                    f"{counted(len(columns), 'column')} of {KEY}"
                )
            held = [0, 0]
            for name in (name for name, sign in zip(columns, signs, strict=True) if pressed(sign)):
                if name in _NAMES:
                    port, button = _NAMES[name]
                    held[port] |= button
                elif name == "Reset":
                    resets.add(len(pads))
                elif name != "Power" or pads:
                    raise MovieError(f"{where} {number}: {quoted(name)} is pressed, which can't be imported")
            pads.append((held[0], held[1]))
        elif line and not line.startswith("["):
            raise MovieError(f"{where} {number}: {quoted(line)} is neither a frame nor a heading")
    if not pads:
        raise MovieError(f"{path} holds no frames")
    return pads, resets
