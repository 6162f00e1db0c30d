"""The folder of an experiment: its settings, its finished shards and its result. One process at a time may write it.

``experiment.json`` has the settings. ``shards.jsonl`` has a line with a checksum for each finished shard
(``ochibot.lab.sharded.lines``), in the order in which they finished. At the end, the lines are sorted by the shards'
numbers, and the result is written to ``summary.json``. Both files are then the same, byte for byte, however the
experiment was run and interrupted.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ochibot.errors import ConfigError, OutputError
from ochibot.lab.sharded.lines import Check, Lines, anything, line_of, salt_of
from ochibot.leftovers import lock, make_folder, whole_file

WHAT: Final = "experiment.json"
SHARDS: Final = "shards.jsonl"
SUMMARY: Final = "summary.json"
_LOCK: Final = ".lock"


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


def kept_shards(folder: Path, what: object, check: Check = anything) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (number, result) of every finished shard. It only reads, so another process may be writing the folder.

    what: what ``experiment.json`` holds. Raises ConfigError.
    """
    try:
        yield from Lines(folder / SHARDS, check, salt_of(what))
    except OSError as error:
        raise ConfigError(f"can't read {folder / SHARDS}: {error.strerror or error}") from None


class ExperimentFolder:
    """An opened and locked folder; ``with`` closes it at the end. ``done``: the numbers of the finished shards."""

    def __init__(self, path: Path, what: Mapping[str, Any], check: Check = anything) -> None:
        """``what``: everything that the results depend on, as plain values. ``check``: raises ValueError for a shard's
        number and result that can't be of this experiment.

        Raises ConfigError for a folder of another experiment, a damaged folder, or one that another process is writing,
        and OutputError for a folder that can't be written. In these cases it changes nothing in the folder.
        """
        self.path = path
        self.done: set[int] = set()
        # converted as by writing and reading JSON, which turns tuples into lists
        self._what = json.loads(json.dumps(what))
        self._check, self._salt = check, salt_of(self._what)
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
            kept = Lines(self.path / SHARDS, self._check, self._salt)
            self.done.update(shard for shard, _ in kept)
            if kept.end < (self.path / SHARDS).stat().st_size:
                # cuts off an incomplete line, which a killed process left
                os.truncate(self.path / SHARDS, kept.end)
        # without a buffer, because what couldn't be written would be written, or fail again, when the file is closed
        self._file = (self.path / SHARDS).open("ab", buffering=0)

    def _take_lock(self) -> None:
        self._lock = (self.path / _LOCK).open("a")
        try:
            lock(self._lock.fileno())
        except BlockingIOError:
            raise ConfigError(f"another process is writing {self.path}: wait for it, or give another folder") from None

    def _check_what(self) -> None:
        path = self.path / WHAT
        wanted = _text(self._what)
        if not path.exists():
            with whole_file(path) as partial:
                partial.write_text(wanted, encoding="utf-8")
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise ConfigError(f"{path} is damaged: give another folder, or delete this one to begin anew")
        differ = sorted(key for key in found.keys() | self._what.keys() if found.get(key) != self._what.get(key))
        if json.loads(wanted) != found:
            raise ConfigError(
                f"{self.path} holds another experiment ({', '.join(differ)} differ): give the options that it was "
                "begun with, or another folder"
            )

    def results(self) -> Iterator[dict[str, Any]]:
        """Yields the result of every finished shard once."""
        return (result for _, result in self.numbered())

    def numbered(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields (number, result) of every finished shard once."""
        return iter(Lines(self.path / SHARDS, salt=self._salt))

    def add(self, shard: int, result: Mapping[str, Any]) -> None:
        """Writes a shard's result to the disk, so that a killed run keeps it. Raises OutputError. Then no part of the
        line is kept.
        """
        before = os.fstat(self._file.fileno()).st_size
        line = memoryview(line_of(shard, result, self._salt).encode())
        try:
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file.fileno(), before)
            raise self._unwritable(error) from error
        self.done.add(shard)

    def finish(self, summary: Mapping[str, Any], counts: Callable[[int], bool] = lambda _: True) -> None:
        """Sorts the lines by the shards' numbers and writes the summary, once all shards are done. Raises OutputError.

        ``counts`` tells by a shard's number whether it is part of the result. The lines of other shards are removed.
        """
        try:
            lines = sorted((one for one in self.numbered() if counts(one[0])), key=itemgetter(0))
            with whole_file(self.path / SHARDS) as partial:
                partial.write_text("".join(line_of(*line, self._salt) for line in lines), encoding="utf-8")
            with whole_file(self.path / SUMMARY) as partial:
                partial.write_text(_text(summary), encoding="utf-8")
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(
            f"can't write to {self.path}: {error.strerror or error}; once it can be written, the same command goes on"
        )

    def close(self) -> None:
        """Unlocks the folder, so that another process may write it."""
        for file in (self._file, self._lock):
            if file is not None:
                file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
