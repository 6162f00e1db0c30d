"""What kernels are made with (imports numba): how they are compiled, and eight uint64 as one value.

The eight are the same plane of all colours at once.
LLVM turns operations on a ``<8 x i64>`` into one instruction where the processor has 512-bit registers, into two or
four otherwise; whether it would have found the vectors in a loop by itself depends on its mood. In kernels such a
value knows & | ^ ~ + - * (and &= |= +=) with another or with a uint64 (which stands for eight equal ones), and << >>
by a uint64.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import njit, types
from numba.core.datamodel import models
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

compiled: Final = njit(nogil=True, _nrt=False)
"""The decorator of kernels. They only work on arrays that their caller keeps, so those aren't counted (``_nrt``): each
count is a locked instruction, and a call with two arrays costs four."""

inlined: Final = njit(nogil=True, _nrt=False, forceinline=True)
"""The same for functions that LLVM is to inline wherever they are called."""

LANES: Final = 8
_I64: Final = ir.IntType(64)
_VECTOR: Final = ir.VectorType(_I64, LANES)
_DOUBLES: Final = ir.VectorType(ir.DoubleType(), LANES)


class LanesType(types.Type):  # type: ignore[misc]
    """The numba type of eight uint64."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes: Final = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _splat(builder: Any, word: Any) -> Any:
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)


def _define(function: Callable[..., Any], name: str) -> None:
    """Teaches numba one operator."""
    shapes = [(lanes, types.uint64)]
    if name not in ("shl", "lshr"):
        shapes += [(lanes, lanes), (types.uint64, lanes)]

    class Template(ConcreteTemplate):  # type: ignore[misc]
        key = function
        cases = [signature(lanes, *shape) for shape in shapes]  # noqa: RUF012

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        wide = [arg if typ == lanes else _splat(builder, arg) for typ, arg in zip(sig.args, args, strict=True)]
        return getattr(builder, name)(*wide)

    for shape in shapes:
        lower_builtin(function, *shape)(lower)


for _function, _name in {
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.lshift: "shl",
    operator.rshift: "lshr",
    operator.iand: "and_",
    operator.ior: "or_",
    operator.iadd: "add",
}.items():
    _define(_function, _name)


@infer_global(operator.invert)
class _Invert(ConcreteTemplate):  # type: ignore[misc]
    cases = [signature(lanes, lanes)]  # noqa: RUF012


@lower_builtin(operator.invert, lanes)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
    return builder.not_(args[0])


def constant(words: list[int]) -> Any:
    """A function without arguments, for kernels: these eight words."""

    @intrinsic
    def get(typingctx: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            return ir.Constant(_VECTOR, words)

        return lanes(), codegen

    return get


def _place(context: Any, builder: Any, typ: Any, array: Any, at: Any) -> Any:
    data = context.make_array(typ)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), _VECTOR.as_pointer())


@intrinsic
def load(typingctx: Any, array: Any, at: Any) -> Any:  # noqa: ARG001
    """Eight words of an array, from the index ``at``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, sig.args[0], *args), align=8)

    return lanes(array, types.int64), codegen


@intrinsic
def store(typingctx: Any, array: Any, at: Any, value: Any) -> Any:  # noqa: ARG001
    """Writes eight words to an array, from the index ``at``."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, sig.args[0], *args[:2]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), codegen


@intrinsic
def only(typingctx: Any, lane: Any, word: Any) -> Any:  # noqa: ARG001
    """The word in one lane, 0 in the others."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        numbers = ir.Constant(_VECTOR, list(range(LANES)))
        here = builder.icmp_unsigned("==", numbers, _splat(builder, args[0]))
        return builder.select(here, _splat(builder, args[1]), ir.Constant(_VECTOR, [0] * LANES))

    return lanes(types.int64, types.uint64), codegen


def _reduce(name: str) -> Any:
    @intrinsic
    def fold(typingctx: Any, value: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            full = f"llvm.vector.reduce.{name}.v{LANES}i64"
            return builder.call(builder.module.declare_intrinsic(full, (), ir.FunctionType(_I64, [_VECTOR])), args)

        return types.uint64(lanes), codegen

    return fold


any_of: Final = _reduce("or")
"""The eight words, or-ed into one."""
sum_of: Final = _reduce("add")
"""The sum of the eight words."""


@intrinsic
def quotients(typingctx: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """The eight quotients, rounded down, of words below 2^52; by way of doubles, since division of integers is slow."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        a, b = (builder.sitofp(arg, _DOUBLES) for arg in args)
        return builder.fptosi(builder.fdiv(a, b), _VECTOR)

    return lanes(lanes, lanes), codegen


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
    """The number of set bits: of a uint64, or of each of the eight."""
    if x == lanes:

        def of_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            full = f"llvm.ctpop.v{LANES}i64"
            return builder.call(builder.module.declare_intrinsic(full, (), ir.FunctionType(_VECTOR, [_VECTOR])), args)

        return lanes(lanes), of_lanes

    def of_word(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), of_word
