"""The manifest run.json of a record: what ran, and the numbers needed to read the log."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ochibot.data import read_file
from ochibot.errors import OutputError, RecordError
from ochibot.leftovers import whole_file
from ochibot.ram import RamMap
from ochibot.record.blocks import MAX_COUNT
from ochibot.version import __version__
from ochibot.yamlfile import first_problem

MANIFEST, LOG, DUMP = "run.json", "log.ochi", "dump"
"""The names of a record's files, and of its folder of dumped pictures."""

FORMAT = "ochibot record"
VERSION = 1
_MAX_BYTES = 1 << 22


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlayerInfo(_Model):
    """A player: its name, its seat (1 or 2), and how fast it presses buttons, from 0 to 10 (None: a person).

    clairvoyant: whether the player knew pairs that the game hadn't shown.
    """

    name: str
    seat: Literal[1, 2]
    speed: int | None = None
    clairvoyant: bool = False


class FiledGame(_Model):
    """What a record keeps of a game file, so that the run can be shown without it.

    file: its path, relative to the record's folder. said: its contents without paths and maps, as YAML. rules: the text
    of its rules file; empty if it names a shipped profile.
    """

    file: str
    said: str
    rules: str = ""


class About(_Model):
    """What a command writes into a record about its run, for people to read.

    maps: the RAM maps, which name addresses. filed: the game file, for games that come from one.
    """

    command: str
    game: str = ""
    mode: str = ""
    seed: int | None = None
    players: tuple[PlayerInfo, ...] = ()
    settings: dict[str, int | str] = {}
    maps: tuple[RamMap, ...] = ()
    rules: str = ""
    filed: FiledGame | None = None


class CoreId(_Model):
    """The core: its own name and version, its file's name and SHA-1."""

    name: str
    version: str
    file: str
    sha1: str


class RomId(_Model):
    """The ROM: its file's name and SHA-1."""

    name: str
    sha1: str


class RamShape(_Model):
    """The shape of the kept RAM: its size in bytes, and how offsets become CPU addresses: (offset ^ swap) + base."""

    size: Annotated[int, Field(ge=1, le=1 << 20)]
    base: Annotated[int, Field(ge=0)]
    swap: Literal[0, 1]


class Manifest(_Model):
    """The contents of run.json. every: frames between samples. segment: frames in a block (fewer in the last one)."""

    format: Literal["ochibot record"]
    version: Literal[1]
    created: str
    versions: dict[str, str]
    about: About
    system: str
    core: CoreId
    rom: RomId
    options: dict[str, str]
    start: Literal["power-on", "savestate"]
    fps: Annotated[float, Field(gt=0)]
    sample_rate: float
    picture: tuple[int, int]
    ram: RamShape
    every: Annotated[int, Field(ge=1)]
    segment: Annotated[int, Field(ge=1, le=MAX_COUNT)]

    def text(self) -> str:
        """The manifest as the text of run.json."""
        return json.dumps(self.model_dump(mode="json", exclude_defaults=True), indent=1) + "\n"


def now() -> str:
    """The present time in UTC, in the manifest's format."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def versions() -> dict[str, str]:
    """The versions of Ochibot and Python that are running, for a new record."""
    return {"ochibot": __version__, "python": platform.python_version()}


def write_manifest(folder: Path, manifest: Manifest) -> bytes:
    """Writes run.json whole or not at all; returns its bytes. Raises OutputError."""
    data = manifest.text().encode()
    try:
        with whole_file(folder / MANIFEST) as partial:
            partial.write_bytes(data)
    except OSError as error:
        raise OutputError(
            f"can't write the record {folder}: {error.strerror or error}; make room, or give another folder"
        ) from None
    return data


def read_manifest(folder: Path) -> tuple[Manifest, bytes]:
    """Reads run.json; returns it and its bytes. Raises RecordError naming the file and what is wrong."""
    path = folder / MANIFEST
    if not os.path.isfile(path):  # noqa: PTH113 (raises nothing for folders that can't be entered)
        raise RecordError(f"{folder} is not a record: there is no {MANIFEST} in it; give a folder made with --record")
    try:
        data = read_file(path, _MAX_BYTES)
        return Manifest.model_validate_json(data), data
    except OSError as error:
        raise RecordError(f"can't read {path}: {error.strerror or error}") from None
    except ValidationError as error:
        raise RecordError(f"{path}: {first_problem(error)}") from None
