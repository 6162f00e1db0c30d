"""Where the bytes of an entry are: types of values, pointers, rows that lie apart; the numbers of entries."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from ochibot.yamlfile import Exact

Kind = Literal[
    "u8", "u16le", "u16be", "u24le", "u24be", "u32le", "u32be",
    "s8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be",
]  # fmt: skip
"""The type of a value: u unsigned, s signed (two's complement); its bits; le lowest byte first, be highest first."""

WIDTHS: Final[dict[str, int]] = {kind: int(kind[1:3].rstrip("lb")) // 8 for kind in Kind.__args__}  # type: ignore[attr-defined]
"""Bytes of each value type."""

MOST_ADDRESS: Final = 0xFFFF_FFFF
MOST_FACTOR: Final = 1_000_000

Address = Annotated[int, Field(ge=0, le=MOST_ADDRESS, strict=True)]
Steps = Annotated[int, Field(ge=1, le=64, strict=True)]
Stride = Annotated[int, Field(ge=-65_536, le=65_536, strict=True)]
Number = Annotated[int, Field(ge=-MOST_FACTOR, le=MOST_FACTOR, strict=True)]
Shift = Annotated[int, Field(ge=0, le=31, strict=True)]


def byte_order(kind: str) -> list[int]:
    """The offset of each byte of a type from its address, lowest byte first."""
    width = WIDTHS[kind]
    return list(range(width - 1, -1, -1)) if kind.endswith("be") else list(range(width))


class Pointer(Exact):
    """Bytes from which the address of other bytes is computed: their number x ``scale`` + ``offset``.

    ``type`` is the form of those bytes. ``scale`` and ``offset`` serve games that store an index into a table, or an
    address relative to some base. Bits above the processor's address bus are ignored.
    """

    address: Address
    type: Kind
    scale: Annotated[int, Field(ge=1, le=65_536, strict=True)] = 1
    offset: Annotated[int, Field(ge=-MOST_ADDRESS, le=MOST_ADDRESS, strict=True)] = 0

    def byte_addresses(self) -> list[int]:
        """The CPU addresses of the pointer's own bytes, lowest byte first."""
        return [self.address + byte for byte in byte_order(self.type)]


class Above(Exact):
    """The first ``rows`` rows of a grid, for games that keep them apart from the other rows. address: the address of
    their first cell.
    """

    address: Address
    column_stride: Stride
    rows: Steps = 1
    row_stride: Stride = 0
