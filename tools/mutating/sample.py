"""Finds all mutants of a file, leaves some out, and draws a sample. The operators are those of cosmic-ray.

A position is a place in a file that one group of operators can change: all comparisons that may stand for one ``<`` are
one position. Positions are drawn first, each with the same chance, then one of the changes there. Drawing among all
changes would give a ``+``, which has eleven, eleven times the chance of a ``not``, which has one.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = {
    "puyo/rules": ("puyo/rules", "puyo/kernels"),
    "nyaa/rules": ("nyaa/rules",),
    "search": ("puyo/search", "nyaa/search"),
    "games": ("games",),
    "play": ("play",),
    "ram": ("ram",),
    "record": ("record",),
    "experiments": ("experiments",),
    "ramtools": ("ramtools",),
    "cli": ("cli",),
    "console": ("console",),
    "lab": ("lab",),
    "nyaa/kernels": ("nyaa/kernels",),
}
"""The packages that can be sampled, each with its folders below bot/ochibot."""

USUAL: Final = tuple(package for package in PACKAGES if package != "nyaa/kernels")
"""The packages that are sampled if none is named. Each mutant of ``nyaa/kernels`` takes half a minute of compiling."""

Place = tuple[int, int]
"""A line, from 1, and a column, from 0."""

DECORATORS: Final = frozenset(
    [
        "cache",
        "lru_cache",
        "cached_property",
        "final",
        "override",
        "overload",
        "abstractmethod",
        "runtime_checkable",
        "compiled",
        "inlined",
        "intrinsic",
    ]
)
"""Decorators that no mutant removes. Without a cache or ``inlined`` the code is only slower, without ``compiled`` or
``intrinsic`` numba refuses it, the others are for type checkers."""

SAME: Final = frozenset(
    f"ReplaceComparisonOperator_{change}" for change in ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")
)
"""Changes that no test can see: None, members of an enum, small numbers and names are equal only to themselves."""

SPEAKING: Final = frozenset({"say", "told", "told_estimate", "warn", "print"})
"""Functions whose arguments are messages."""


@dataclass(frozen=True)
class Mutant:
    """One change of one file. ``path`` is relative to the repository. ``occurrence`` numbers the changes that the
    operator could make in the file, from 0, as cosmic-ray does.
    """

    package: str
    path: str
    operator: str
    occurrence: int
    first: Place
    last: Place
    digest: str
    """The digest of the unchanged file."""

    @property
    def name(self) -> str:
        """A name that identifies the mutant among all of one version of the file."""
        return f"{self.path}:{self.operator}:{self.occurrence}"


@dataclass(frozen=True)
class _Position:
    path: str
    group: str
    first: Place
    last: Place
    changes: tuple[tuple[str, int], ...]


def files(root: Path, package: str) -> list[Path]:
    """The Python files of a package, sorted."""
    return sorted(file for room in PACKAGES[package] for file in (root / "bot/ochibot" / room).rglob("*.py"))


def left_out(source: str) -> list[tuple[Place, Place]]:
    """Parts of a file that are not mutated, each from its first character to the one behind its last.

    These are annotations, code for type checkers only (``TypeVar`` and Protocols, too), ``__repr__`` and ``repr=``,
    messages (the arguments of exceptions and of the functions of ``SPEAKING``, the text of an ``assert``), the seconds
    that a kernel is said to take, the decorators of ``DECORATORS``, ``slots=`` of a dataclass, which only saves memory,
    and ``strict=`` of zip, a check of lengths that only wrong code fails. Also the star before parameters that must be
    named, which cosmic-ray takes for a multiplication.
    """
    tree = ast.parse(source)
    return [((node.lineno, node.col_offset), _end(node)) for node in _left_out(tree)] + list(_stars(tree))


def _stars(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """For each function with a star before parameters that must be named: from the parameters before it to these."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and node.args.kwonlyargs:
            said = node.args
            before = [*said.posonlyargs, *said.args, *said.defaults, *([] if said.vararg is None else [said.vararg])]
            begin = max(map(_end, before), default=(node.lineno, node.col_offset))
            yield begin, (said.kwonlyargs[0].lineno, said.kwonlyargs[0].col_offset)


