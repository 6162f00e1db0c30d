"""The planes of all colours as one value, and groups on them (imports numba).

In *packed planes* every colour has 128 bits, eight columns of 16 bits of which the last two stay empty: two words,
``west`` with the columns 1 to 4 and ``east`` with 5 and 6. A step to the side is then one instruction for two colours
(or more, where registers are wider), and all six columns of a colour are side by side. A single plane is the two
words. ``g`` says for how many colours a kernel is made, 4 or 6 (``Geometry.colors``); those above are not looked at.

In memory a board keeps the words of ``bot.puyo.field``, three columns each: ``gather`` and ``scatter`` convert.
Diagrams show a plane as the player sees the field, '#' set.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from bot.jit.lanes import PIECES, LanesType, apart, at, inlined, shuffled, splat, together, vector
from bot.puyo.field import PLANE_LANES
from bot.puyo.special import clear_size

_U: Final = np.uint64
_ONE: Final = _U(1)
_TWO: Final = _U(2)
_THREE: Final = _U(3)
_COLUMN: Final = _U(16)
_THREE_COLUMNS: Final = _U(48)
_WORD: Final = _U(0xFFFF_FFFF_FFFF)

_ALL: Final = (1 << 64) - 1
_I64: Final = ir.IntType(64)
_ORDER: Final = {4: (0, 2, 1, 3), 6: (0, 2, 1, 3, 4, 5)}
"""Which colour lies where: the order that a processor's instructions make of two vectors of words the quickest."""


@inlined
def packed(low: Any, high: Any) -> Any:
    """The words west, east of a plane given as a board's words, three columns each."""
    return low | (high << _THREE_COLUMNS), high >> _COLUMN


@inlined
def unpacked(west: Any, east: Any) -> Any:
    """The words low, high of a plane."""
    return west & _WORD, (west >> _THREE_COLUMNS) | (east << _COLUMN)


def _typed(g: Any) -> tuple[int, Any]:
    return g.geometry.colors, LanesType(2 * g.geometry.colors)


def _in_memory(colors: int) -> int:
    """How many words of a half are loaded: those of four colours, or all."""
    return colors if colors == 4 else PLANE_LANES


