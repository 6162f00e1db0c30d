"""Kernels specialised by rules (imports numba): a geometry is a *type*; its numbers are constants in the machine code.

A kernel takes a geometry as its first argument. Nothing is passed (Python gives None), but the argument's numba type
carries the numbers. The functions below turn them into constants when numba compiles. Each geometry has its own machine
code, and a test such as ``clear_size(g) == 4`` costs nothing.

Only the browser's engine (docs/browser-engine.md) has one code for all geometries: it reads the numbers from memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, intrinsic, register_model, unbox

from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Geometry

_WORD: Final = ir.IntType(64)

NUMBERS: Final[list[Callable[[Geometry], int]]] = []
"""The functions that compute a geometry's numbers for the kernels, in the order of their definition below."""


class GeometryType(types.Type):  # type: ignore[misc]
    """The numba type of one geometry."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        super().__init__(name=f"Geometry{tuple(int(number) for number in geometry)}")

    def number(self, builder: Any, which: int) -> Any:  # noqa: ARG002
        """LLVM's value of one of NUMBERS."""
        return ir.Constant(_WORD, NUMBERS[which](self.geometry))

    def stacks(self, builder: Any) -> Any:
        """LLVM's pointer to the table of ``stack_words``."""
        entries = stack_words(self.geometry)
        table = ir.Constant(ir.ArrayType(_WORD, len(entries)), entries)
        place = ir.GlobalVariable(builder.module, table.type, builder.module.get_unique_name("stack_sums"))
        place.linkage, place.global_constant, place.initializer = "internal", True, table
        return place


register_model(GeometryType)(models.OpaqueModel)


class OpenGeometryType(GeometryType):
    """The type of a geometry whose numbers are written to memory before the code runs, at the name PLACE. They are
    those of ``open_words``.
    """

    PLACE: Final = "geometry"

    def number(self, builder: Any, which: int) -> Any:
        """Reads one of NUMBERS from memory, except whether to use pext, which is a constant."""
        if NUMBERS[which] is _pext:
            return ir.Constant(_WORD, 0)
        place = builder.gep(self._place(builder), [ir.Constant(_WORD, 0), ir.Constant(_WORD, which)], inbounds=True)
        word = builder.load(place)
        # nothing in the code writes to the place, so LLVM need not read it again after each write
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        return word

    def stacks(self, builder: Any) -> Any:
        """A pointer to the words after the numbers."""
        first = [ir.Constant(_WORD, 0), ir.Constant(_WORD, len(NUMBERS))]
        place = builder.gep(self._place(builder), first, inbounds=True)
        return builder.bitcast(place, ir.ArrayType(_WORD, 16 * COLUMNS).as_pointer())

    def _place(self, builder: Any) -> Any:
        module = builder.module
        if self.PLACE in module.globals:
            return module.globals[self.PLACE]
        place = ir.GlobalVariable(module, ir.ArrayType(_WORD, len(NUMBERS) + 16 * COLUMNS), self.PLACE)
        # "common": LLVM makes one place of those of all modules
        place.linkage, place.initializer = "common", ir.Constant(place.type.pointee, None)
        return place


register_model(OpenGeometryType)(models.OpaqueModel)


def open_words(geometry: Geometry) -> list[int]:
    """The words that code of an ``OpenGeometryType`` reads."""
    return [*(number(geometry) for number in NUMBERS), *stack_words(geometry)]


@unbox(GeometryType)
def _unbox(typ: Any, value: Any, context: Any) -> Any:  # noqa: ARG001
    return NativeValue(context.context.get_dummy_value())


