"""Imports the given modules of Ochibot and reports which of Ochibot's functions are called during that.

A function is reported as its file's path, relative to the working directory, and the first line of its code. A module
of kernels takes constants from other modules when it is imported, perhaps from what the called functions return.
``trials.py`` runs this in a tree.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Runs the command line."""
    import numba  # noqa: F401 (before the watching begins: it is large)

    here = f"{Path.cwd()}/"
    called: set[tuple[str, int]] = set()

    def note(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(here):
            called.add((frame.f_code.co_filename[len(here) :], frame.f_code.co_firstlineno))

    sys.setprofile(note)
    try:
        for name in sys.argv[1:]:
            importlib.import_module(name)
    finally:
        sys.setprofile(None)
    print(json.dumps(sorted(called)))


if __name__ == "__main__":
    main()
