"""JSON reports of the commands in this folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from bot.errors import OutputError


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
