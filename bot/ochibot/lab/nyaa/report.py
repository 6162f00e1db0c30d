"""JSON reports of the commands in this folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ochibot.errors import OutputError


def check_target(target: str | Path | None) -> None:
    """Makes sure, before a long job, that a report can be written there. Raises OutputError."""
    if target is None or target == "-":
        return
    path = Path(target)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}; give another path") from error
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise OutputError(f"can't write {path}: it is a folder, or in one that can't be written; give another path")


def write_report(data: Mapping[str, object], target: str | Path | None) -> None:
    """Writes a report to a file (whole or not at all), or to stdout for ``-``; nothing for None. Raises OutputError."""
    if target is None:
        return
    text = json.dumps(data, indent=2) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    path = Path(target)
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}; give another path") from error
