"""Reads the lines of ``shards.jsonl``. The file may be damaged, or merged by hand from other files.

A line is a checksum (8 hexadecimal digits), a space, and the body, ``[number, result]`` as JSON. The checksum is the
CRC-32 of the experiment's settings and the body, so that a line of another experiment is noticed. (That of older
versions is the body's.) A line that comes twice counts once. The order of the lines doesn't matter.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ochibot.errors import ConfigError
from ochibot.quoting import brief, brief_path

Count = Annotated[int, Field(ge=0, lt=1 << 63)]
"""A number that a result may hold. (Sums are made in 64 bits.)"""
Check = Callable[[int, dict[str, Any]], None]
"""Called with a shard's number and result. Raises ValueError when they can't be of this experiment."""


class Checked(BaseModel):
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
