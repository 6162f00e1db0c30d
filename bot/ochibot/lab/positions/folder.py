"""The folder of exported positions: that of an experiment, with a file for each shard in ``positions/``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from ochibot.errors import ConfigError
from ochibot.lab.positions.columns import SCHEMA, Column, check_columns, columns_of, digest_of
from ochibot.lab.positions.files import NPZ, PARQUET, file_of, read_file
from ochibot.lab.positions.play import PositionsTask, play_positions
from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.lab.sharded.lines import Check, Checked, Count
from ochibot.leftovers import make_folder, whole_file
from ochibot.puyo.search.locks import lock_order
from ochibot.quoting import brief_path
from ochibot.version import __version__
from ochibot.wording import counted

FILES: Final = "positions"
"""The folder of the files, in the experiment's folder."""
FORMATS: Final = (NPZ, PARQUET)
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


class _Line(Checked):
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


def is_whole(path: Path, digest: str, columns: Iterable[Column]) -> bool:
    """Whether a file holds the positions with this digest. Raises UsageError if its format can't be read here."""
    try:
        positions = read_file(path, [column.name for column in columns])
        check_columns(positions)
    except ValueError:
        return False
    return digest_of(positions) == digest
