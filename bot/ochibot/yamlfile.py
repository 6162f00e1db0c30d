"""Reads YAML files into pydantic models; what is wrong is told with the file, the field's path and the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ochibot.errors import OchibotError

M = TypeVar("M", bound=BaseModel)


MOST_QUOTED = 60
"""Characters that a message quotes of a file at the most."""

_MAX_BYTES = 1 << 20
_MAX_NESTING = 50


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """A safe loader that refuses a key given twice, which plain YAML silently takes."""


def _nesting(text: bytes) -> int:
    """How deep brackets are nested at the most (a parser in C overflows its stack on a million of them)."""
    depth = most = 0
    for byte in text:
        if byte in b"[{":
            depth += 1
            most = max(most, depth)
        elif byte in b"]}":
            depth -= 1
    return most


def _mapping(loader: Any, node: Any) -> dict[Any, Any]:
    result: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in result:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is given twice", key_node.start_mark)
        result[key] = loader.construct_object(value_node, deep=True)
    return result


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_yaml(path: Path, what: str, error: type[OchibotError]) -> dict[str, Any]:
    """The mapping at the top of a YAML file. ``what`` names the kind of file in messages ("a player file").

    Raises ``error`` when the file can't be read, isn't YAML or isn't a mapping.
    """
    try:
        if path.exists() and not path.is_file():
            raise error(f"can't read {path}: it is not a file; give the path of {what}")
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES + 1)
        if len(text) > _MAX_BYTES or _nesting(text) > _MAX_NESTING:
            raise error(f"{path} is too large or too deep to be {what}; give the path of {what}")
        data = yaml.load(text.decode("utf-8"), Loader=_Loader)
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
        raise error(f"{path}{where}: not valid YAML: {reason}") from None
    except (ValueError, TypeError, RecursionError) as problem:
        # what a tag or a date that isn't one raises in the loader
        raise error(f"{path}: not valid YAML: {str(problem).splitlines()[0]}") from None
    if not isinstance(data, dict):
        raise error(f"{path}: {what} is a mapping of names to values, this is {_kind(data)}")
    return data


def _kind(data: object) -> str:
    if data is None:
        return "empty"
    return "a list" if isinstance(data, list) else f"a single value ({type(data).__name__})"


def brief(text: str) -> str:
    """What a message quotes of a text: all of it, or the beginning of one that is longer than MOST_QUOTED."""
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def first_problem(problem: ValidationError) -> str:
    """``field.path: reason`` of a validation error's first entry, and how many more there are."""
    errors = problem.errors()
    first = errors[0]
    path = brief(".".join(str(part) for part in first["loc"])) or "the file"
    kind = first["type"]
    if kind == "missing":
        reason = "is missing"
    elif kind == "extra_forbidden":
        reason = "is not a known name here"
    elif kind in ("value_error", "assertion_error"):
        reason = str(first.get("ctx", {}).get("error", first["msg"]))
    else:
        reason = f"{first['msg'][0].lower()}{first['msg'][1:]}, not {brief(repr(first['input']))}"
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{path}: {reason}{more}"


def load_model(path: Path, model: type[M], what: str, error: type[OchibotError]) -> M:
    """A YAML file as a pydantic model. Raises ``error`` naming the file, the field's path and the reason."""
    return to_model(read_yaml(path, what, error), path, model, error)


def to_model(data: dict[str, Any], path: Path, model: type[M], error: type[OchibotError]) -> M:
    """A mapping read from ``path`` as a pydantic model; raises as ``load_model`` does."""
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        raise error(f"{path}: {first_problem(problem)}") from None
