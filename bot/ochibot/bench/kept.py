"""Keeps what a run has measured in a file of JSON lines, so that a run that was ended goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ochibot.errors import OutputError, UsageError


class KeptRun:
    """The lines of a run. The file's first line says what they are of. kept: all lines after it."""

    def __init__(self, file: Path, identity: Mapping[str, Any], other: str = "is of another run") -> None:
        """``identity``: the run's settings. ``other``: what the error says of the file of another run.

        Raises UsageError for such a file, OutputError for a folder that can't be used.
        """
        self.file = file
        folder = file.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not file.exists():
                file.write_text(json.dumps(identity) + "\n", encoding="utf-8")
            *lines, cut = file.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OutputError(f"can't use the folder {folder}: {reason}; give another one") from None
        if _parsed(lines[:1]) != [identity]:
            raise UsageError(f"{file} {other}: give another folder")
        if cut:  # an incomplete line of a killed run
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        self.kept = _parsed(lines[1:])

    def keep(self, one: Mapping[str, Any]) -> None:
        """Adds a line. Raises OutputError."""
        self.kept.append(one)
        try:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one) + "\n")
        except OSError as error:
            raise OutputError(f"can't write {self.file}: {error.strerror or error}; make room") from None


def _parsed(lines: Iterable[str]) -> list[Any]:
    """Parses lines of JSON; lines that can't be read are left out."""
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found
