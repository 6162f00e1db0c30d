"""What a record keeps beside the inputs: decisions, locks, samples, and jumps of the machine."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

JumpKind = Literal["reset", "load", "poke"]
JUMPS: tuple[JumpKind, ...] = ("reset", "load", "poke")

_POKE = np.dtype([("place", "<u4"), ("value", "u1")])


@dataclass(frozen=True, slots=True)
class Jump:
    """Something other than a frame changed the machine after ``frame`` frames (so before frame ``frame + 1``).

    data: for a load the savestate, for a poke the changed bytes of RAM (see ``poke``), for a reset nothing.
    """

    frame: int
    kind: JumpKind
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, made after ``frame`` frames. piece: its number at this seat in this game, from 0.

    field: the settled field before, rows from the top with ``/`` between them. pair, next_pair: as ``str(Pair)``. x, y,
    orientation: where the axis locks (numbers as in RAM). needle: whether as needles (Pochi & Nyaa). value: the
    player's. score: shown points that it will gain.
    """

    frame: int
    seat: int
    piece: int
    field: str
    pair: str
    next_pair: str
    x: int
    y: int
    orientation: int
    value: float
    chain: int
    score: int
    needle: bool = False


@dataclass(frozen=True, slots=True)
class Locked:
    """A piece has locked and its field has settled; ``frame`` is the first at which this is known (the next spawn).

    score: as shown. difference: in words, if the game did not do what the rules say.
    """

    frame: int
    seat: int
    piece: int
    field: str
    score: int
    level: int
    difference: str | None


@dataclass(frozen=True, slots=True)
class Sample:
    """RAM after a frame, its hash and the picture's (NO_PICTURE if there was none)."""

    frame: int
    ram_hash: bytes
    picture_hash: bytes
    ram: bytes


def poke_between(before: bytes, after: bytes) -> bytes:
    """The bytes that differ, as offsets in the core's block and new values."""
    old, new = (np.frombuffer(part, np.uint8) for part in (before, after))
    places = np.flatnonzero(old != new)
    coded = np.empty(len(places), _POKE)
    coded["place"], coded["value"] = places, new[places]
    return coded.tobytes()


def poke(raw: npt.NDArray[np.uint8], data: bytes) -> None:
    """Writes such bytes into a core's block. Raises ValueError when they don't fit into it."""
    coded = np.frombuffer(data, _POKE)
    if len(coded) and int(coded["place"].max()) >= len(raw):
        raise ValueError("a change of RAM outside RAM")
    raw[coded["place"]] = coded["value"]


def pack_jumps(jumps: list[Jump]) -> bytes:
    """Jumps as bytes."""
    return b"".join(
        struct.pack("<IBI", jump.frame, JUMPS.index(jump.kind), len(jump.data)) + jump.data for jump in jumps
    )


def unpack_jumps(data: bytes) -> list[Jump]:
    """The inverse of ``pack_jumps``. Raises struct.error, IndexError or ValueError for anything but packed jumps."""
    jumps, at = [], 0
    while at < len(data):
        frame, kind, length = struct.unpack_from("<IBI", data, at)
        at += 9
        if at + length > len(data):
            raise ValueError("a jump is cut short")
        jumps.append(Jump(frame, JUMPS[kind], data[at : at + length]))
        at += length
    return jumps
