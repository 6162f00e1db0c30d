"""Tools for kernels (imports numba): the decorators that compile them, and vectors of several uint64.

A vector of two words is a plane, a vector of eight holds four planes (``ochibot.jit.planes``). LLVM turns an operation
on ``<8 x i64>`` into one instruction where the processor has 512-bit registers, otherwise into two or four. LLVM
vectorises a loop over single words only sometimes. In kernels, a vector supports & | ^ ~ + (and &= |=) with another
of the same length, or with a uint64 to its right (which is repeated in every lane), and << >> by a uint64.
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

entry: Final = njit(nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""The decorator of kernels that Python calls; a library applies it. The caller keeps their arrays alive, so numba need
not count references (``_nrt``): each count is a locked instruction, and a call with two arrays has four of them.
"""

compiled: Final = njit(nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""The decorator of kernels that only other kernels call. They get no code for calls from Python: generating it for all
kernels took a quarter of the compile time. A library (``ochibot.jit.library``) compiles the kernels that Python calls.
"""

inlined: Final = njit(nogil=True, _nrt=False, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""The decorator of kernels that LLVM should inline at every call."""

LANES: Final = 8
COUNTS: Final = (2, LANES)
"""The numbers of words that a vector can have."""
_I64: Final = ir.IntType(64)
_I32: Final = ir.IntType(32)


class LanesType(types.Type):  # type: ignore[misc]
    """The numba type of several uint64."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes({count})")


lanes: Final = LanesType(LANES)
"""The numba type of eight words, the usual number."""


def vector(count: int) -> Any:
    """LLVM's type of ``count`` words."""
    return ir.VectorType(_I64, count)


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, vector(fe_type.count))


def splat(builder: Any, word: Any, count: int) -> Any:
    """A vector of ``count`` lanes, each with the same word."""
    nothing = ir.Constant(vector(count), ir.Undefined)
    one = builder.insert_element(nothing, word, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_I32, count), [0] * count))


def _define(function: Callable[..., Any], name: str) -> None:
    """Teaches numba one operator on vectors. name: the method of LLVM's builder that does the operation."""
    shapes = []
    for kind in map(LanesType, COUNTS):
        shapes.append((kind, types.uint64))
        if name not in ("shl", "lshr"):
            shapes.append((kind, kind))

    class Template(ConcreteTemplate):  # type: ignore[misc]
        key = function
        cases = [signature(_lanes_of(shape), *shape) for shape in shapes]  # noqa: RUF012

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        count = sig.return_type.count
        a, b = (
            arg if isinstance(typ, LanesType) else splat(builder, arg, count)
            for typ, arg in zip(sig.args, args, strict=True)
        )
        return getattr(builder, name)(a, b)

    for shape in shapes:
        lower_builtin(function, *shape)(lower)


def _lanes_of(shape: tuple[Any, ...]) -> Any:
    return next(typ for typ in shape if isinstance(typ, LanesType))


for _function, _name in {
    operator.and_: "and_",
    operator.or_: "or_",
    operator.xor: "xor",
    operator.add: "add",
    operator.lshift: "shl",
    operator.rshift: "lshr",
    operator.iand: "and_",
    operator.ior: "or_",
}.items():
    _define(_function, _name)


@infer_global(operator.invert)
class _Invert(ConcreteTemplate):  # type: ignore[misc]
    cases = [signature(LanesType(count), LanesType(count)) for count in COUNTS]  # noqa: RUF012


@lower_builtin(operator.invert, LanesType)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
    return builder.not_(args[0])


@intrinsic
def only(typingctx: Any, lane: Any, word: Any) -> Any:  # noqa: ARG001
    """The word in one lane of eight, 0 in the others."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        numbers = ir.Constant(vector(LANES), list(range(LANES)))
        here = builder.icmp_unsigned("==", numbers, splat(builder, args[0], LANES))
        return builder.select(here, splat(builder, args[1], LANES), ir.Constant(vector(LANES), [0] * LANES))

    return lanes(types.int64, types.uint64), codegen


def _reduce(name: str) -> Any:
    @intrinsic
    def fold(typingctx: Any, value: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            count = sig.args[0].count
            function = ir.FunctionType(_I64, [vector(count)])
            full = f"llvm.vector.reduce.{name}.v{count}i64"
            return builder.call(builder.module.declare_intrinsic(full, (), function), args)

        return types.uint64(value), codegen

    return fold


any_of: Final = _reduce("or")
"""A kernel function: all words of a vector, or-ed into one."""
sum_of: Final = _reduce("add")
"""A kernel function: the sum of a vector's words."""


@intrinsic
def quotient(typingctx: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """Computes a // b for whole numbers from 0 to 2^52 - 1, b not 0. It divides doubles, which is faster."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        a, b = (builder.sitofp(arg, ir.DoubleType()) for arg in args)
        return builder.fptosi(builder.fdiv(a, b), _I64)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
    """The number of set bits of a uint64, or of each word of a vector."""
    if isinstance(x, LanesType):

        def of_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            wide = vector(sig.args[0].count)
            full = f"llvm.ctpop.v{sig.args[0].count}i64"
            return builder.call(builder.module.declare_intrinsic(full, (), ir.FunctionType(wide, [wide])), args)

        return x(x), of_lanes

    def of_word(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), of_word


@intrinsic
def trailing_zeros(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
    """The number of the lowest set bit of a uint64, from 0; 64 if none is set."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen
