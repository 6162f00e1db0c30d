"""Reads rules profiles (``configs/rules/*.yaml``) into ``ochibot.puyo.Rules``. No kernel's module imports this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from ochibot.data import data_root, is_file, shipped_file
from ochibot.errors import ConfigError
from ochibot.puyo.rules.profile import (
    AllClearPaid,
    AllClearPer,
    AllClearWhen,
    Ceiling,
    Excess,
    Extra,
    FullColumns,
    GroupBonusPer,
    ItemRules,
    Margin,
    Multiplier,
    Nuisance,
    Rules,
    Turns,
)
from ochibot.quoting import brief_path
from ochibot.yamlfile import Exact, Name, load_model

_FOLDER: Final = "configs/rules"

_Count = Annotated[int, Field(ge=0, le=1_000_000_000, strict=True)]
_Several = Annotated[int, Field(ge=1, le=1_000_000_000, strict=True)]
_YesNo = Annotated[bool, Field(strict=True)]


class _Extra(Exact):
    per_cell: _Count = 0
    by_size: tuple[_Count, ...] = (0,)
    by_step: tuple[_Count, ...] = (0,)
    multiplied: _YesNo = False
    per_group: _Count = 0
    groups_multiplied: _YesNo = False
    per_nuisance: _Count = 0


class _Score(Exact):
    chain_power: tuple[_Count, ...]
    color_bonus: tuple[_Count, ...]
    group_bonus: tuple[_Count, ...]
    max_multiplier: _Several
    unit: _Count
    cap: _Several
    drop_bonus: _Count
    all_clear_bonus: _Count
    group_bonus_per: GroupBonusPer = "group"
    all_clear_paid: AllClearPaid = "now"
    all_clear_when: AllClearWhen = "empty"
    all_clear_per: AllClearPer = "lock"
    multiplier: Multiplier = "sum"
    extra: _Extra = _Extra()


class _Margin(Exact):
    seconds: _Count
    every: _Several
    most: _Count


class _Nuisance(Exact):
    points_each: _Count
    most_per_fall: _Several
    excess: Excess
    offset: _YesNo
    all_clear_points: _Count
    full_columns: FullColumns = "lose"
    margin: _Margin | None = None
    unannounced: _YesNo = False


class _Items(Exact):
    allowed: _YesNo
    interval: _Several


class _Profile(Exact):
    """The content of a rules file. The entries are named as in ``Rules``, which explains them."""

    name: Name
    visible_rows: _Several
    hidden_rows: _Count
    ceiling: Ceiling
    hidden_clear: _YesNo
    clear_size: _Several
    kicks: _YesNo
    quick_turn: _YesNo
    turns: Turns = "axis"
    score: _Score
    nuisance: _Nuisance
    items: _Items


def load_rules(wanted: Path | str) -> Rules:
    """The wanted rules: those in a file, given by its path, or of a shipped profile, by its name, such as ``famicom``.

    A shipped profile is read once in a process. Raises ConfigError, which names the file, the entry and the reason; if
    there is no such file, it lists the shipped profiles.
    """
    # a shipped name means the shipped profile, whatever files lie in the current folder
    shipped = shipped_file(_FOLDER, str(wanted))
    if shipped is not None:
        return _shipped(shipped)
    if is_file(Path(wanted)):
        return _read(Path(wanted))
    names = ", ".join(path.stem for path in sorted((data_root() / _FOLDER).glob("*.yaml")) if _is_profile(path))
    raise ConfigError(
        f"no such rules file: {brief_path(wanted)}; give a YAML file or one of the shipped rules: {names}"
    )


@cache
def _shipped(path: Path) -> Rules:
    return _read(path)


def _is_profile(path: Path) -> bool:
    """Whether a shipped rules file belongs to this family: the folder holds other families' files too."""
    try:
        _read(path)
    except ConfigError:
        return False
    return True


def _read(path: Path) -> Rules:
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
            turns=profile.turns,
            chain_power=score.chain_power,
            color_bonus=score.color_bonus,
            group_bonus=score.group_bonus,
            max_multiplier=score.max_multiplier,
            score_unit=score.unit,
            score_cap=score.cap,
            drop_bonus=score.drop_bonus,
            all_clear_bonus=score.all_clear_bonus,
            group_bonus_per=score.group_bonus_per,
            all_clear_paid=score.all_clear_paid,
            all_clear_when=score.all_clear_when,
            all_clear_per=score.all_clear_per,
            multiplier=score.multiplier,
            extra=Extra(**score.extra.model_dump()),
            nuisance=_nuisance(profile.nuisance),
            items=ItemRules(**profile.items.model_dump()),
        )
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from None


def _nuisance(said: _Nuisance) -> Nuisance:
    margin = None if said.margin is None else Margin(**said.margin.model_dump())
    return Nuisance(**{**said.model_dump(), "margin": margin})
