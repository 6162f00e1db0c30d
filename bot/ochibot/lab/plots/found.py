"""Reads the results that can be drawn from the folders of experiments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ochibot.data import read_file
from ochibot.errors import ConfigError
from ochibot.lab.sharded.folder import SUMMARY

LOG: Final = "log.jsonl"
"""The training's log: a JSON object for each generation."""
_PUYOS: Final = 85
_Share = Annotated[float, Field(ge=0, le=1)]
_Count = Annotated[int, Field(ge=0)]
_Drawn = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A number that is drawn. matplotlib fails on much larger ones."""


def _alike(rows: list[list[int]]) -> list[list[int]]:
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the columns have different numbers of heights")
    return rows


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class SelfPlayRun(_Read):
    """Results of ``ochibot selfplay``; see ``ochibot.lab.endless.Total.summary``. heights: None in runs of older
    versions, which didn't count them.
    """

    pieces: int = Field(gt=0)
    histogram: list[_Count] = Field(min_length=_PUYOS, max_length=_PUYOS)
    field_clears: _Count
    chains: list[_Count] = Field(min_length=2)
    most: _Count
    mode: _Count
    games_ended: _Count
    heights: Annotated[list[list[_Count]], AfterValidator(_alike)] | None = None


class TailRun(_Read):
    """Results of ``ochibot tail``; see ``ochibot.lab.tail.tail_summary``."""

    replicas: int = Field(gt=0)
    pieces: int = Field(gt=0)
    frequencies: list[tuple[_Share, _Share, _Share, _Share]] = Field(min_length=_PUYOS, max_length=_PUYOS)
    game_over: tuple[_Share, _Share, _Share, _Share]


class Generation(_Read):
    """A line of ``ochibot train``'s log. best, mean: the best and the average value of the generation's players.
    weights: the trainer's weights after it (``Trainer.mean``), by the metrics' names.
    """

    generation: _Count
    best: _Drawn
    mean: _Drawn
    evaluations: _Count | None = None
    weights: dict[str, _Drawn]


class PlottedRating(_Read):
    """A player of ``ochibot arena`` and its Elo rating. low, high: the ends of the rating's 95 % interval."""

    name: str
    elo: _Drawn
    low: _Drawn
    high: _Drawn
    games: _Count


class ArenaRun(_Read):
    """Results of ``ochibot arena``."""

    players: list[PlottedRating] = Field(min_length=1)


class ChanceStage(_Read):
    """The Brier score of chances after so many sixths of the matches, and the ends of its 95 % interval."""

    sixth: int = Field(ge=1, le=6)
    brier: _Share
    low: _Share
    high: float = Field(ge=0, le=2)


class ChanceBin(_Read):
    """The chances in one of ten bins: which share of all they are, their mean, and how many of these matches were
    won.
    """

    share: _Share
    chance: _Share
    won: _Share


class ChancePlayer(_Read):
    """The matches of one player, which played against itself."""

    name: str
    decided: _Count
    stages: list[ChanceStage] = Field(max_length=6)


class ChanceRun(_Read):
    """Results of ``ochibot chance``; see ``ochibot.lab.chance.report.measured``."""

    game: str
    constant: _Share
    calibration: _Share
    stages: list[ChanceStage] = Field(min_length=1, max_length=6)
    reliability: list[ChanceBin] = Field(min_length=1, max_length=10)
    players: list[ChancePlayer] = Field(min_length=1)


@dataclass
class FoundResults:
    """The results found. If several folders have results of the same kind, the last folder counts; but chances may
    be of several games.
    """

    selfplay: SelfPlayRun | None = None
    tail: TailRun | None = None
    arena: ArenaRun | None = None
    chances: list[ChanceRun] = field(default_factory=list)
    training: list[Generation] = field(default_factory=list)


_MOST_BYTES: Final = 1 << 30
_Model = TypeVar("_Model", bound=_Read)


def find(folders: Iterable[Path]) -> FoundResults:
    """Reads the results in the folders. Raises ConfigError for a folder without results or with damaged ones."""
    found = FoundResults()
    for folder in folders:
        if not folder.is_dir():
            raise ConfigError(f"there is no folder {folder}: give one that an experiment wrote (-o DIR)")
        summary, log = folder / SUMMARY, folder / LOG
        if not summary.exists() and not log.exists():
            raise ConfigError(
                f"{folder} has neither {SUMMARY} nor {LOG}: its experiment has not ended, or it is another folder"
            )
        if log.exists():
            found.training = list(_generations(log))
        if summary.exists():
            _sort_in(found, summary, _json(summary, _text(summary)))
    return found


def _sort_in(found: FoundResults, path: Path, data: Any) -> None:
    if not isinstance(data, dict):
        raise ConfigError(f"{path} is no summary of an experiment")
    if "histogram" in data:
        found.selfplay = _checked(SelfPlayRun, path, data)
    elif "frequencies" in data:
        found.tail = _checked(TailRun, path, data)
    elif "reliability" in data:
        found.chances.append(_checked(ChanceRun, path, data))
    elif "players" in data:
        found.arena = _checked(ArenaRun, path, data)
    elif not found.training:
        raise ConfigError(f"{path} is no summary of selfplay, tail, arena or chance")


def _generations(path: Path) -> Iterator[Generation]:
    lines = _text(path).splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines.pop()  # the last line is incomplete: it is being written
    if not lines:
        raise ConfigError(f"{path} has no generation yet")
    for number, line in enumerate(lines, 1):
        yield _checked(Generation, path, _json(path, line, f" in line {number}"), f" in line {number}")


def _text(path: Path) -> str:
    try:
        return read_file(path, _MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"can't read {path}: {error}") from error


def _json(path: Path, text: str, where: str = "") -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigError(f"{path} is damaged{where}: it is no JSON") from None


def _checked(model: type[_Model], path: Path, data: Any, where: str = "") -> _Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        at = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{path} is damaged{where}: {at}: {first['msg']}") from None
