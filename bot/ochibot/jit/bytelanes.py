"""Vectors of 64 bytes for kernels (imports numba)."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

BYTES: Final = 64
"""The number of bytes in a vector."""
_VECTOR: Final = ir.VectorType(ir.IntType(8), BYTES)
_I32: Final = ir.IntType(32)


class BytesType(types.Type):  # type: ignore[misc]
    """The numba type of a vector of bytes."""

    def __init__(self) -> None:
        super().__init__(name=f"Bytes({BYTES})")


_BYTES: Final = BytesType()


@register_model(BytesType)
class _BytesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _place(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
    """Where in memory a vector begins: at an index of an array of bytes."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), _VECTOR.as_pointer())


@intrinsic
def all_bytes(typingctx: Any, byte: Any) -> Any:  # noqa: ARG001
    """The vector in which all bytes are equal to this one."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        one = builder.insert_element(nothing, args[0], ir.Constant(_I32, 0))
        return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_I32, BYTES), [0] * BYTES))

    return _BYTES(types.uint8), codegen


@intrinsic
def load_bytes(typingctx: Any, array: Any, at: Any) -> Any:  # noqa: ARG001
    """The vector of the bytes from index ``at`` of an array on."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        loaded = builder.load(_place(context, builder, sig.args[0], args[0], args[1]))
        loaded.align = 1
        return loaded

    return _BYTES(array, types.int64), codegen


@intrinsic
def store_bytes(typingctx: Any, array: Any, at: Any, value: Any) -> Any:  # noqa: ARG001
    """Writes a vector to an array, from index ``at`` on."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, sig.args[0], args[0], args[1]), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, _BYTES), codegen


@intrinsic
def exchanged(typingctx: Any, place: Any, one: Any, other: Any) -> Any:  # noqa: ARG001
    """Where the places are after an exchange: ``other`` for ``one``, ``one`` for ``other``, and the place itself for
    any other.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        place, one, other = args
        back = builder.select(builder.icmp_unsigned("==", place, other), one, place)
        return builder.select(builder.icmp_unsigned("==", place, one), other, back)

    return _BYTES(_BYTES, _BYTES, _BYTES), codegen
