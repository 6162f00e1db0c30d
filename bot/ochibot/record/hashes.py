"""Hashes of RAM and of pictures, by which states are compared."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np
import numpy.typing as npt

RAM_LIMIT = 1 << 16
"""The most bytes of RAM that are hashed. Work RAM is never larger; the rest of a larger block is unused."""

NO_PICTURE = bytes(8)
"""The hash that stands for "no picture", for example before a core has made its first one."""


def ram_hash(ram: bytes) -> bytes:
    """The hash of RAM: 64 bits of BLAKE2b."""
    return hashlib.blake2b(ram, digest_size=8).digest()


def picture_hash(picture: npt.NDArray[np.uint8]) -> bytes:
    """The hash of an (H, W, 3) picture: 64 bits of BLAKE2b over its size, as ``WxH``, and its RGB bytes."""
    digest = hashlib.blake2b(f"{picture.shape[1]}x{picture.shape[0]}".encode(), digest_size=8)
    digest.update(np.ascontiguousarray(picture).data)
    return digest.digest()


def ram_check(ram: bytes) -> int:
    """The 16 bits kept for every frame: the lower half of CRC-32. They show at which frame something began to
    differ.
    """
    return zlib.crc32(ram) & 0xFFFF
