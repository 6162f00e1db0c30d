"""Files from others are read to their end or refused: a pipe, a device and the kernel's log would never end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from ochibot.console import find_system, system_names
from ochibot.console.rom import kind_of_file
from ochibot.data import read_file, read_typed
from ochibot.errors import ConfigError, OchibotError
from ochibot.players import find_file
from ochibot.record import Record
from ochibot.record.dump import open_dump
from ochibot.record.movies.movie import read_bytes
from ochibot.yamlfile import read_yaml

from tests.titles import PUYO

RECORD = Path(__file__).parent / "records/endless-fceumm"


def _fifo(folder: Path) -> Path:
    path = folder / "pipe.nes"
    os.mkfifo(path)
    return path


def _link(folder: Path) -> Path:
    path = folder / "link.nes"
    path.symlink_to("/dev/zero")
    return path


def _log(folder: Path) -> Path:  # noqa: ARG001
    path = Path("/proc/kmsg")
    if not os.access(path, os.R_OK):
        pytest.skip("only the administrator can read the kernel's log")
    return path


ENDLESS = [pytest.param(make, id=make.__name__.strip("_")) for make in (_fifo, _link, _log)]


@pytest.mark.parametrize("make", ENDLESS)
def test_what_never_ends_is_refused(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path)
    with pytest.raises(OSError, match="it is not a file"):
        read_file(path, 1 << 30)
    assert kind_of_file(path) is None
    for name in system_names():
        with pytest.raises(OchibotError) as error:
            find_system(name).load_rom(path, None, {})
        assert len(str(error.value)) < 300
    for read in (
        lambda: read_yaml(path, "a rules file", ConfigError),
        lambda: find_file(path, PUYO),
        lambda: read_bytes(path),
    ):
        with pytest.raises(OchibotError):
            read()


@pytest.mark.parametrize("make", ENDLESS)
@pytest.mark.parametrize("name", ["run.json", "log.ochi"])
def test_a_record_may_hold_no_pipe(make: Callable[[Path], Path], name: str, tmp_path: Path) -> None:
    record = tmp_path / "record"
    shutil.copytree(RECORD, record)
    assert Record.open(record).frames
    (record / name).unlink()
    (record / name).symlink_to(make(tmp_path))
    with pytest.raises(OchibotError):
        Record.open(record)


def test_a_dump_may_hold_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "dump.jsonl")
    with pytest.raises(OchibotError, match="it is not a file"):
        open_dump(tmp_path)


def test_files_are_read_whole_or_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 200_000)
    assert read_file(path, 1 << 30) == path.read_bytes()
    assert read_file(path, 1000) == path.read_bytes()[:1000]
    assert read_typed(path, 1000) == path.read_bytes()[:1000]
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "gone", 1)


def test_a_pipe_that_the_user_types_is_read() -> None:
    """Shells make one of ``<(command)``."""
    near, far = os.pipe()
    os.write(far, b"......")
    os.close(far)
    assert read_typed(Path(f"/dev/fd/{near}"), 100) == b"......"
    os.close(near)
