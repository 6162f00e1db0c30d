"""Writes the JSON reports of all commands. A report's *target* is a file, ``-`` for stdout, or None for no report."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from ochibot.errors import OutputError
from ochibot.leftovers import make_folder, probed, written
from ochibot.quoting import brief_path


class Reported:
    """A dataclass that is a command's report: its fields are the keys of the JSON."""

    def as_dict(self) -> dict[str, Any]:
        """The fields as plain values."""
        return asdict(cast(Any, self))


def check_writable(path: Path, what: str) -> None:
    """Checks, before a long job begins, that a file can be written. Raises OutputError.

    A missing folder is made. An existing file isn't changed, and a device or a pipe isn't touched.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        if path.exists() and not path.is_file():
            return
        make_folder(path.parent)
        with contextlib.nullcontext() if path.exists() else probed(path), path.open("ab"):
            pass
    except (OSError, ValueError, RuntimeError) as error:
        if not isinstance(error, OSError):
            raise OutputError(f"can't write {what} {brief_path(path)}: {error}; give another path") from None
        raise OutputError(f"can't write {what} {path}: {error.strerror or error}; give another path") from None


def check_target(target: str | Path | None) -> None:
    """Checks, before a long job begins, that a report can be written.

    Raises OutputError, also when the report's folder is missing. A misspelt path must not make folders.
    """
    if target is None or target == "-":
        return
    path = Path(target)
    try:
        path.parent.stat()
    except FileNotFoundError:
        raise OutputError(
            f"can't write the JSON file {brief_path(path)}: its folder is missing; make it, or give another path"
        ) from None
    except (OSError, ValueError):
        pass  # check_writable reports it
    check_writable(path, "the JSON file")


def write_json(data: Mapping[str, object], target: str | Path | None) -> None:
    """Writes a report to its target. A file is written completely or not at all. Raises OutputError."""
    if target is None:
        return
    write_lines([json.dumps(data, indent=2) + "\n"], target)


def write_lines(lines: Iterable[str], target: str | Path) -> None:
    """Writes lines to a file (whole or not at all) or to stdout (-). Raises OutputError."""
    if target == "-":
        sys.stdout.writelines(lines)
        sys.stdout.flush()
        return
    path = Path(target).resolve()
    with written(path, "the JSON file ") as partial, partial.open("w", encoding="utf-8") as stream:
        stream.writelines(lines)
