"""The folder of exported positions: that of an experiment, with a file for each shard in ``positions/``.

Reads exported positions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from pydantic import Field, ValidationError

from ochibot.data import read_file as read_bytes
from ochibot.errors import ConfigError
from ochibot.lab.positions.files import (
    SCHEMA,
    VALUES,
    ArrayColumn,
    Arrays,
    PositionsTask,
    check_columns,
    columns_of,
    digest_of,
    file_of,
    play_positions,
    read_file,
)
from ochibot.lab.sharded.folder import SUMMARY, Check, CheckedModel, Count, ExperimentFolder
from ochibot.leftovers import make_folder, whole_file
from ochibot.puyo.search.locks import lock_order
from ochibot.quoting import brief_path
from ochibot.version import __version__
from ochibot.wording import counted

FILES: Final = "positions"
"""The folder of the files, in the experiment's folder."""
_BYTES: Final = "bytes"
SUMS: Final = ("positions", "games", "games_ended", "explored", "points")
"""What a file's line counts: positions, games (a cut-off one counts), those that a game over ended, placements that
aren't the best one, points.
"""


def file_name(number: int, form: str) -> str:
    """The name of a shard's file."""
    return f"{number:05}.{form}"


def make_file(task: PositionsTask) -> dict[str, Any]:
    """Plays a shard: its counts, its digest, and the bytes of its file."""
    made = play_positions(task)
    last = made["left"] == 0
    counts = (task.positions, last.sum(), (last & made["ended"]).sum(), (made["best"] != made["played"]).sum())
    sums = dict(zip(SUMS, map(int, (*counts, made["points"].sum())), strict=True))
    return {**sums, "sha256": digest_of(made), _BYTES: file_of(made, task.form)}


class _Line(CheckedModel):
    """A shard's line."""

    positions: Count
    games: Count
    games_ended: Count
    explored: Count
    points: Count
    sha256: str = Field(pattern="^[0-9a-f]{64}$")


def positions_check(identity: Mapping[str, Any]) -> Check:
    """The check of a run's lines. identity: that of the run."""
    length, positions = int(identity["shard"]), int(identity["positions"])

    def check(number: int, result: dict[str, Any]) -> None:
        line = _Line.model_validate(result)
        if number * length >= positions:
            raise ValueError(f"there is no shard {number}")
        now = min(length, positions - number * length)
        if line.positions != now:
            raise ValueError(f"shard {number} has {counted(now, 'position')}")

    return check


class PositionsFolder(ExperimentFolder):
    """The folder of an export. A file is written before its line is, so each line has a whole file.

    A shard whose file is gone counts as unfinished. A damaged file is noticed when the folder is opened.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        """``identity``: see ``Playing.identity``. Raises ConfigError, OutputError and UsageError."""
        super().__init__(path, identity, positions_check(identity))
        self._form = str(identity["format"])
        self._columns = columns_of(bool(identity["all_values"]))
        try:
            self._digests = {number: line["sha256"] for number, line in self.numbered()}
            for partial in (path / FILES).glob(".ochibot-*"):
                partial.unlink()  # what a killed process was writing
            for number, digest in sorted(self._digests.items()):
                if not self.file(number).exists():
                    self.done.discard(number)
                elif not is_whole(self.file(number), digest, self._columns):
                    raise ConfigError(
                        f"{brief_path(self.file(number))} is damaged: delete it, and the same command makes it again"
                    )
        except BaseException:
            self.close()
            raise

    def file(self, number: int) -> Path:
        """The path of a shard's file."""
        return self.path / FILES / file_name(number, self._form)

    def finished(self) -> Iterator[dict[str, Any]]:
        """The lines of the shards whose files are there."""
        return (line for number, line in self.numbered() if number in self.done)

    def add(self, shard: int, result: Mapping[str, Any]) -> None:
        """Writes a shard's file, then its line. Raises OutputError, and ConfigError if the shard had other contents
        before.
        """
        line = {key: value for key, value in result.items() if key != _BYTES}
        if self._digests.get(shard, line["sha256"]) != line["sha256"]:
            raise ConfigError(f"{self.path} was begun by an Ochibot that plays otherwise: give another folder")
        try:
            make_folder(self.path / FILES)
            with whole_file(self.file(shard)) as partial, partial.open("wb") as file:
                file.write(result[_BYTES])
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error
        if shard in self._digests:
            self.done.add(shard)
            return
        super().add(shard, line)
        self._digests[shard] = line["sha256"]

    def summary(self) -> dict[str, Any]:
        """What the folder holds, once all shards are done."""
        lines = sorted(self.numbered())
        return {
            **{name: sum(line[name] for _, line in lines) for name in SUMS},
            "schema": SCHEMA,
            "version": __version__,
            "columns": {
                column.name: {"type": column.type, "shape": list(column.shape), "what": column.what}
                for column in self._columns
            },
            "placements": [[x, orientation.name.lower()] for x, orientation in lock_order()],
            "files": [
                {
                    "file": f"{FILES}/{file_name(number, self._form)}",
                    "positions": line["positions"],
                    "sha256": line["sha256"],
                }
                for number, line in lines
            ],
        }


def is_whole(path: Path, digest: str, columns: Iterable[ArrayColumn]) -> bool:
    """Whether a file holds the positions with this digest. Raises UsageError if its format can't be read here."""
    try:
        positions = read_file(path, [column.name for column in columns])
        check_columns(positions)
    except ValueError:
        return False
    return digest_of(positions) == digest


_MOST_BYTES: Final = 1 << 28


class _File(CheckedModel):
    file: str = Field(pattern=r"^positions/\d{5,}\.(npz|parquet)$")
    positions: int = Field(ge=0)
    sha256: str


class _Summary(CheckedModel):
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
