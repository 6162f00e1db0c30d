"""Reads YAML files into pydantic models. Errors name the file, the field's path and the reason."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ochibot.data import read_file
from ochibot.errors import OchibotError
from ochibot.quoting import MOST_QUOTED, brief, quoted

M = TypeVar("M", bound=BaseModel)


_MAX_BYTES = 1 << 20
_MAX_NESTING = 50
_MAX_NODES = 20_000
"""The most keys, values and collections in a file. An alias counts as everything that it stands for."""
_MAX_DIGITS = 1_000
"""The most digits of a number. Python can't convert much longer ones to text, so messages that quote one would fail."""
_MOST_OF_A_REASON = 160
_OCTAL = re.compile(r"[-+]?0[0-7_]+")
_HEXADECIMAL = re.compile(r"\$?([0-9A-Fa-f]+)[hH]?")
_IN_WORDS = {"found unexpected end of stream": "a quote or a bracket is opened and never closed"}
"""For some of the parser's messages: a plainer text for somebody who has written the file by hand."""


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """A safe loader that refuses what is surely a mistake: duplicate keys, which plain YAML silently accepts, octal
    numbers, and very long numbers.
    """


class _TooMuchError(Exception):
    """A YAML text has too many nodes, or nests them too deeply."""


def _check_size(text: str) -> None:
    """Raises _TooMuchError for more nodes, or deeper nesting, than any file of ours needs. A tag raises a YAMLError.

    Nine aliases, each of which stands for ten of the one before, make a billion nodes. So nodes are counted while the
    text is parsed, up to the limit, before they are composed. Composing is recursive and would overflow the stack on
    deeply nested nodes.
    """
    known: dict[str, tuple[int, int]] = {}
    """For each anchor: how many nodes it stands for, and how deeply they are nested."""
    open_nodes: list[tuple[str | None, int, int]] = [(None, 0, 0)]
    event: Any
    for event in yaml.parse(text, Loader=_Loader):
        if getattr(event, "tag", None) is not None:
            _refuse(f"the tag {quoted(event.tag)} isn't known here", event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            # an alias inside its own anchor's node would contain itself; an alias without an anchor is refused later
            if any(event.anchor == anchor for anchor, _, _ in open_nodes):
                raise _TooMuchError
            anchor, nodes, depth = None, *known.get(str(event.anchor), (1, 0))
        elif isinstance(event, yaml.ScalarEvent):
            anchor, nodes, depth = event.anchor, 1, 0
        elif isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, 1, 1))
            if len(open_nodes) > _MAX_NESTING:
                raise _TooMuchError
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, nodes, depth = open_nodes.pop()
        else:
            continue
        if anchor is not None:
            known[anchor] = nodes, depth
        outer, others, deepest = open_nodes[-1]
        open_nodes[-1] = outer, others + nodes, max(deepest, depth + 1)
        if others + nodes > _MAX_NODES or len(open_nodes) + depth > _MAX_NESTING:
            raise _TooMuchError


def _refuse(reason: str, mark: Any) -> None:
    raise yaml.constructor.ConstructorError(None, None, reason, mark)


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    spelt: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in result:
            _refuse(f"the key {quoted(key)} is given twice", key_node.start_mark)
        if (same := spelt.setdefault(str(key), key)) is not key:
            _refuse(f"the key {quoted(key)} is given twice, also as {quoted(same)}", key_node.start_mark)
        result[key] = loader.construct_object(value_node, deep=True)
    return result


def _number(loader: Any, node: Any) -> Any:
    if len(node.value) > _MAX_DIGITS:
        _refuse(f"a number of {len(node.value)} digits is too long", node.start_mark)
    whole = node.tag == "tag:yaml.org,2002:int"
    if whole and _OCTAL.fullmatch(node.value):
        # YAML would read 0073 as 59
        digits = node.value.lstrip("+-0_") or "0"
        _refuse(f"{node.value} begins with 0: write 0x{digits} (hexadecimal) or {digits}", node.start_mark)
    return loader.construct_yaml_int(node) if whole else loader.construct_yaml_float(node)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
for _name in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_name}", _number)


def read_yaml(path: Path, what: str, error: type[OchibotError]) -> dict[str, Any]:
    """Reads a YAML file whose top level is a mapping. ``what``: the kind of file, for messages ("a player file").

    Raises ``error`` when the file can't be read, isn't YAML or isn't a mapping.
    """
    try:
        if path.exists() and not path.is_file():
            raise error(f"can't read {path}: it is not a file; give the path of {what}")
        text = read_file(path, _MAX_BYTES + 1)
        if len(text) > _MAX_BYTES:
            raise error(f"{path} is too large or too deep to be {what}; give the path of {what}")
        words = text.decode("utf-8")
        _check_size(words)
        data = yaml.load(words, Loader=_Loader)
    except _TooMuchError:
        raise error(f"{path} is too large or too deep to be {what}; give the path of {what}") from None
    except FileNotFoundError:
        raise error(f"no such file: {path}; give the path of {what}") from None
    except UnicodeDecodeError:
        raise error(f"{path} is not a text file; give the path of {what}") from None
    except OSError as problem:
        raise error(f"can't read {path}: {problem.strerror or problem}") from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        reason = getattr(problem, "problem", None) or str(problem).splitlines()[0]
        if mark is not None and "\t" in "".join(words.split("\n")[mark.line : mark.line + 1]):
            reason = "it has a tab; indent with spaces"
        reason = _IN_WORDS.get(reason, reason)
        raise error(f"{path}{where}: not valid YAML: {brief(reason, _MOST_OF_A_REASON)}") from None
    except (ValueError, TypeError, ArithmeticError) as problem:
        # the loader raises this for an impossible date
        reason = brief(str(problem).splitlines()[0], _MOST_OF_A_REASON)
        raise error(f"{path}: not valid YAML: {reason}") from None
    if not isinstance(data, dict):
        raise error(f"{path}: {what} is a mapping of names to values, this is {_kind(data)}")
    return data