def _pieces(colors: int) -> list[tuple[int, ...]]:
    """The colours of each of the vectors that a value of packed planes is made of."""
    colored, begin = [], 0
    for count in PIECES[2 * colors]:
        colored.append(_ORDER[colors][begin : begin + count // 2])
        begin += count // 2
    return colored


def _each(number: int, numbers: tuple[int, ...]) -> list[int]:
    """The places of both words of the planes at these places, in a pair of vectors of so many words."""
    return [place for k in numbers for place in (k, number + k)]


def _words(number: int, word: int) -> Any:
    return ir.Constant(vector(number), [word] * number)


@intrinsic
def colored(typingctx: Any, g: Any, board: Any, index: Any) -> Any:  # noqa: ARG001
    """One word of each colour as a board keeps them: from index 0 the low ones, from PLANE_LANES the high ones."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        count = sig.return_type.count
        return builder.load(at(context, builder, sig.args[1], args[1], args[2], count), align=8)

    return LanesType(_in_memory(g.geometry.colors))(g, board, types.int64), codegen


@intrinsic
def gather(typingctx: Any, g: Any, board: Any) -> Any:  # noqa: ARG001
    """The packed planes of a board."""
    _, result = _typed(g)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        colors, _ = _typed(sig.args[0])
        count = _in_memory(colors)
        low, high = (
            builder.load(at(context, builder, sig.args[1], args[1], ir.Constant(_I64, index), count), align=8)
            for index in (0, PLANE_LANES)
        )
        west = builder.or_(low, builder.shl(high, _words(count, 48)))
        east = builder.lshr(high, _words(count, 16))
        return together(builder, [shuffled(builder, west, east, _each(count, piece)) for piece in _pieces(colors)])

    return result(g, board), codegen


@intrinsic
def scatter(typingctx: Any, g: Any, a: Any, b: Any, c: Any, board: Any, index: Any) -> Any:  # noqa: ARG001
    """Writes one word of each colour to a board, as ``colored`` reads them, from three words: the planes of the bits
    0, 1 and 2 of the colours' numbers. What ``g`` doesn't look at stays as it is."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        colors, _ = _typed(sig.args[0])
        count = _in_memory(colors)
        value = ir.Constant(vector(count), [_ALL if color < colors else 0 for color in range(count)])
        for k, word in enumerate(args[1:4]):
            flip = ir.Constant(vector(count), [_flip(color, k) for color in range(count)])
            value = builder.and_(value, builder.xor(splat(builder, word, count), flip))
        builder.store(value, at(context, builder, sig.args[4], args[4], args[5], count), align=8)
        return context.get_dummy_value()

    return types.void(g, types.uint64, types.uint64, types.uint64, board, types.int64), codegen


def _flip(color: int, k: int) -> int:
    """All ones when the number of a colour (from 0; its number is one more) has no bit k."""
    return 0 if color + 1 & 1 << k else _ALL


def _pair(builder: Any, west: Any, east: Any) -> Any:
    two = ir.Constant(vector(2), ir.Undefined)
    for k, word in enumerate((west, east)):
        two = builder.insert_element(two, word, ir.Constant(ir.IntType(32), k))
    return two


@intrinsic
def mask(typingctx: Any, g: Any, west: Any, east: Any) -> Any:  # noqa: ARG001
    """One plane in all colours."""
    _, result = _typed(g)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        two = _pair(builder, *args[1:])
        counts = PIECES[sig.return_type.count]
        return together(builder, [shuffled(builder, two, two, [0, 1] * (count // 2)) for count in counts])

    return result(g, types.uint64, types.uint64), codegen


@intrinsic
def only(typingctx: Any, g: Any, color: Any, west: Any, east: Any) -> Any:  # noqa: ARG001
    """One plane in one colour (from 0), nothing in the others."""
    _, result = _typed(g)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        colors, _ = _typed(sig.args[0])
        two = _pair(builder, *args[2:])
        made = []
        for colored in _pieces(colors):
            count = 2 * len(colored)
            numbers = ir.Constant(vector(count), [k for k in colored for _ in range(2)])
            here = builder.icmp_unsigned("==", numbers, splat(builder, args[1], count))
            made.append(builder.select(here, shuffled(builder, two, two, [0, 1] * len(colored)), _words(count, 0)))
        return together(builder, made)

    return result(g, types.int64, types.uint64, types.uint64), codegen


def _without_bit(k: int) -> Any:
    @intrinsic
    def get(typingctx: Any, g: Any) -> Any:  # noqa: ARG001
        _, result = _typed(g)

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            colors, _ = _typed(sig.args[0])
            made = []
            for colored in _pieces(colors):
                words = [_flip(color, k) for color in colored for _ in range(2)]
                made.append(ir.Constant(vector(len(words)), words))
            return together(builder, made)

        return result(g), codegen

    return get


without_0: Final = _without_bit(0)
"""All ones in the colours (counted from 1) whose number has no bit 0; then of bits 1 and 2."""
without_1: Final = _without_bit(1)
without_2: Final = _without_bit(2)


def _sideways(places: int) -> Any:
    """A function that moves every plane by a number of columns, to the right or (negative) to the left."""

    @intrinsic
    def move(typingctx: Any, planes: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            made = []
            for piece in apart(builder, args[0], sig.args[0]):
                count = 4 * piece.type.count
                columns = ir.VectorType(ir.IntType(16), count)
                inside = [0 <= k % 8 - places < 8 for k in range(count)]
                order = [k - places if here else count for k, here in enumerate(inside)]
                zeros = ir.Constant(columns, [0] * count)
                moved = shuffled(builder, builder.bitcast(piece, columns), zeros, order)
                made.append(builder.bitcast(moved, piece.type))
            return together(builder, made)

        return planes(planes), codegen

    return move


rightward: Final = _sideways(1)
"""Every cell one column further right; what leaves the field lies in the empty columns: mask it."""
rightward_2: Final = _sideways(2)
leftward: Final = _sideways(-1)
"""Every cell one column further left; what leaves the field is gone."""


_PLANE: Final = LanesType(2)


@intrinsic
def plane(typingctx: Any, west: Any, east: Any) -> Any:  # noqa: ARG001
    """One plane as a vector."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return _pair(builder, *args)

    return _PLANE(types.uint64, types.uint64), codegen


@intrinsic
def words(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """The words of a plane: (west, east)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        both = [builder.extract_element(args[0], ir.Constant(ir.IntType(32), k)) for k in range(2)]
        return context.make_tuple(builder, sig.return_type, both)

    return types.UniTuple(types.uint64, 2)(_PLANE), codegen


@intrinsic
def any_cell(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """Whether a plane has any cell."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        whole = ir.IntType(128)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], whole), ir.Constant(whole, 0))

    return types.boolean(_PLANE), codegen


@intrinsic
def union(typingctx: Any, planes: Any) -> Any:  # noqa: ARG001
    """The cells of all colours: a plane."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        pieces = apart(builder, args[0], sig.args[0])
        while len(pieces) > 1 or pieces[0].type.count > 2:
            count = max(piece.type.count for piece in pieces)
            halves = [
                shuffled(builder, piece, piece, [*range(begin, begin + count // 2)])
                for piece in pieces
                if piece.type.count == count
                for begin in (0, count // 2)
            ]
            pieces = [piece for piece in pieces if piece.type.count < count] + halves
            while len(pieces) > 1:
                pieces[:2] = [builder.or_(*pieces[:2])]
        return pieces[0]

    return _PLANE(planes), codegen


@inlined
def _threes(g: Any, planes: Any) -> Any:
    """(the cells with three neighbours, those with two), of planes of grouping cells. Where groups of fewer than four
    clear, cells of which each is in such a group; larger groups are picked out later."""
    right = leftward(planes) & planes
    left = rightward(planes) & planes
    up = (planes >> _ONE) & planes
    down = (planes << _ONE) & planes
    beside, both = left | right, left & right
    along, through = up | down, up & down
    if clear_size(g) == _TWO:
        return beside | along, beside | along
    two = both | through | (beside & along)
    if clear_size(g) == _THREE:
        return two, two
    return (both & along) | (through & beside), two


@inlined
def may_clear(g: Any, planes: Any) -> Any:
    """Whether there is a group of four or more in planes of grouping cells.

    It has a cell with three neighbours, or two cells side by side that have two. Where smaller groups clear, the like
    for those::

        ##....      ##....        ...#..
        .##..#  ->  .##...        ..###.
        .....#      ......        ......
    """
    three, two = _threes(g, planes)
    return any_cell(union(three | (two & (leftward(two) | (two >> _ONE)))))


@inlined
def seeds(g: Any, planes: Any) -> Any:
    """These cells: all others of their groups touch one of them::

    ##....      .#....        ...#..      ......
    .##..#  ->  .#....        ..###.  ->  ...#..
    .....#      ......        ......      ......
    """
    three, two = _threes(g, planes)
    return three | (two & (leftward(two) | rightward(two) | (two >> _ONE) | (two << _ONE)))


@inlined
def grown(planes: Any) -> Any:
    """Planes (or one) and every cell beside one of their cells; mask the result."""
    return planes | leftward(planes) | rightward(planes) | (planes >> _ONE) | (planes << _ONE)


@inlined
def grown_plane(west: Any, east: Any) -> Any:
    """The same of one plane."""
    return (
        west | (west << _COLUMN) | (west >> _COLUMN) | (east << _THREE_COLUMNS) | (west >> _ONE) | (west << _ONE),
        east | (east << _COLUMN) | (east >> _COLUMN) | (west >> _THREE_COLUMNS) | (east >> _ONE) | (east << _ONE),
    )
