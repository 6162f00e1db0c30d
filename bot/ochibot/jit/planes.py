"""A plane of cells as one vector of 128 bits (imports numba), so that a step to the side is one instruction.

The vector is the plane's two words: eight columns of 16 bits, of which the last one or two stay empty. A vector of
eight words holds four planes. Vectors support the operators that ``ochibot.jit.lanes`` lists. Packing and unpacking a
vector costs a few instructions. So groups are found in vectors, while falling and counting work on words.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ochibot.jit.lanes import LANES, LanesType, inlined, lanes, splat, vector

PLANE: Final = LanesType(2)
_ONE: Final = np.uint64(1)
_COLUMNS: Final = 8
_I32: Final = ir.IntType(32)


def _shuffled(builder: Any, a: Any, b: Any, order: list[int]) -> Any:
    """The elements of two vectors in this order; those of ``b`` are numbered after those of ``a``."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_I32, len(order)), order))


@intrinsic
def plane(typingctx: Any, west: Any, east: Any) -> Any:  # noqa: ARG001
    """The vector of two words."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        two = ir.Constant(vector(2), ir.Undefined)
        for k, word in enumerate(args):
            two = builder.insert_element(two, word, ir.Constant(_I32, k))
        return two

    return PLANE(types.uint64, types.uint64), codegen


@intrinsic
def words(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """The words of a vector: (west, east)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        both = [builder.extract_element(args[0], ir.Constant(_I32, k)) for k in range(2)]
        return context.make_tuple(builder, sig.return_type, both)

    return types.UniTuple(types.uint64, 2)(PLANE), codegen


@intrinsic
def any_cell(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """Whether any cell of a plane is set."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        whole = ir.IntType(128)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], whole), ir.Constant(whole, 0))

    return types.boolean(PLANE), codegen


def _sideways(places: int) -> Any:
    """Makes a function that moves a plane, or each of four, by ``places`` columns: to the right, or to the left if
    negative.
    """

    @intrinsic
    def move(typingctx: Any, value: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            every = sig.args[0].count // 2 * _COLUMNS
            columns = ir.VectorType(ir.IntType(16), every)
            inside = [0 <= k % _COLUMNS - places < _COLUMNS for k in range(every)]
            order = [k - places if here else every for k, here in enumerate(inside)]
            zeros = ir.Constant(columns, [0] * every)
            moved = _shuffled(builder, builder.bitcast(args[0], columns), zeros, order)
            return builder.bitcast(moved, args[0].type)

        return value(value), codegen

    return move


rightward: Final = _sideways(1)
"""Every cell one column further right. Cells that leave the field land in the empty columns: mask the result."""
rightward_2: Final = _sideways(2)
leftward: Final = _sideways(-1)
"""Every cell one column further left. Cells that leave the field are gone."""
leftward_2: Final = _sideways(-2)


@inlined
def around(value: Any) -> Any:
    """Every cell beside a cell of the plane, or of each of four. The result may leave the field: mask it."""
    return rightward(value) | leftward(value) | (value << _ONE) | (value >> _ONE)


@intrinsic
def four(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """Four planes, all equal to this one."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return _shuffled(builder, args[0], args[0], [0, 1] * 4)

    return lanes(PLANE), codegen


def _one_of(number: int) -> Any:
    @intrinsic
    def pick(typingctx: Any, planes: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            return _shuffled(builder, args[0], args[0], [2 * number, 2 * number + 1])

        return PLANE(lanes), codegen

    return pick


FIRST, SECOND, THIRD, FOURTH = map(_one_of, range(4))
"""Kernel functions: the first of four planes, the second one, and so on."""


@intrinsic
def united(typingctx: Any, planes: Any) -> Any:  # noqa: ARG001
    """The cells that any of four planes has."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        low = _shuffled(builder, args[0], args[0], [0, 1, 2, 3])
        half = builder.or_(low, _shuffled(builder, args[0], args[0], [4, 5, 6, 7]))
        low = _shuffled(builder, half, half, [0, 1])
        return builder.or_(low, _shuffled(builder, half, half, [2, 3]))

    return PLANE(lanes), codegen


@intrinsic
def load_four(typingctx: Any, words: Any, at: Any) -> Any:  # noqa: ARG001
    """Four planes from eight words of an array, from index ``at`` on: first the west words, then the east words."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = context.make_array(sig.args[0])(context, builder, args[0])
        where = builder.bitcast(builder.gep(array.data, [args[1]]), vector(LANES).as_pointer())
        loaded = builder.load(where)
        loaded.align = 8
        return _shuffled(builder, loaded, loaded, [0, 4, 1, 5, 2, 6, 3, 7])

    return lanes(words, types.int64), codegen


def _split(half: int) -> Any:
    @intrinsic
    def split(typingctx: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            return _shuffled(builder, args[0], args[1], [half + 2 * k for k in range(LANES)])

        return lanes(lanes, lanes), codegen

    return split


west_words: Final = _split(0)
"""A kernel function: the west words of eight planes, given as two vectors."""
east_words: Final = _split(1)


@intrinsic
def which(typingctx: Any, words: Any, bit: Any) -> Any:  # noqa: ARG001
    """A number whose bit k tells whether word k of a vector has a bit that the word ``bit`` has."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        both = builder.and_(args[0], splat(builder, args[1], LANES))
        has = builder.icmp_unsigned("!=", both, ir.Constant(vector(LANES), [0] * LANES))
        return builder.zext(builder.bitcast(has, ir.IntType(LANES)), ir.IntType(64))

    return types.uint64(lanes, types.uint64), codegen