def _left_out(tree: ast.Module) -> Iterator[Any]:
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign():
                yield node.annotation
            case ast.arg(annotation=ast.expr()):
                yield node.annotation
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node.test
                yield from node.body
            case ast.Raise(exc=ast.Call()):
                yield from _arguments(node.exc)
            case ast.Call() if _called(node).endswith("Error") or _called(node) == "TypeVar":
                yield from _arguments(node)
            case ast.Assert(msg=ast.expr()):
                yield node.msg
            case ast.Call() if _called(node) in SPEAKING:
                yield from _arguments(node)
            case ast.keyword(arg="repr"):
                yield node
            case ast.Call(func=ast.Name(id="zip")):
                yield from (keyword for keyword in node.keywords if keyword.arg == "strict")
            case ast.Call() if _called(node) == "Kernel":
                yield from node.args[2:]
            case ast.ClassDef() if any(_called(base) == "Protocol" for base in node.bases):
                yield from node.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == "__repr__":
                yield node
            if node.returns is not None:
                yield node.returns
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        for decorator in decorators:
            if _called(decorator) in DECORATORS:
                yield decorator
            if _called(decorator) == "classmethod" and "field_validator" in map(_called, decorators):
                yield decorator  # pydantic adds @classmethod where it is missing
            if _called(decorator) == "dataclass" and isinstance(decorator, ast.Call):
                yield from (keyword for keyword in decorator.keywords if keyword.arg == "slots")


def _arguments(call: Any) -> Iterator[Any]:
    yield from call.args
    yield from call.keywords


@lru_cache(maxsize=64)
def _nodes(source: str) -> tuple[ast.AST, ...]:
    """All nodes of a file."""
    return tuple(ast.walk(ast.parse(source)))


