"""What kernels are made with (imports numba): how they are compiled, and several uint64 as one value.

LLVM turns operations on a ``<8 x i64>`` into one instruction where the processor has 512-bit registers, into two or
four otherwise; whether it would have found the vectors in a loop by itself depends on its mood. In kernels such a
value knows & | ^ ~ + - * (and &= |= +=) with another as long or with a uint64 (which stands for as many equal ones),
and << >> by a uint64.
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
PIECES: Final = {2: (2,), 4: (4,), 8: (8,), 12: (8, 4)}
"""How many words a value can have, and the vectors that it is made of: LLVM would take one of twelve words to pieces,
word by word, wherever it crosses a branch."""
_I64: Final = ir.IntType(64)
_I32: Final = ir.IntType(32)


class LanesType(types.Type):  # type: ignore[misc]
    """The numba type of several uint64."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes({count})")


lanes: Final = LanesType(LANES)
"""Eight words, the usual number."""


def vector(count: int) -> Any:
    """LLVM's type of so many words."""
    return ir.VectorType(_I64, count)


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        pieces = [vector(count) for count in PIECES[fe_type.count]]
        super().__init__(dmm, fe_type, ir.LiteralStructType(pieces) if len(pieces) > 1 else pieces[0])


def apart(builder: Any, value: Any, typ: LanesType) -> list[Any]:
    """The vectors of a value."""
    number = len(PIECES[typ.count])
    return [builder.extract_value(value, k) for k in range(number)] if number > 1 else [value]


def together(builder: Any, vectors: list[Any]) -> Any:
    """The value of these vectors."""
    if len(vectors) == 1:
        return vectors[0]
    value = ir.Constant(ir.LiteralStructType([piece.type for piece in vectors]), ir.Undefined)
    for k, piece in enumerate(vectors):
        value = builder.insert_value(value, piece, k)
    return value


def splat(builder: Any, word: Any, count: int) -> Any:
    """A word ``count`` times."""
    nothing = ir.Constant(vector(count), ir.Undefined)
    one = builder.insert_element(nothing, word, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_I32, count), [0] * count))


def shuffled(builder: Any, a: Any, b: Any, order: list[int]) -> Any:
    """The words of two vectors in this order; those of ``b`` count on after those of ``a``."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_I32, len(order)), order))


def _define(function: Callable[..., Any], name: str) -> None:
    """Teaches numba one operator."""
    shapes = []
    for kind in map(LanesType, PIECES):
        shapes.append((kind, types.uint64))
        if name not in ("shl", "lshr"):
            shapes += [(kind, kind), (types.uint64, kind)]

    class Template(ConcreteTemplate):  # type: ignore[misc]
        key = function
        cases = [signature(_lanes_of(shape), *shape) for shape in shapes]  # noqa: RUF012

    infer_global(function)(Template)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        counts = PIECES[sig.return_type.count]
        a, b = (
            apart(builder, arg, typ) if isinstance(typ, LanesType) else [splat(builder, arg, count) for count in counts]
            for typ, arg in zip(sig.args, args, strict=True)
        )
        return together(builder, [getattr(builder, name)(*pair) for pair in zip(a, b, strict=True)])

    for shape in shapes:
        lower_builtin(function, *shape)(lower)


def _lanes_of(shape: tuple[Any, ...]) -> Any:
    return next(typ for typ in shape if isinstance(typ, LanesType))


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
    cases = [signature(LanesType(count), LanesType(count)) for count in PIECES]  # noqa: RUF012


@lower_builtin(operator.invert, LanesType)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
    return together(builder, [builder.not_(piece) for piece in apart(builder, args[0], sig.args[0])])


def at(context: Any, builder: Any, typ: Any, array: Any, index: Any, count: int) -> Any:
    """The place of ``count`` words of an array, from an index."""
    data = context.make_array(typ)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), vector(count).as_pointer())


@intrinsic
def load(typingctx: Any, array: Any, index: Any) -> Any:  # noqa: ARG001
    """Eight words of an array, from an index."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array, index = args
        return builder.load(at(context, builder, sig.args[0], array, index, LANES), align=8)

    return lanes(array, types.int64), codegen


@intrinsic
def store(typingctx: Any, array: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
    """Writes eight words to an array, from an index."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array, index, value = args
        builder.store(value, at(context, builder, sig.args[0], array, index, LANES), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), codegen


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
"""The words, or-ed into one."""
sum_of: Final = _reduce("add")
"""The sum of the words."""


@intrinsic
def quotient(typingctx: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """a / b rounded down, of whole numbers from 0 below 2^52, b not 0; by way of doubles, which is quicker."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        a, b = (builder.sitofp(arg, ir.DoubleType()) for arg in args)
        return builder.fptosi(builder.fdiv(a, b), _I64)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:  # noqa: ARG001
    """The number of set bits: of a uint64, or of each of several."""
    if isinstance(x, LanesType):

        def of_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
            wide = vector(sig.args[0].count)
            full = f"llvm.ctpop.v{sig.args[0].count}i64"
            return builder.call(builder.module.declare_intrinsic(full, (), ir.FunctionType(wide, [wide])), args)

        return x(x), of_lanes

    def of_word(context: Any, builder: Any, sig: Any, args: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), of_word
