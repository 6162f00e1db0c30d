"""Writes a board's planes as bytes (imports numba), for observations."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import inlined
from ochibot.puyo.kernels.bits import FLOOR, ONE, U
from ochibot.puyo.kernels.codes import color_plane, nuisance
from ochibot.puyo.kernels.special import kept_rows, pdep, swapped, uses_pext

TWO_CELLS: Final = U(0x0101)
"""The lowest bit of each byte of two; _BYTES: of eight."""
_BYTES: Final = U(0x0101_0101_0101_0101)
_RIGHTMOST: Final = U(sum(1 << 6 * row for row in range(8)))
"""The cells of the last column, where each row is six bits."""


@inlined
def _two_cells(bits: Any) -> Any:
    """Two neighbouring cells of a row as two bytes, 0 or 1. Bits 0 and 16 of ``bits`` are the cells."""
    return np.uint16((bits | (bits >> U(8))) & TWO_CELLS)


@inlined
def _write_plane(g: Any, west: Any, east: Any, out: Any, end: Any) -> None:
    """Writes a plane, a byte for each cell, the top row first. ``end``: the end of the plane's uint16 in ``out``, which
    hold two cells each.

    Nothing here depends on the cells: a branch that is hard to predict costs more than empty rows.
    """
    rows = np.int64(kept_rows(g))
    if uses_pext(g):
        _write_rows(g, west, east, out, end, 8)
        _write_rows(g, west >> U(8), east >> U(8), out, end - U(24), rows - 8)
        return
    for _ in range(rows):
        end -= U(3)
        row, rest = west & FLOOR, east & FLOOR
        out[end] = _two_cells(row)
        out[end + ONE] = _two_cells(row >> U(32))
        out[end + U(2)] = _two_cells(rest)
        west >>= ONE
        east >>= ONE


@inlined
def _write_rows(g: Any, west: Any, east: Any, out: Any, end: Any, rows: Any) -> None:
    """Writes the lowest rows of a plane, at most eight: their bits from the floor up, each row from the right."""
    cells = (
        pdep(g, west, _RIGHTMOST << U(5))
        | pdep(g, west >> U(16), _RIGHTMOST << U(4))
        | pdep(g, west >> U(32), _RIGHTMOST << U(3))
        | pdep(g, west >> U(48), _RIGHTMOST << U(2))
        | pdep(g, east, _RIGHTMOST << ONE)
        | pdep(g, east >> U(16), _RIGHTMOST)
    )
    whole = 3 * rows // 4
    for _ in range(whole):
        eight = swapped(pdep(g, cells, _BYTES))
        end -= U(4)
        out[end] = np.uint16(eight)
        out[end + ONE] = np.uint16(eight >> U(16))
        out[end + U(2)] = np.uint16(eight >> U(32))
        out[end + U(3)] = np.uint16(eight >> U(48))
        cells >>= U(8)
    eight = swapped(pdep(g, cells, _BYTES))
    for _ in range(3 * rows - 4 * whole):
        end -= ONE
        out[end] = np.uint16(eight >> U(48))
        eight <<= U(16)


@inlined
def write_planes(g: Any, codes: Any, colors: Any, out: Any) -> None:
    """Writes the planes of all labels, and that of nuisance."""
    size = U(3) * kept_rows(g)
    end = size
    for k in range(colors):
        west, east = color_plane(codes, k)
        _write_plane(g, west, east, out, end)
        end += size
    west, east = nuisance(codes)
    _write_plane(g, west, east, out, end)
