"""Reads exported positions."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import Field, ValidationError

from ochibot.data import read_file as read_bytes
from ochibot.errors import ConfigError
from ochibot.lab.positions.columns import SCHEMA, VALUES, Arrays, check_columns, columns_of, digest_of
from ochibot.lab.positions.files import read_file
from ochibot.lab.sharded.folder import SUMMARY
from ochibot.lab.sharded.lines import Checked

_MOST_BYTES: Final = 1 << 28


class _File(Checked):
    file: str = Field(pattern=r"^positions/\d{5,}\.(npz|parquet)$")
    positions: int = Field(ge=0)
    sha256: str


class _Summary(Checked):
    schema_: int = Field(alias="schema")
    columns: dict[str, Any]
    files: list[_File]

    def names(self) -> list[str]:
        """The columns' names."""
        return [column.name for column in columns_of(VALUES.name in self.columns)]


def each_file(folder: Path) -> Iterator[Arrays]:
    """The positions of each file of a finished export, in order; so the memory needed is that of one file.

    Raises ConfigError for a folder without a finished export, and for a missing or damaged file, and UsageError for
    Parquet without pyarrow.
    """
    yield from _each_file(folder, _summary(folder))


def _each_file(folder: Path, summary: _Summary) -> Iterator[Arrays]:
    for each in summary.files:
        path = folder / each.file
        try:
            positions = read_file(path, summary.names())
            if check_columns(positions) != each.positions or digest_of(positions) != each.sha256:
                raise ValueError("its positions are others")
        except ValueError as error:
            raise ConfigError(f"{path} is damaged ({error}): delete it, and run `ochibot lab export` again") from None
        yield positions


def read_positions(folder: str | Path, columns: Collection[str] | None = None) -> Arrays:
    """All positions of a finished export, as an array for each column. columns: their names (None: all).

    Games are numbered on through all files. Raises ConfigError, also for a column that there isn't, and UsageError
    (see ``each_file``).
    """
    summary = _summary(Path(folder))
    known = summary.names()
    wanted = known if columns is None else list(columns)
    if strange := sorted(set(wanted) - set(known)):
        raise ConfigError(f"{folder} has no column {strange[0]}: choose among {', '.join(known)}")
    parts: list[Arrays] = []
    before = 0
    for positions in _each_file(Path(folder), summary):
        games = int(positions["game"][-1]) + 1
        positions["game"] = positions["game"] + np.int32(before)
        before += games
        parts.append({name: positions[name] for name in wanted})
    return {name: np.concatenate([part[name] for part in parts]) for name in wanted}


def points_within(positions: Arrays, pieces: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """For each position, the points of the next ``pieces`` placements, its own included, and whether that many are
    known: its game goes on so long, or ended by a game over.

    positions: columns ``rest``, ``left`` and ``ended``, in their order.
    """
    rest, left = positions["rest"], positions["left"]
    later = np.zeros_like(rest)
    goes_on = np.flatnonzero(left >= pieces)
    later[goes_on] = rest[goes_on + pieces]
    return rest - later, (left >= pieces - 1) | positions["ended"]


def _summary(folder: Path) -> _Summary:
    path = folder / SUMMARY
    try:
        data: Any = json.loads(read_bytes(path, _MOST_BYTES))
        found = _Summary.model_validate(data)
    except OSError:
        raise ConfigError(f"{folder} has no {SUMMARY}: give the folder of a finished `ochibot lab export`") from None
    except (ValueError, ValidationError, RecursionError):
        raise ConfigError(f"{path} is no summary of `ochibot lab export`, or it is damaged") from None
    if found.schema_ != SCHEMA:
        raise ConfigError(f"{path} has the schema {found.schema_}, and this Ochibot reads {SCHEMA}")
    return found
