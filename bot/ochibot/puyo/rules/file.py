"""Reads rules profiles (``configs/rules/*.yaml``) into ``ochibot.puyo.Rules``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ochibot.data import data_root
from ochibot.errors import ConfigError
from ochibot.puyo.rules.profile import Ceiling, Excess, ItemRules, Nuisance, Rules
from ochibot.yamlfile import load_model

_Count = Annotated[int, Field(ge=0, le=1_000_000_000, strict=True)]
_Several = Annotated[int, Field(ge=1, le=1_000_000_000, strict=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Score(_Strict):
    chain_power: tuple[_Count, ...]
    color_bonus: tuple[_Count, ...]
    group_bonus: tuple[_Count, ...]
    max_multiplier: _Several
    unit: _Several
    cap: _Several
    drop_bonus: _Count
    all_clear_bonus: _Count


class _Nuisance(_Strict):
    points_each: _Count
    most_per_fall: _Several
    excess: Excess
    offset: bool
    all_clear_points: _Count


class _Items(_Strict):
    allowed: bool
    interval: _Several


class _Profile(_Strict):
    """The file; its names are those of ``Rules``, where they are explained."""

    name: str
    visible_rows: _Several
    hidden_rows: _Count
    ceiling: Ceiling
    hidden_clear: bool
    clear_size: _Several
    kicks: bool
    quick_turn: bool
    score: _Score
    nuisance: _Nuisance
    items: _Items


def load_rules(path: Path | str) -> Rules:
    """Reads a rules profile. Raises ConfigError naming the file, the entry and the reason."""
    path = Path(path)
    profile = load_model(path, _Profile, "a rules file", ConfigError)
    score = profile.score
    try:
        return Rules(
            name=profile.name,
            visible_rows=profile.visible_rows,
            hidden_rows=profile.hidden_rows,
            ceiling=profile.ceiling,
            hidden_clear=profile.hidden_clear,
            clear_size=profile.clear_size,
            kicks=profile.kicks,
            quick_turn=profile.quick_turn,
            chain_power=score.chain_power,
            color_bonus=score.color_bonus,
            group_bonus=score.group_bonus,
            max_multiplier=score.max_multiplier,
            score_unit=score.unit,
            score_cap=score.cap,
            drop_bonus=score.drop_bonus,
            all_clear_bonus=score.all_clear_bonus,
            nuisance=Nuisance(**profile.nuisance.model_dump()),
            items=ItemRules(**profile.items.model_dump()),
        )
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def find_rules(wanted: str) -> Rules:
    """A rules file by its path, or a shipped one by its name. Raises ConfigError."""
    folder = data_root() / "configs/rules"
    file = Path(wanted) if Path(wanted).is_file() else folder / f"{wanted}.yaml"
    names = ", ".join(sorted(path.stem for path in folder.glob("*.yaml") if not path.stem.startswith("nyaa_")))
    if not file.is_file():
        raise ConfigError(f"no such rules file: {wanted}; give a YAML file or one of the shipped rules: {names}")
    try:
        return load_rules(file)
    except ConfigError:
        if _is_of_nyaa(file):
            raise ConfigError(
                f"{file} is a profile of Pochi & Nyaa, not of Puyo Puyo; give {names} or a file of yours"
            ) from None
        raise


def _is_of_nyaa(file: Path) -> bool:
    from ochibot.nyaa.rules.file import load_profile

    try:
        load_profile(file)
    except ConfigError:
        return False
    return True
