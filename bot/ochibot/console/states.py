"""Savestate files of the user's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ochibot.console.protocols import PlayedConsole
from ochibot.errors import RomError


def load_state_file(console: PlayedConsole, path: Path) -> None:
    """Go to a savestate file of the user's. Raises RomError or ConsoleError with what to do."""
    try:
        state = path.read_bytes()
    except OSError as error:
        raise RomError(
            f"can't read the savestate {path}: {error.strerror or error}; give the path of one made by the same core"
        ) from None
    # a core takes a savestate surely only after it has run once
    console.step()
    if not _like(state, console.save()):
        raise RomError(f"{path} is no savestate of {console.core_name} for this ROM; give one made by the same core")
    console.load(state)


ALIKE = 0.25
"""The share of bytes that a core's savestates have in common at the least, where they begin with no mark of its own."""


def _like(state: bytes, own: bytes) -> bool:
    """Whether a file looks like a savestate of the core that made ``own``: FBNeo crashes on what is none.

    The NES cores begin theirs with a mark; FBNeo begins with the number of the frame, but most of the rest is alike in
    all. Whether a state that looks right is sound, only the core can tell.
    """
    if len(state) != len(own):
        return False
    same = np.frombuffer(state, np.uint8) == np.frombuffer(own, np.uint8)
    return state[:4] == own[:4] or float(same.mean()) >= ALIKE
