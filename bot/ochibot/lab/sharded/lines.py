"""Reads the lines of ``shards.jsonl``. The file may be damaged, or merged by hand from other files.

A line is the CRC-32 of its body (8 hexadecimal digits), a space, and the body, ``[number, result]`` as JSON. A line
that comes twice counts once. The order of the lines doesn't matter.
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


def line_of(shard: int, result: Mapping[str, Any]) -> str:
    """The line of a shard's result."""
    body = json.dumps([shard, result], separators=(",", ":"))
    return f"{zlib.crc32(body.encode()):08x} {body}\n"


class Lines:
    """The complete lines of a file. end: how many bytes the complete lines have that were read so far."""

    def __init__(self, path: Path, check: Check = anything) -> None:
        self.path = path
        self.end = 0
        self._check = check

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields (number, result) of every shard once.

        Raises ConfigError for a line that is damaged or of another experiment, and for two lines with different results
        of one shard. Raises OSError.
        """
        seen: dict[int, tuple[bytes, int]] = {}
        self.end = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # this last line is incomplete, because the process was killed while writing it
                check, _, body = line[:-1].partition(b" ")
                if check != b"%08x" % zlib.crc32(body):
                    raise ConfigError(
                        f"{self._name} is damaged in line {number}: delete that line to run its shard again"
                    )
                shard, result = self._parsed(number, body)
                self.end += len(line)
                if shard not in seen:
                    seen[shard] = check, number
                    yield shard, result
                elif seen[shard][0] != check:
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
