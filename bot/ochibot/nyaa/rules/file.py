"""Reads the rules files of Pochi & Nyaa (``configs/rules/nyaa_*.yaml``) into ``ochibot.nyaa.Rules``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Generic, Literal, TypeVar

from pydantic import Field

from ochibot.data import data_path, is_file, is_folder, shipped_file
from ochibot.errors import ConfigError
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.rules.profile import Attack, IdleNeedle, Rules, Ruleset, TieRule
from ochibot.quoting import brief_path
from ochibot.yamlfile import Exact, Name, load_model

Source = Literal["documented", "inferred", "assumed"]
"""Where a rule comes from: documented in a source, inferred from a source, or assumed by us for our own game."""

_SHORT: Final = tuple(Ruleset)
SHIPPED: Final = tuple(f"nyaa_{ruleset}" for ruleset in Ruleset)
"""The names of the shipped files."""

T = TypeVar("T")
_Count = Annotated[int, Field(ge=0, le=1_000_000_000, strict=True)]
_Several = Annotated[int, Field(ge=1, le=1_000_000_000, strict=True)]
_Column = Annotated[int, Field(ge=1, le=COLUMNS, strict=True)]
_Row = Annotated[int, Field(ge=1, le=ROWS, strict=True)]
_YesNo = Annotated[bool, Field(strict=True)]


class _Entry(Exact, Generic[T]):
    value: T
    source: Source


class _Ignition(Exact):
    ruleset: _Entry[Ruleset]
    tie_rule: _Entry[TieRule]
    repeated_ignition: _Entry[_YesNo]
    idle_needle: _Entry[IdleNeedle]
    nuisance_pops: _Entry[_YesNo]


class _Field(Exact):
    hidden_rows: _Entry[_Count]
    spawn_column: _Entry[_Column]
    over_cell: _Entry[tuple[_Column, _Row]]


class _Attack(Exact):
    nuisance_each: _Entry[_Count]
    offset: _Entry[_YesNo]
    most_pending: _Entry[_Count]
    most_per_fall: _Entry[_Several]
    score_each: _Entry[_Count]
    score_cap: _Entry[_Several]


class _Profile(Exact):
    """The content of a rules file. ``Rules`` has the same names and explains them."""

    name: Name
    ignition: _Ignition
    field: _Field
    attack: _Attack


@dataclass(frozen=True, slots=True)
class Profile:
    """A rules file after reading: the rules, and the source of each entry by the entry's path (such as
    ``attack.offset``).
    """

    rules: Rules
    sources: dict[str, Source]


def load_rules(wanted: str | Path) -> Rules:
    """The rules of a file: a shipped one by its name (``nyaa_mvs``, or just ``mvs``), or any file by its path.

    A shipped file is read once in a process; a user's file is read at every call. Raises ConfigError that names the
    file, the entry and the reason.
    """
    return load_profile(wanted).rules


def load_profile(wanted: str | Path) -> Profile:
    """Like ``load_rules``, but it returns the source of each entry, too."""
    path = profile_path(wanted)
    return _shipped(path) if path.parent == data_path("configs/rules") else _read(path)


def profile_path(wanted: str | Path) -> Path:
    """The file that ``load_rules`` reads. Raises ConfigError when there is none."""
    name = f"nyaa_{wanted}" if wanted in _SHORT else str(wanted)
    if name in SHIPPED:
        return data_path(f"configs/rules/{name}.yaml")
    path = Path(wanted)
    # a shipped name of the other family doesn't mean a file of the current folder either
    if shipped_file("configs/rules", name) is not None or not (is_file(path) or is_folder(path)):
        raise ConfigError(
            f"no such rules file: {brief_path(name)}; give a YAML file, or one of the shipped rules of Pochi & Nyaa: "
            f"{', '.join(SHIPPED)}"
        )
    return path


@cache
def _shipped(path: Path) -> Profile:
    return _read(path)


def _read(path: Path) -> Profile:
    read = load_model(path, _Profile, "a rules file of Pochi & Nyaa", ConfigError)
    parts = {"ignition": read.ignition, "field": read.field, "attack": read.attack}
    entries = {f"{part}.{name}": entry for part, model in parts.items() for name, entry in model}
    given = {part: {name: entry.value for name, entry in model} for part, model in parts.items()}
    rules = Rules(read.name, attack=Attack(**given["attack"]), **given["ignition"], **given["field"])
    return Profile(rules, {name: entry.source for name, entry in entries.items()})
