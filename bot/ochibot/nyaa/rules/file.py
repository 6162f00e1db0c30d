"""Reads rules profiles of Pochi & Nyaa (``configs/rules/nyaa_*.yaml``) into ``ochibot.nyaa.Rules``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.rules.profile import Attack, IdleNeedle, Rules, Ruleset, TieRule
from ochibot.yamlfile import load_model

Source = Literal["documented", "inferred", "assumed"]
"""Where a rule comes from: a source, a conclusion from one, or nowhere (chosen for our own game)."""

T = TypeVar("T")
_Count = Annotated[int, Field(ge=0, le=1_000_000_000, strict=True)]
_Several = Annotated[int, Field(ge=1, le=1_000_000_000, strict=True)]
_Column = Annotated[int, Field(ge=1, le=COLUMNS, strict=True)]
_Row = Annotated[int, Field(ge=1, le=ROWS, strict=True)]
_YesNo = Annotated[bool, Field(strict=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Entry(_Strict, Generic[T]):
    value: T
    source: Source


class _Ignition(_Strict):
    ruleset: _Entry[Ruleset]
    tie_rule: _Entry[TieRule]
    repeated_ignition: _Entry[_YesNo]
    idle_needle: _Entry[IdleNeedle]
    nuisance_pops: _Entry[_YesNo]


class _Field(_Strict):
    hidden_rows: _Entry[_Count]
    spawn_column: _Entry[_Column]
    over_cell: _Entry[tuple[_Column, _Row]]


class _Attack(_Strict):
    nuisance_each: _Entry[_Count]
    offset: _Entry[_YesNo]
    most_pending: _Entry[_Count]
    most_per_fall: _Entry[_Several]
    score_each: _Entry[_Count]
    score_cap: _Entry[_Several]


class _Profile(_Strict):
    """The file; its names are those of ``Rules``, where they are explained."""

    name: str
    ignition: _Ignition
    field: _Field
    attack: _Attack


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile as it is in the file: the rules, and each entry's source by its path (``attack.offset``)."""

    rules: Rules
    sources: dict[str, Source]


def load_profile(path: Path) -> Profile:
    """Reads a profile. Raises ConfigError naming the file, the entry and the reason."""
    read = load_model(path, _Profile, "a rules file of Pochi & Nyaa", ConfigError)
    parts = {"ignition": read.ignition, "field": read.field, "attack": read.attack}
    entries = {f"{part}.{name}": entry for part, model in parts.items() for name, entry in model}
    given = {part: {name: entry.value for name, entry in model} for part, model in parts.items()}
    rules = Rules(read.name, attack=Attack(**given["attack"]), **given["ignition"], **given["field"])
    return Profile(rules, {name: entry.source for name, entry in entries.items()})


def shipped_profile(ruleset: Ruleset) -> Profile:
    """The shipped profile of a version; its rules are ``ruleset.rules``."""
    return load_profile(data_path(f"configs/rules/nyaa_{ruleset}.yaml"))


def load_rules(wanted: str | Path) -> Rules:
    """TEMP."""
    path = Path(wanted)
    return load_profile(path if path.is_file() else data_path(f"configs/rules/{wanted}.yaml")).rules
