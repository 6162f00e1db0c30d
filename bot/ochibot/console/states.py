"""Loads the user's savestate files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ochibot.console.filekinds import HEAD, but, core_of_state, kind_of, kind_of_file
from ochibot.console.protocols import HostedConsole
from ochibot.console.retroarch import MOST_BYTES, is_wrapped, unwrapped
from ochibot.data import is_file, is_folder, read_file
from ochibot.errors import ConsoleError, RomError
from ochibot.wording import counted


def load_state_file(console: HostedConsole, path: Path) -> None:
    """Loads a savestate file with a core's own bytes, or one that RetroArch wrote (compressed or not).

    Raises RomError or ConsoleError that says what to do.
    """
    # some cores load a savestate reliably only after they have run one frame
    console.step()
    own = console.save()
    state = _read(path)
    give = "give one made by the same core"
    if is_wrapped(state):
        try:
            state = unwrapped(state)
        except RomError as error:
            raise RomError(f"can't read the savestate {path} of RetroArch: {error}; {give}") from None
    if not _like(state, own):
        raise RomError(f"{path} is no savestate of {console.core_name} for this ROM{_why(state, own)}")
    try:
        console.try_state(state)
    except ConsoleError as error:
        raise RomError(f"the savestate {path} can't be used: {error}; {give}, its version and ROM") from None
    console.load(state)


def _why(state: bytes, own: bytes) -> str:
    """Words for the error: what the file is instead, as far as that is known, and what to do."""
    kind, core = kind_of(state[:HEAD]), core_of_state(state)
    if core is not None and core != core_of_state(own):
        return f"{but(kind)}; play it with --core {core}, or give one made by the same core"
    if core is not None and len(state) != len(own):
        return (
            f": it has {counted(len(state), 'byte')} where this core's have {len(own):,}, "
            "so another version of the core made "
            "it, or it is of another ROM; give one made by the same core and ROM"
        )
    return f"{but(kind if kind != kind_of(own[:HEAD]) else None)}; give one made by the same core"


def _read(path: Path) -> bytes:
    """Reads the file's bytes. Raises RomError when it can't be read."""
    try:
        if path.exists() and not is_file(path):
            what = kind_of_file(path) if is_folder(path) else "a device"
            raise RomError(f"can't read the savestate {path}: it is {what}, not a file; give one made by the same core")
        return read_file(path, MOST_BYTES)
    except OSError as error:
        raise RomError(
            f"can't read the savestate {path}: {error.strerror or error}; give the path of one made by the same core"
        ) from None


ALIKE = 0.25
"""The least share of equal bytes in two savestates of one core. It is used for cores whose states begin
with no mark.
"""


def _like(state: bytes, own: bytes) -> bool:
    """Whether a file looks like a savestate of the core that made ``own``. FBNeo crashes on other data.

    Savestates of the NES cores begin with a fixed mark. Those of FBNeo begin with the number of the frame, but most of
    the other bytes are the same in all of them. A state that looks right may still be damaged.
    """
    if len(state) != len(own):
        return False
    same = np.frombuffer(state, np.uint8) == np.frombuffer(own, np.uint8)
    return state[:4] == own[:4] or float(same.mean()) >= ALIKE
