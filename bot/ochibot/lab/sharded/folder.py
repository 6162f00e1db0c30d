"""The folder of an experiment: its settings, its finished shards and its result. One process at a time may write it.

``experiment.json`` has the settings. ``shards.jsonl`` has a line with a checksum for each finished shard, in the order
in which they finished. At the end, the lines are sorted by the shards' numbers, and the result is written to
``summary.json``. Both files are then the same, byte for byte, however the experiment was run and interrupted.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from ochibot.errors import ConfigError, OutputError
from ochibot.leftovers import make_folder, whole_file

WHAT: Final = "experiment.json"
SHARDS: Final = "shards.jsonl"
SUMMARY: Final = "summary.json"
_LOCK: Final = ".lock"


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


def _line(shard: int, result: Mapping[str, Any]) -> str:
    body = json.dumps([shard, result], separators=(",", ":"))
    return f"{zlib.crc32(body.encode()):08x} {body}\n"


def _lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any], int]]:
    """Yields (number, result, byte where the line ends) for every line. Raises ConfigError for a damaged line, and
    OSError.
    """
    end = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return  # this last line is incomplete, because the process was killed while writing it
            check, _, body = line[:-1].partition(b" ")
            if check != b"%08x" % zlib.crc32(body):
                raise ConfigError(f"{path} is damaged in line {number}: delete that line to run its shard again")
            shard, result = json.loads(body)
            end += len(line)
            yield shard, result, end


def kept_shards(folder: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (number, result) of every finished shard. It only reads, so another process may be writing the folder.

    Raises ConfigError.
    """
    try:
        for shard, result, _ in _lines_of(folder / SHARDS):
            yield shard, result
    except OSError as error:
        raise ConfigError(f"can't read {folder / SHARDS}: {error.strerror or error}") from None


class ExperimentFolder:
    """An opened and locked folder; ``with`` closes it at the end. ``done``: the numbers of the finished shards."""

    def __init__(self, path: Path, what: Mapping[str, Any]) -> None:
        """``what``: everything that the results depend on, as plain values.

        Raises ConfigError for a folder of another experiment, a damaged folder, or one that another process is writing,
        and OutputError for a folder that can't be written. In these cases it changes nothing in the folder.
        """
        self.path = path
        self.done: set[int] = set()
        # converted as by writing and reading JSON, which turns tuples into lists
        self._what = json.loads(json.dumps(what))
        self._file: Any = None
        self._lock: Any = None
        try:
            self._begin()
        except OSError as error:
            self.close()
            raise OutputError(f"can't write to {path}: {error.strerror or error}; give another folder") from error
        except ConfigError:
            self.close()
            raise

    def _begin(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise ConfigError(f"{self.path} is no folder: give the folder of the experiment")
        strange = self.path.is_dir() and not (self.path / WHAT).exists() and any(self.path.iterdir())
        if strange and {each.name for each in self.path.iterdir()} != {_LOCK}:
            raise ConfigError(f"{self.path} holds other files and no experiment: give an empty or a new folder")
        make_folder(self.path)
        self._take_lock()
        self._check_what()
        with contextlib.suppress(FileNotFoundError):
            whole = 0
            for shard, _, end in self._read():
                self.done.add(shard)
                whole = end
            if whole < (self.path / SHARDS).stat().st_size:
                # cuts off an incomplete line, which a killed process left
                os.truncate(self.path / SHARDS, whole)
        self._file = (self.path / SHARDS).open("a", encoding="utf-8")

    def _take_lock(self) -> None:
        self._lock = (self.path / _LOCK).open("a")
        with contextlib.suppress(ImportError):  # Windows has no such locks
            import fcntl

            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigError(
                    f"another process is writing {self.path}: wait for it, or give another folder"
                ) from None

    def _check_what(self) -> None:
        path = self.path / WHAT
        wanted = _text(self._what)
        if not path.exists():
            with whole_file(path) as partial:
                partial.write_text(wanted, encoding="utf-8")
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ConfigError(f"{path} is damaged: give another folder, or delete this one to begin anew")
        differ = sorted(key for key in found.keys() | self._what.keys() if found.get(key) != self._what.get(key))
        if json.loads(wanted) != found:
            raise ConfigError(
                f"{self.path} holds another experiment ({', '.join(differ)} differ): give the options that it was "
                "begun with, or another folder"
            )

    def _read(self) -> Iterator[tuple[int, dict[str, Any], int]]:
        """Yields (number, result, byte where the line ends) of every finished shard."""
        return _lines_of(self.path / SHARDS)

    def results(self) -> Iterator[dict[str, Any]]:
        """Yields the result of every finished shard."""
        self._file.flush()
        for _, result, _ in self._read():
            yield result

    def numbered(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields (number, result) of every finished shard."""
        self._file.flush()
        for number, result, _ in self._read():
            yield number, result

    def add(self, shard: int, result: Mapping[str, Any]) -> None:
        """Writes a shard's result to the disk, so that a killed run keeps it. Raises OutputError."""
        try:
            self._file.write(_line(shard, result))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OutputError(f"can't write to {self.path}: {error.strerror or error}") from error
        self.done.add(shard)

    def finish(self, summary: Mapping[str, Any], counts: Callable[[int], bool] = lambda _: True) -> None:
        """Sorts the lines by the shards' numbers and writes the summary, once all shards are done. Raises OutputError.

        ``counts`` tells by a shard's number whether it is part of the result. The lines of other shards are removed.
        """
        self._file.flush()
        try:
            lines = sorted(((shard, result) for shard, result, _ in self._read() if counts(shard)), key=itemgetter(0))
            with whole_file(self.path / SHARDS) as partial:
                partial.write_text("".join(_line(*line) for line in lines), encoding="utf-8")
            with whole_file(self.path / SUMMARY) as partial:
                partial.write_text(_text(summary), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"can't write to {self.path}: {error.strerror or error}") from error

    def close(self) -> None:
        """Unlocks the folder, so that another process may write it."""
        for file in (self._file, self._lock):
            if file is not None:
                file.close()

    def __enter__(self) -> ExperimentFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