def _kind(data: object) -> str:
    if data is None:
        return "empty"
    return "a list" if isinstance(data, list) else f"a single value ({type(data).__name__})"


def _shown(name: str) -> str:
    if not name.isprintable():
        raise ValueError(f"give a name of one line, not {quoted(name)}")
    return name


Name = Annotated[str, Field(max_length=MOST_QUOTED), AfterValidator(_shown)]
"""A name in a file. Messages show it unchanged, so it must be short and printable."""


class Exact(BaseModel):
    """A frozen model that refuses unknown field names."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Finite(Exact):
    """Also refuses numbers that aren't finite."""

    model_config = ConfigDict(allow_inf_nan=False)


class Strict(Finite):
    """Also refuses values of another type, such as a text for a number."""

    model_config = ConfigDict(strict=True)


def nearest(name: str, names: Iterable[str]) -> str:
    """The text ``, did you mean NAME?`` with the most similar name; empty when none is similar."""
    found = difflib.get_close_matches(brief(name), sorted(names), 1)
    return f", did you mean {found[0]}?" if found else ""


def whole(value: object) -> object:
    """A validator for ``Literal[1, 2]`` and the like: refuses 1.0 and true, which equal 1 but are surely mistakes."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"give a whole number, not {quoted(value)}")
    return value


def _inside(kind: Any) -> type[BaseModel] | None:
    """The first model in a type such as ``dict[str, Entry]``."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((found for part in get_args(kind) if (found := _inside(part)) is not None), None)


def _names_at(model: type[BaseModel] | None, path: Sequence[int | str]) -> list[str]:
    """The field names of the model at a path (see ``_model_at``); empty if there is none."""
    inner = _model_at(model, path)
    return [] if inner is None else [field.alias or name for name, field in inner.model_fields.items()]


def _model_at(model: type[BaseModel] | None, path: Sequence[int | str]) -> type[BaseModel] | None:
    """The model at a path in a model, or in the container there; None if there is none."""
    in_container = False
    for part in path:
        if model is None or in_container:
            in_container = False
            continue
        fields = {field.alias or name: field.annotation for name, field in model.model_fields.items()}
        kind: Any = fields.get(str(part))
        in_container = any(get_origin(choice) in (dict, list, tuple) for choice in (kind, *get_args(kind)))
        model = _inside(kind)
    return model


def first_problem(problem: ValidationError, model: type[BaseModel] | None = None) -> str:
    """``field.path: reason`` of a validation error's first entry, and how many more there are.

    ``model``: what was validated; with it, the message suggests the nearest known name.
    """
    errors = problem.errors()
    first = errors[0]
    path = brief(".".join(str(part) for part in first["loc"])) or "the file"
    kind = first["type"]
    if kind == "missing":
        inner = _model_at(model, first["loc"][:-1])
        field = None if inner is None else inner.model_fields.get(str(first["loc"][-1]))
        reason = "is missing" + (f"; give {field.description}" if field is not None and field.description else "")
    elif kind == "extra_forbidden":
        reason = f"is not a known name here{nearest(str(first['loc'][-1]), _names_at(model, first['loc'][:-1]))}"
    elif kind in ("model_type", "model_attributes_type", "dataclass_type"):
        # pydantic's own message would name a class of ours
        reason = f"is a mapping of names to values, not {quoted(first['input'])}"
    elif kind in ("value_error", "assertion_error"):
        reason = str(first.get("ctx", {}).get("error", first["msg"]))
    else:
        reason = f"{first['msg'][0].lower()}{first['msg'][1:]}, not {quoted(first['input'])}"
        digits = _HEXADECIMAL.fullmatch(str(first["input"]))
        if kind in ("int_parsing", "int_type") and digits is not None:
            reason += f"; a hexadecimal number begins with 0x, such as 0x{digits[1]}"
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{path}: {reason}{more}"


def load_model(path: Path, model: type[M], what: str, error: type[OchibotError]) -> M:
    """Reads a YAML file into a pydantic model. Raises ``error`` that names the file, the field's path and
    the reason.
    """
    return to_model(read_yaml(path, what, error), path, model, error)


def to_model(data: dict[str, Any], path: Path, model: type[M], error: type[OchibotError]) -> M:
    """Makes a pydantic model of a mapping that was read from ``path``. Raises as ``load_model`` does."""
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        raise error(f"{path}: {first_problem(problem, model)}") from None
