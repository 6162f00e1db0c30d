"""The folder of an experiment: its settings, its finished shards and its result. One process at a time may write it.

``experiment.json`` has the settings. ``shards.jsonl`` has a line with a checksum for each finished shard
(``ochibot.lab.sharded.folder``), in the order in which they finished. At the end, the lines are sorted by the shards'
numbers, and the result is written to ``summary.json``. Both files are then the same, byte for byte, however the
experiment was run and interrupted.

Reads the lines of ``shards.jsonl``. The file may be damaged, or merged by hand from other files.

A line is a checksum (8 hexadecimal digits), a space, and the body, ``[number, result]`` as JSON. The checksum is the
CRC-32 of the experiment's settings and the body, so that a line of another experiment is noticed. (That of older
versions is the body's.) A line that comes twice counts once. The order of the lines doesn't matter.
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
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ochibot.errors import ConfigError, OutputError
from ochibot.leftovers import lock, make_folder, whole_file
from ochibot.quoting import brief, brief_path

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
"""A number that a result may hold. (Sums are made in 64 bits.)"""
Check = Callable[[int, dict[str, Any]], None]
"""Called with a shard's number and result. Raises ValueError when they can't be of this experiment."""


class CheckedModel(BaseModel):
    """The base of models of results."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)


def anything(_: int, __: dict[str, Any]) -> None:
    """The check of an experiment without a check: accepts every result."""


def salt_of(settings: object) -> int:
    """What the checksums of an experiment begin with. settings: what its ``experiment.json`` holds."""
    return zlib.crc32(json.dumps(settings, sort_keys=True).encode())


def line_of(shard: int, result: Mapping[str, Any], salt: int = 0) -> str:
    """The line of a shard's result. salt: see ``salt_of``."""
    body = json.dumps([shard, result], separators=(",", ":"))
    return f"{zlib.crc32(body.encode(), salt):08x} {body}\n"


class Lines:
    """The complete lines of a file. end: how many bytes the complete lines have that were read so far."""

    def __init__(self, path: Path, check: Check = anything, salt: int = 0) -> None:
        self.path = path
        self.end = 0
        self._check, self._salt = check, salt

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields (number, result) of every shard once.

        Raises ConfigError for a line that is damaged or of another experiment, and for two lines with different results
        of one shard. Raises OSError.
        """
        seen: dict[int, tuple[int, int]] = {}
        self.end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # this last line is incomplete, because the process was killed while writing it
                check, _, body = line[:-1].partition(b" ")
                plain = zlib.crc32(body)
                if check not in (b"%08x" % zlib.crc32(body, self._salt), b"%08x" % plain):
                    raise ConfigError(
                        f"{self._name} is damaged in line {number}, or that line is of another experiment: delete it "
                        "to run its shard again"
                    )
                shard, result = self._parsed(number, body)
                self.end += len(line)
                if shard not in seen:
                    seen[shard] = plain, number
                    yield shard, result
                elif seen[shard][0] != plain:
                    raise ConfigError(
                        f"{self._name} has two results of one shard, in lines {seen[shard][1]} and {number}: delete "
                        "both lines to run it again"
                    )

    @property
    def _name(self) -> str:
        return brief_path(self.path)

    def _parsed(self, number: int, body: bytes) -> tuple[int, dict[str, Any]]:
        try:
            shard, result = json.loads(body)
            if type(shard) is not int or shard < 0 or not isinstance(result, dict):
                raise ValueError("it is no result of a shard")
            self._check(shard, result)
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            raise ConfigError(
                f"line {number} of {self._name} isn't of this experiment ({_why(error)}): delete that line"
            ) from None
        return shard, result


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return brief(f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}", 120)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError | TypeError | LookupError):
        return "it is no result of a shard"
    return brief(str(error), 120)


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
