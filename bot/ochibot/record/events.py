"""The events that a record keeps beside the inputs: decisions, locks, samples, and jumps of the machine."""

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
    """A change of the machine's state between frames: a load, a poke or a reset. It came after ``frame`` frames.

    data: the savestate of a load, the changed bytes of RAM of a poke (see ``poke``), or nothing for a reset.
    """

    frame: int
    kind: JumpKind
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, made after ``frame`` frames. piece: the piece's number at this seat in this game, from 0.

    field: the settled field before it, rows from the top with ``/`` between them. pair, next_pair: as ``str(Pair)``. x,
    y, orientation: where the axis locks (numbers as in RAM). needle: whether the pair locks as needles (Pochi & Nyaa).
    value: the player's evaluation of the decision. chain: the forecast number of chain steps. score: the points by
    which the lock is forecast to raise the score shown.
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

    score: the score shown. difference: how the game differed from the forecast, in words, if it did.
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
    """RAM after a frame, the hash of RAM, and the hash of the picture (NO_PICTURE if there was none)."""

    frame: int
    ram_hash: bytes
    picture_hash: bytes
    ram: bytes


def poke_between(before: bytes, after: bytes) -> bytes:
    """The bytes that differ, packed: for each, its offset in the core's block of RAM and its new value."""
    old, new = (np.frombuffer(part, np.uint8) for part in (before, after))
    places = np.flatnonzero(old != new)
    coded = np.empty(len(places), _POKE)
    coded["place"], coded["value"] = places, new[places]
    return coded.tobytes()


def poke(raw: npt.NDArray[np.uint8], data: bytes) -> None:
    """Writes the bytes of ``poke_between`` into a core's block. Raises ValueError when they don't fit into it."""
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
