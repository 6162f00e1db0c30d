"""Savestate files of the user's."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ochibot.console.filekinds import HEAD, RETROARCH, but, kind_of, kind_of_file
from ochibot.console.protocols import HostedConsole
from ochibot.data import is_file, is_folder
from ochibot.errors import ConsoleError, RomError


def load_state_file(console: HostedConsole, path: Path) -> None:
    """Go to a savestate file of the user's. Raises RomError or ConsoleError with what to do."""
    # a core takes a savestate surely only after it has run once
    console.step()
    own = console.save()
    state = _read(path, max(len(own) + 1, HEAD))
    give = "give one made by the same core"
    kind = kind_of(state[:HEAD])
    if state.startswith(RETROARCH):
        raise RomError(
            f"{path} is {kind}, which can't be read yet: only the core's own bytes can, as save() of a console of "
            "ochibot.open gives them; start from the menus, or make one so"
        )
    if not _like(state, own):
        other = but(kind if kind != kind_of(own[:HEAD]) else None)
        raise RomError(f"{path} is no savestate of {console.core_name} for this ROM{other}; {give}")
    try:
        console.try_state(state)
    except ConsoleError as error:
        raise RomError(f"the savestate {path} can't be used: {error}; {give}, its version and ROM") from None
    console.load(state)


def _read(path: Path, most: int) -> bytes:
    """The file's first bytes. Raises RomError when there are none to be had."""
    try:
        if path.exists() and not is_file(path):
            what = kind_of_file(path) if is_folder(path) else "a device"
            raise RomError(f"can't read the savestate {path}: it is {what}, not a file; give one made by the same core")
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise RomError(
            f"can't read the savestate {path}: {error.strerror or error}; give the path of one made by the same core"
        ) from None


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