def _called(node: ast.expr) -> str:
    """The last part of the name that an expression calls or is."""
    if isinstance(node, ast.Call | ast.Subscript):
        return _called(node.func if isinstance(node, ast.Call) else node.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _end(node: Any) -> Place:
    return node.end_lineno, node.end_col_offset


def _positions(path: str, source: str) -> list[_Position]:
    """The positions of a file, in a fixed order."""
    from cosmic_ray.ast import ast_nodes, get_ast

    out = left_out(source)
    nodes = [node for node in ast_nodes(get_ast(source)) if _may_change(node)]
    found: dict[tuple[str, Place, Place], list[tuple[str, int]]] = {}
    for name, operator in _operators().items():
        group = name.split("_", 1)[0]
        occurrence = 0
        for node in nodes:
            for first, last in operator.mutation_positions(node):
                # parso counts columns in characters, ast in bytes; they differ only after non-ASCII characters, which
                # are rare
                if not any(_inside(group, first, last, begin, end) for begin, end in out):
                    found.setdefault((group, first, last), []).append((name, occurrence))
                occurrence += 1
    return [
        _Position(path, group, first, last, tuple(sorted(changes)))
        for (group, first, last), changes in sorted(found.items())
    ]


def _inside(group: str, first: Place, last: Place, begin: Place, end: Place) -> bool:
    """Whether a change lies in a part that is left out. A decorator's removal spans its line from the ``@`` on."""
    if group == "RemoveDecorator":
        return (first[0], first[1] + 1) == begin
    return begin <= first and last <= end


def _may_change(node: Any) -> bool:
    """Whether any operator could change a node. This quick check saves asking two hundred operators."""
    return node.type not in ("newline", "endmarker", "string", "name", "error_leaf") and getattr(
        node, "value", ""
    ) not in (*"()[]{}.,:;=@",)


@cache
def _operators() -> dict[str, Any]:
    """Cosmic-ray's operators that need no arguments."""
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    return {name: provider[name]() for name in sorted(provider) if not provider[name].arguments()}


def mutated(source: str, operator: str, occurrence: int) -> str | None:
    """A file's text with the change; None if the text isn't valid Python any more or means the same as before, or if
    cosmic-ray can't make the change: its operator for exceptions fails at ``except (a.B, C)``, with a dotted name.
    """
    from cosmic_ray.mutating import mutate_code

    try:
        text: str | None = mutate_code(source, _operators()[operator], occurrence)
    except AttributeError:
        return None
    if text is None:
        return None
    try:
        same = ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if same else text


def draw(root: Path, package: str, count: int, seed: int) -> tuple[list[Mutant], int]:
    """(a seeded sample of a package's mutants in the order of the draw, how many positions there are).

    At one commit, the same seed gives the same sample.
    """
    sources = {str(file.relative_to(root)): file.read_text(encoding="utf-8") for file in files(root, package)}
    positions = [position for path, source in sources.items() for position in _positions(path, source)]
    generator = random.Random(f"{seed} {package}")
    generator.shuffle(positions)
    drawn: list[Mutant] = []
    for position in positions:
        if len(drawn) == count:
            break
        source = sources[position.path]
        for operator, occurrence in generator.sample(position.changes, len(position.changes)):
            if operator not in SAME and mutated(source, operator, occurrence) is not None:
                drawn.append(
                    Mutant(package, position.path, operator, occurrence, position.first, position.last, digest(source))
                )
                break
    return drawn, len(positions)


def digest(source: str) -> str:
    """A short digest of a file's text."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def difference(source: str, mutant: Mutant) -> list[str]:
    """The lines that the mutant removes and those that replace them."""
    text = mutated(source, mutant.operator, mutant.occurrence)
    assert text is not None
    lines = difflib.unified_diff(source.splitlines(), text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("---", "+++")]


def statement(source: str, mutant: Mutant) -> tuple[int, int]:
    """The first and last line of the smallest statement that contains the mutant. If the mutant is in the head of a
    block, these are the lines of the head.
    """
    best = (mutant.first[0], mutant.last[0])
    for node in _nodes(source):
        if isinstance(node, ast.stmt) and node.lineno <= mutant.first[0] and mutant.last[0] <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            if mutant.last[0] <= max(last, node.lineno):
                best = (node.lineno, max(last, node.lineno))
    return best


def at_import(source: str, mutant: Mutant) -> bool:
    """Whether a mutant lies outside the bodies of all functions: it runs when the module is imported."""
    return not any(
        isinstance(node, ast.FunctionDef) and (node.body[0].lineno, 0) <= mutant.first <= _end(node)
        for node in _nodes(source)
    )


def users(source: str, mutant: Mutant) -> set[int]:
    """The lines of a file's functions that name a constant whose value the mutant changes, however far they are; for a
    parameter's default, those of its function.
    """
    own = {
        part.lineno
        for node in _nodes(source)
        if isinstance(node, ast.FunctionDef)
        for default in (*node.args.defaults, *node.args.kw_defaults)
        if default is not None and (default.lineno, default.col_offset) <= mutant.first <= mutant.last <= _end(default)
        for part in node.body
    }
    names = {
        name.id
        for node in _nodes(source)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and node.lineno <= mutant.first[0] <= (node.end_lineno or 0)
        and at_import(source, mutant)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    return own | {
        node.lineno
        for function in _nodes(source)
        if isinstance(function, ast.FunctionDef)
        for part in function.body
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and node.id in names
    }


def around(source: str, mutant: Mutant) -> list[int]:
    """The first line of each function that contains the mutant; of a decorated one, its first decorator's line."""
    return [
        min((node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))))
        for node in _nodes(source)
        if isinstance(node, ast.FunctionDef | ast.Lambda) and node.lineno <= mutant.first[0] <= (node.end_lineno or 0)
    ]


def has_kernels(source: str) -> bool:
    """Whether a file has functions that numba compiles."""
    return any(True for _ in _kernels(source))


def in_kernel(source: str, mutant: Mutant) -> bool:
    """Whether a mutant lies in a function that numba compiles."""
    return any(node.lineno <= mutant.first[0] <= (node.end_lineno or 0) for node in _kernels(source))


def _kernels(source: str) -> Iterator[ast.FunctionDef]:
    for node in _nodes(source):
        if isinstance(node, ast.FunctionDef) and any(
            _called(decorator) in ("compiled", "inlined", "intrinsic") for decorator in node.decorator_list
        ):
            yield node