def _constant(number: Callable[[Geometry], int]) -> Any:
    """Makes a function for kernels that returns one number of the geometry as a uint64 constant."""
    which = len(NUMBERS)
    NUMBERS.append(number)

    @intrinsic
    def get(typingctx: Any, g: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            return signature.args[0].number(builder, which)

        return types.uint64(g), codegen

    return get


def _pext(geometry: Geometry) -> int:
    return int(geometry.pext)


def _lanes(rows: int, columns: int) -> int:
    return sum(((1 << rows) - 1) << 16 * x for x in range(columns))


grouping_west: Final = _constant(lambda g: _lanes(g.grouping, 4))
"""The west word of a plane with all cells whose puyos group. ``grouping_east`` is its east word."""
grouping_east: Final = _constant(lambda g: _lanes(g.grouping, 2))
kept_west: Final = _constant(lambda g: _lanes(g.kept, 4))
"""The west word of a plane with all cells that can hold puyos. ``kept_east`` is its east word."""
kept_east: Final = _constant(lambda g: _lanes(g.kept, 2))
moving_west: Final = _constant(lambda g: _lanes(g.moving, 4))
"""The west word of a plane with all cells where the halves of a pair can be. ``moving_east`` is its east word."""
moving_east: Final = _constant(lambda g: _lanes(g.moving, 2))
obstacles: Final = _constant(lambda g: _lanes(ROWS, 4) & ~_lanes(g.visible - 2, 4))
"""The top rows, where puyos can be in the way of a new pair. The same word serves west and east, since the
spare columns of the east word are empty.
"""
spawn_cell: Final = _constant(lambda g: 1 << (16 * (SPAWN_COLUMN - 1) + g.visible - 1))
"""The cell in which a puyo ends the game, in the west word of a plane."""
spawn_row: Final = _constant(lambda g: g.visible - 1)
kept_rows: Final = _constant(lambda g: g.kept)
"""How many rows hold puyos."""
clear_size: Final = _constant(lambda g: g.clear_size)
has_kicks: Final = _constant(lambda g: int(g.kicks))
has_quick_turn: Final = _constant(lambda g: int(g.quick_turn))
turns_in_box: Final = _constant(lambda g: int(g.box))
"""Whether pairs turn within a box (1 or 0)."""
uses_pext: Final = _constant(_pext)
is_general: Final = _constant(lambda g: int(g.general))
"""Whether a step's points need the general formula (1 or 0)."""
loses_rows: Final = _constant(lambda g: int(g.kept < ROWS))
"""Whether pairs may reach rows that keep no puyos (1 or 0). Puyos in these rows are removed when the field settles."""


def reach(g: Geometry) -> int:
    """How many steps the cell farthest from the spawn cell is away from it."""
    return COLUMNS - SPAWN_COLUMN + g.visible - 1


spawn_reach: Final = _constant(reach)


def nearness(g: Geometry, x: int, row: int) -> int:
    """The spawn metric of one puyo at column x (from 1) and row (from 0 at the floor)."""
    return int((reach(g) - abs(x - SPAWN_COLUMN) - abs(row - (g.visible - 1))) ** 2)


def _bmi2(name: str) -> Any:
    @intrinsic
    def gather(typingctx: Any, g: Any, value: Any, mask: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            if not signature.args[0].geometry.pext:
                return args[1]  # this code never runs, because callers ask ``uses_pext(g)`` first
            function = builder.module.declare_intrinsic(name, (), ir.FunctionType(_WORD, (_WORD, _WORD)))
            return builder.call(function, args[1:])

        return types.uint64(g, types.uint64, types.uint64), codegen

    return gather


pext: Final = _bmi2("llvm.x86.bmi.pext.64")
"""Collects the bits of ``value`` where ``mask`` is set, side by side from bit 0. Call it only if ``uses_pext(g)``."""
pdep: Final = _bmi2("llvm.x86.bmi.pdep.64")
"""Spreads the lowest bits of ``value`` over the set bits of ``mask``. Call it only if ``uses_pext(g)``."""


@intrinsic
def swapped(typingctx: Any, word: Any) -> Any:  # noqa: ARG001
    """The eight bytes of a uint64 in reverse order."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.bswap(args[0])

    return types.uint64(types.uint64), codegen


# The lowest bit of each of a board's sums. They lie side by side in one word, so that one addition adds them all. None
# overflows: there are 84 cells, each with at most four neighbours, and a cell's spawn metric is at most 15 * 15.
SUM_CONSECUTIVE: Final = 0
SUM_LINKS: Final = 16
SUM_COUNT: Final = 32
SUM_EDGE: Final = 40
SUM_SPAWN: Final = 48


def stack_sums(g: Geometry, x: int, height: int) -> int:
    """Three sums (count, edge, spawn) for a stack of puyos in column x (from 0), in one word as SUM_COUNT etc. say.

    Puyos above the highest row that keeps puyos don't count.
    """
    total = 0
    for row in range(min(height, g.kept)):
        edge = (x == 0) + (x == COLUMNS - 1) + (row == 0)
        total += (1 << SUM_COUNT) + (edge << SUM_EDGE) + (nearness(g, x + 1, row) << SUM_SPAWN)
    return total


def stack_words(g: Geometry) -> list[int]:
    """``stack_sums`` of each column and each height from 0 to 15."""
    return [stack_sums(g, x, height) for x in range(COLUMNS) for height in range(16)]


@intrinsic
def stack(typingctx: Any, g: Any, x: Any, height: Any) -> Any:  # noqa: ARG001
    """``stack_sums`` of a column (from 0) and a height (0 to 15), both int64, read from a table in the machine code."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        place = signature.args[0].stacks(builder)
        at = builder.add(builder.mul(args[1], ir.Constant(_WORD, 16)), args[2])
        return builder.load(builder.gep(place, [ir.Constant(_WORD, 0), at], inbounds=True))

    return types.uint64(g, types.int64, types.int64), codegen
