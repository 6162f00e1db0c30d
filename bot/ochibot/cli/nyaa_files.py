"""Reads drawn boards and writes lines, for ``ochibot nyaa``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from ochibot.data import read_typed
from ochibot.errors import FieldError, OutputError
from ochibot.leftovers import whole_file
from ochibot.quoting import brief_path

MOST_BYTES: Final = 64 << 20
"""The largest file of boards that is read, in bytes."""


def read_text(file: str) -> str:
    """The text of a file, or of stdin (-). Raises FieldError."""
    name = "standard input" if file == "-" else file
    try:
        if file != "-":
            data = read_typed(Path(file), MOST_BYTES + 1)
        elif sys.stdin is None:
            data = b""
        else:
            if sys.stdin.isatty():
                print("draw the board, top row first, and end it with Ctrl-D:", file=sys.stderr)
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FieldError(
            f"can't read the board {brief_path(name)}: {reason}; give a text file with it, or - for stdin"
        ) from None
    if len(data) > MOST_BYTES:
        raise FieldError(f"{name} is larger than {MOST_BYTES >> 20} MiB: give fewer boards at a time")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FieldError(f"{name} is not a text file: give boards drawn in letters") from None


def write_lines(reports: Iterable[dict[str, Any]], target: str) -> None:
    """Writes one JSON object per line to a file (whole or not at all) or to stdout (-). Raises OutputError."""
    write_text((json.dumps(report) + "\n" for report in reports), target)


def write_text(lines: Iterable[str], target: str) -> None:
    """Writes lines to a file (whole or not at all) or to stdout (-). Raises OutputError."""
    if target == "-":
        sys.stdout.writelines(lines)
        sys.stdout.flush()
        return
    path = Path(target).resolve()
    try:
        with whole_file(path) as partial, partial.open("w", encoding="utf-8") as stream:
            stream.writelines(lines)
    except OSError as error:
        raise OutputError(f"can't write the JSON file {path}: {error.strerror or error}; give another path") from None
