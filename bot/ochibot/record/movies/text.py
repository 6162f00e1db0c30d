"""Functions that both formats share: reading files of limited size, and pads as characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ochibot.console import Button
from ochibot.data import read_file
from ochibot.errors import MovieError

MAX_BYTES = 128 << 20
"""The largest file that is read, in bytes: 128 MiB of text are a month of play."""


def read_bytes(path: Path) -> bytes:
    """A movie file's bytes. Raises MovieError."""
    try:
        if path.exists() and not path.is_file():
            raise MovieError(f"can't read the movie {path}: it is not a file")
        if path.stat().st_size > MAX_BYTES:
            raise MovieError(f"{path} is too large for a movie")
        return read_file(path, MAX_BYTES)
    except FileNotFoundError:
        raise MovieError(f"no such movie: {path}") from None
    except OSError as error:
        raise MovieError(f"can't read the movie {path}: {error.strerror or error}") from None


def decoded(data: bytes, what: str) -> list[str]:
    """Decodes a text into its lines, which end in LF or CR LF. Raises MovieError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MovieError(f"{what} is no text (byte {error.start} is not UTF-8)") from None
    return [line.removesuffix("\r") for line in text.split("\n")]


@cache
def letters(mask: int, buttons: Sequence[tuple[Button, str]]) -> str:
    """A pad as characters, with a dot for each button that is up."""
    return "".join(letter if mask & button else "." for button, letter in buttons)


def pressed(character: str) -> bool:
    """Whether a character means that its button is down. In both formats, only a dot or a space means "up"."""
    return character not in ". "


def one_line(text: str) -> str:
    """A text as the value of a key, without line ends."""
    return " ".join(text.split())
