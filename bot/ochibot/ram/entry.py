"""One value of a game in RAM, or a grid of them, as a map describes it: where its bytes are and what they mean.

A value is computed in these steps, as far as the entry names them::

    bytes (type, addresses or count; signed types) → mask → shift → digits → codes: the symbol of that number
                                                                    → - origin, x scale, / divide, modulo, + offset

Each cell of a grid goes through the same steps up to ``shift`` and ``codes``.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from ochibot.ram.places import (
    MOST_ADDRESS,
    MOST_FACTOR,
    WIDTHS,
    Above,
    Address,
    Kind,
    Number,
    Pointer,
    Shift,
    Steps,
    Stride,
    byte_order,
)
from ochibot.yamlfile import Exact

Source = Annotated[
    Literal["documented", "calibrated", "homebrew"],
    Field(description="documented, calibrated or homebrew: where you have it from"),
]
"""Where an entry is known from: public documentation (cited), experiments on a user's machine, or our own game."""


class Entry(Exact):
    """One value of the game, or a grid of them (with ``rows`` and ``columns``).

    The bytes are at ``address`` and the following ones for wider types. For digits they are ``count`` bytes from
    ``address`` on, ``stride`` apart. ``addresses`` lists bytes that a game keeps apart, lowest byte first. With
    ``pointer`` they are at the address to which other bytes point. ``order``: whether the lowest or the highest part
    comes first among the bytes of ``count`` (default: highest), of ``addresses`` and in packed cells (default: lowest).
    plus: the addresses of further numbers of the same form, which are added to the one at ``address``.

    digits: ``decimal`` = one digit per byte (``zero`` is the byte that means 0), ``bcd`` = two digits per byte. A byte
    that isn't a digit counts as 0, because games blank leading zeros. mask, shift: select bits of the number and move
    them down (with ``decimal`` in each byte, in a grid in each cell). codes, symbols: two names for the same thing, the
    table that gives the numbers' meanings. origin, scale, divide, modulo, offset: the value is (number - origin) x
    scale / divide, rounded down, then its remainder by modulo, + offset.

    row_stride, column_stride: bytes from a cell to the one below it and to the one right of it. With ``cells_per_byte``
    they count cells instead, and ``skip`` is how many cells of the byte at ``address`` come before the first one. top:
    the number of the grid's first row in the family's field. above: where the first of the ``rows`` are, if they lie
    apart from the others; ``address`` is then that of the first of the other rows. A grid with ``addresses`` has each
    row apart, and no row_stride (or each column, and no column_stride). planes: the addresses of several grids of
    single bits; a cell's number is 1 + the index of the first of them whose bit is set, or 0. binary: the planes are
    the number's binary digits instead, the lowest first.
    """

    address: Address | None = None
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=64)] | None = None
    planes: Annotated[tuple[Address, ...], Field(min_length=1, max_length=32)] | None = None
    binary: Annotated[bool, Field(strict=True)] = False
    plus: Annotated[tuple[Address, ...], Field(max_length=7)] = ()
    pointer: Pointer | None = None
    type: Kind = "u8"
    count: Annotated[int, Field(ge=1, le=12, strict=True)] | None = None
    stride: Stride = 1
    order: Literal["low_first", "high_first"] | None = None
    digits: Literal["bcd", "decimal"] | None = None
    zero: Annotated[int, Field(ge=0, le=255, strict=True)] = 0
    mask: Annotated[int, Field(ge=1, le=0xFFFF_FFFF, strict=True)] | None = None
    shift: Shift = 0
    origin: Annotated[int, Field(ge=-MOST_ADDRESS, le=MOST_ADDRESS, strict=True)] = 0
    scale: Number = 1
    divide: Annotated[int, Field(ge=1, le=MOST_FACTOR, strict=True)] = 1
    modulo: Annotated[int, Field(ge=2, le=MOST_FACTOR, strict=True)] | None = None
    offset: Number = 0
    rows: Steps | None = None
    columns: Steps | None = None
    row_stride: Stride | None = None
    column_stride: Stride | None = None
    cells_per_byte: Literal[1, 2, 4, 8] = 1
    skip: Annotated[int, Field(ge=0, le=7, strict=True)] = 0
    top: Annotated[int, Field(ge=-64, le=63, strict=True)] | None = None
    above: Above | None = None
    codes: str | None = None
    symbols: str | None = None
    source: Source
    note: str | Annotated[bool, Field(strict=True)] = ""

    @field_validator("note")
    @classmethod
    def _no_false_note(cls, note: str | bool) -> str | bool:
        if note is False:
            raise ValueError("give a text, or true for an entry of your own, or leave it out")
        return note

    @field_validator("cells_per_byte", mode="before")
    @classmethod
    def _whole(cls, value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("give 1, 2, 4 or 8")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Entry:
        for wrong, reason in (*self._wrong_place(), *self._wrong_grid(), *self._wrong_value(), *self._wrong_mask()):
            if wrong:
                raise ValueError(reason)
        return self

    def _wrong_place(self) -> tuple[tuple[bool, str], ...]:
        given = sum(place is not None for place in (self.address, self.addresses, self.pointer, self.planes))
        apart = self.addresses is not None and (self.type != "u8" or self.count is not None) and self.rows is None
        return (
            (given == 0, "give either address or addresses (or a pointer)"),
            (given > 1, "give either address or addresses or a pointer, only one of them"),
            (apart, "addresses lists single bytes: no type and no count with it"),
            (
                self.count is not None and (self.digits is None or self.type != "u8"),
                "count is the number of a number's digit bytes: give digits with it, and no type",
            ),
            (self.stride != 1 and self.count is None, "stride is for digits that stand apart: give count with it"),
            (self.stride == 0, "a stride of 0 leads nowhere: give the bytes from one digit to the next"),
            (
                self.order is not None and self.addresses is None and self.count is None and self.cells_per_byte == 1,
                "order is for addresses, for count and for cells_per_byte; a type says its own (le, be)",
            ),
        )

    def _wrong_grid(self) -> tuple[tuple[bool, str], ...]:
        grid = (self.rows, self.columns, self.row_stride, self.column_stride)
        some = any(part is not None for part in grid)
        changed = self._calculates or self.digits is not None
        return (
            *self._wrong_parts(),
            (
                self.addresses is None and some and any(part is None for part in grid),
                "a grid needs rows, columns, row_stride and column_stride, all four",
            ),
            (
                self.row_stride == 0 or self.column_stride == 0,
                "a stride of 0 leads nowhere: give the bytes to the next",
            ),
            (
                self.rows is not None and (changed or self.type not in ("u8", "u16le", "u16be")),
                "a grid's cells are bytes or words as they stand (u8, u16le, u16be; mask, shift and codes): no other "
                "type, no digits, origin, scale, divide or offset with rows",
            ),
            (
                self.above is not None and not self._may_have_rows_above(self.above),
                "above tells where the first rows of a grid lie: give rows (all of them), columns and strides, an "
                "address, and whole bytes or words for cells",
            ),
            (
                self.rows is None and (self.cells_per_byte != 1 or self.top is not None or self.planes is not None),
                "cells_per_byte, planes and top are for grids: give rows, columns, row_stride and column_stride",
            ),
            (self.cells_per_byte != 1 and self.type != "u8", "cells_per_byte packs cells into single bytes: no type"),
            (self.skip >= self.cells_per_byte, "skip is for cells that share a byte: give fewer than cells_per_byte"),
            (
                self.rows is not None and self.table is None and self.field_bits >> self.shift > 255,
                "a cell of this grid may hold more than 255: give mask, shift or codes",
            ),
        )

    def _wrong_parts(self) -> tuple[tuple[bool, str], ...]:
        """What is wrong with a grid whose rows, columns or bits lie apart."""
        every = (self.rows or 0) * (self.columns or 0)
        lines = {(True, False): self.columns, (False, True): self.rows, (False, False): every}.get(
            (self.row_stride is not None, self.column_stride is not None)
        )
        grid = self.addresses is not None and (self.rows is not None or self.columns is not None)
        return (
            (
                grid and (None in (self.rows, self.columns) or lines is None or lines != len(self.addresses or ())),
                "addresses with rows and columns lists the first cell of each row, with a column_stride alone, or that "
                "of each column, with a row_stride alone, or all cells row by row, without strides",
            ),
            (grid and self.cells_per_byte != 1, "cells whose rows lie apart are whole bytes or words"),
            (
                self.planes is not None and (self.cells_per_byte != 8 or self.mask is not None or self.shift > 0),
                "planes are grids of single bits: give cells_per_byte: 8, and no mask or shift",
            ),
            (self.binary and not 1 < len(self.planes or ()) <= 8, "binary is for 2 to 8 planes: give them"),
        )

    def _wrong_value(self) -> tuple[tuple[bool, str], ...]:
        apart = len(self.addresses or ()) > 2 and self.rows is None
        wide = apart or WIDTHS[self.type] > 2 or self.type.startswith("s")
        return (
            (self.codes is not None and self.symbols is not None, "codes and symbols are the same: give one of them"),
            (
                bool(self.plus) and (self.address is None or self.is_grid or self.table is not None),
                "plus adds numbers to the one at address: no addresses, pointer, rows, columns or codes with it",
            ),
            (
                self.table is not None and (self._calculates or self.digits is not None or wide),
                "codes say what one byte means, or two of them (a u16, or two addresses): no other type, no digits, "
                "origin, scale, divide, modulo or offset with them",
            ),
            (self.scale == 0, "a scale of 0 makes everything 0"),
            (self.zero != 0 and self.digits != "decimal", "zero is the byte of the digit 0: give digits: decimal"),
            (
                self.digits is not None and self.type.startswith("s"),
                "digits have no sign: give an unsigned type",
            ),
        )

    def _wrong_mask(self) -> tuple[tuple[bool, str], ...]:
        mask = self.mask
        return (
            (
                mask is not None and mask > self._most_raw,
                f"the mask {mask or 0:#x} has more bits than the number it is for ({self._most_raw:#x})",
            ),
            (
                (self._most_raw if mask is None else mask) >> self.shift == 0,
                f"a shift of {self.shift} leaves nothing of the number",
            ),
        )

    def _may_have_rows_above(self, above: Above) -> bool:
        whole = self.rows is not None and self.address is not None and self.cells_per_byte == 1
        apart = above.column_stride != 0 and (above.rows == 1 or above.row_stride != 0)
        return whole and apart and above.rows < (self.rows or 0)

    @property
    def _calculates(self) -> bool:
        return (self.origin, self.scale, self.divide, self.modulo, self.offset) != (0, 1, 1, None, 0)

    @property
    def is_grid(self) -> bool:
        """Whether the entry is a grid of cells."""
        return self.rows is not None

    @property
    def is_plain(self) -> bool:
        """Whether the value is simply the number that the bytes make, x scale + offset."""
        return (
            self.mask is None
            and not self.shift
            and self.digits is None
            and self.table is None
            and not self.plus
            and (self.origin, self.divide, self.modulo) == (0, 1, None)
            and not self.type.startswith("s")
        )

    @property
    def table(self) -> str | None:
        """The name of the table that says what the entry's numbers mean; None without a table."""
        return self.codes if self.codes is not None else self.symbols

    @property
    def cell_bits(self) -> int:
        """Bits of a cell, or of a single value, before mask and shift."""
        if self.planes is not None:
            return 8
        return 8 // self.cells_per_byte if self.is_grid and self.cells_per_byte > 1 else 8 * self.width

    @property
    def width(self) -> int:
        """How many bytes a single value or a cell takes (1 for packed cells; of planes, one in each)."""
        if self.planes is not None:
            return len(self.planes)
        if self.addresses is not None and self.rows is None:
            return len(self.addresses)
        return WIDTHS[self.type] if self.count is None else self.count

    @property
    def _most_raw(self) -> int:
        """The greatest number that mask and shift apply to. With ``decimal`` they apply to each byte."""
        return 255 if self.digits == "decimal" else (1 << self.cell_bits) - 1

    @property
    def field_bits(self) -> int:
        """The bits of the number that remain after mask and shift (of a byte with ``decimal``, of a cell in a grid)."""
        mask = self._most_raw if self.mask is None else self.mask
        return mask >> self.shift << self.shift

    def byte_addresses(self, base: int | None = None) -> list[int]:
        """The CPU addresses of all the entry's bytes: lowest byte first, number by number; a grid row by row, cell by
        cell.

        Each packed cell gives its byte's address, and one in each plane. ``base``: the address to which the entry's
        pointer leads. Without ``base``, an entry with a pointer has no addresses.
        """
        start = self.address if base is None else base
        if self.planes is not None:
            return [plane + cell // 8 for cell in self._cells() for plane in self.planes]
        if self.addresses is not None and self.rows is not None:
            return [cell + byte for cell in self._cells() for byte in byte_order(self.type)]
        if self.addresses is not None:
            return list(self.addresses[:: -1 if self.order == "high_first" else 1])
        if start is None:
            return []
        if self.count is not None:
            one = [byte * self.stride for byte in range(self.count)]
            inside = one if self.order == "low_first" else one[::-1]
        else:
            inside = byte_order(self.type)
        if self.rows is None:
            return [number + byte for number in (start, *self.plus) for byte in inside]
        return [start + cell // self.cells_per_byte + byte for cell in self._cells() for byte in inside]

    def _cells(self) -> list[int]:
        """The offset of each cell from ``address``, in bytes (for packed cells, in cells). With ``addresses``: the
        address of each cell.
        """
        assert self.rows is not None
        assert self.columns is not None
        if self.addresses is not None and self.row_stride is None and self.column_stride is None:
            return list(self.addresses)
        if self.addresses is not None and self.row_stride is None:
            across = self.column_stride or 0
            return [first + column * across for first in self.addresses for column in range(self.columns)]
        if self.addresses is not None:
            return [first + row * (self.row_stride or 0) for row in range(self.rows) for first in self.addresses]
        assert self.row_stride is not None
        assert self.column_stride is not None
        apart = self.above
        first = apart.rows if apart is not None else 0
        found = [
            self.skip + row * self.row_stride + column * self.column_stride
            for row in range(self.rows - first)
            for column in range(self.columns)
        ]
        if apart is None or self.address is None:
            return found
        start = apart.address - self.address
        return [
            start + row * apart.row_stride + column * apart.column_stride
            for row in range(apart.rows)
            for column in range(self.columns)
        ] + found

    def cell_shifts(self) -> list[int]:
        """For each cell, the position of its lowest bit in its byte; 0 for cells of whole bytes."""
        several = self.cells_per_byte
        if several == 1:
            return [0] * len(self._cells())
        numbers = [cell % several for cell in self._cells()]
        if self.order == "high_first":
            numbers = [several - 1 - number for number in numbers]
        return [number * (8 // several) for number in numbers]

    def shares(self, other: Entry) -> bool:
        """Whether two single values may use the very same bits.

        They may if one of them takes a part of the number (by ``divide`` or ``modulo``), or if their tables differ.
        """
        if self.is_grid or other.is_grid or self.used_bits() != other.used_bits():
            return False
        parts = any((entry.divide, entry.modulo) != (1, None) for entry in (self, other))
        return parts or (None not in (self.table, other.table) and self.table != other.table)

    def used_bits(self) -> list[tuple[int, int]]:
        """The bits that the entry reads, as (CPU address, mask). Several entries may share a byte if their masks
        differ.
        """
        where, bits = self.byte_addresses(), self.field_bits
        if self.planes is not None:
            shifts = [shift for shift in self.cell_shifts() for _ in self.planes]
            return [(address, 1 << shift) for address, shift in zip(where, shifts, strict=True)]
        if self.digits == "decimal":
            return [(address, bits) for address in where]
        if self.is_grid and self.cells_per_byte > 1:
            return [(address, bits << shift) for address, shift in zip(where, self.cell_shifts(), strict=True)]
        width = self.width
        found = [(address, bits >> 8 * (at % width) & 255) for at, address in enumerate(where)]
        return [(address, part) for address, part in found if part]
