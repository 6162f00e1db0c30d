"""A plane as one vector of 128 bits (imports numba), so that a step to the side is one instruction.

The vector is the plane's two words (``ochibot.puyo.rules.field``): eight columns of 16 bits, of which the last two stay
empty. Vectors support the operators that ``ochibot.jit.lanes`` lists. Packing and unpacking a vector costs a few
instructions. So groups are found in vectors, while falling and counting work on words.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ochibot.jit.lanes import LanesType, inlined, vector
from ochibot.puyo.kernels.bits import ONE

_PLANE: Final = LanesType(2)
_COLUMNS: Final = 8


@intrinsic
def plane(typingctx: Any, west: Any, east: Any) -> Any:  # noqa: ARG001
    """The vector of two words."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        two = ir.Constant(vector(2), ir.Undefined)
        for k, word in enumerate(args):
            two = builder.insert_element(two, word, ir.Constant(ir.IntType(32), k))
        return two

    return _PLANE(types.uint64, types.uint64), codegen


@intrinsic
def words(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """The words of a vector: (west, east)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        both = [builder.extract_element(args[0], ir.Constant(ir.IntType(32), k)) for k in range(2)]
        return context.make_tuple(builder, sig.return_type, both)

    return types.UniTuple(types.uint64, 2)(_PLANE), codegen


@intrinsic
def any_cell(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
    """Whether any cell of a plane is set."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        whole = ir.IntType(128)
        return builder.icmp_unsigned("!=", builder.bitcast(args[0], whole), ir.Constant(whole, 0))

    return types.boolean(_PLANE), codegen


def _sideways(places: int) -> Any:
    """Makes a function that moves a plane by ``places`` columns: to the right, or to the left if negative."""

    @intrinsic
    def move(typingctx: Any, one: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            columns = ir.VectorType(ir.IntType(16), _COLUMNS)
            inside = [0 <= k - places < _COLUMNS for k in range(_COLUMNS)]
            order = [k - places if here else _COLUMNS for k, here in enumerate(inside)]
            chosen = ir.Constant(ir.VectorType(ir.IntType(32), _COLUMNS), order)
            zeros = ir.Constant(columns, [0] * _COLUMNS)
            return builder.bitcast(
                builder.shuffle_vector(builder.bitcast(args[0], columns), zeros, chosen), args[0].type
            )

        return _PLANE(_PLANE), codegen

    return move


rightward: Final = _sideways(1)
"""Every cell one column further right. Cells that leave the field land in the empty columns: mask the result."""
rightward_2: Final = _sideways(2)
leftward: Final = _sideways(-1)
"""Every cell one column further left. Cells that leave the field are gone."""
leftward_2: Final = _sideways(-2)


@inlined
def around(one: Any) -> Any:
    """Every cell beside a cell of the plane. The result may leave the field: mask it."""
    return rightward(one) | leftward(one) | (one << ONE) | (one >> ONE)
