"""Files and folders are written completely or not at all, and temporary ones are always removed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot import leftovers
from ochibot.leftovers import (
    TemporaryFolder,
    kept_folder,
    make_folder,
    only_writer,
    probed,
    whole_file,
    whole_folder,
)


class OddError(Exception):
    """The error with which the tests end a block."""


def fail(path: Path) -> None:
    path.write_text("a part")
    raise OddError


def test_a_file_is_whole_or_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for text in ("one", "two"):
        with whole_file(path) as partial:
            assert (partial.parent, partial.suffix) == (tmp_path, ".json")
            partial.write_text(text)
            assert not path.exists() or path.read_text() == "one"
        assert path.read_text() == text
    with pytest.raises(OddError), whole_file(path) as partial:
        fail(partial)
    assert path.read_text() == "two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed_and_a_device_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path / "real/file.txt")
    with whole_file(tmp_path / "link.txt") as partial:
        partial.write_text("here")
    assert (tmp_path / "real/file.txt").read_text() == "here"
    assert (tmp_path / "link.txt").is_symlink()
    with whole_file(Path(os.devnull)) as partial:
        assert partial == Path(os.devnull)
    assert Path(os.devnull).exists()


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "deep/folder"
    with pytest.raises(OddError), whole_folder(path) as partial:
        fail(partial / "file")
    assert list((tmp_path / "deep").iterdir()) == []
    path.mkdir()
    with whole_folder(path) as partial:
        (partial / "file").write_text("x")
    assert [each.name for each in path.iterdir()] == ["file"]
    with pytest.raises(OSError, match="not empty"), whole_folder(path) as partial:
        (partial / "other").write_text("x")
    assert list((tmp_path / "deep").iterdir()) == [path]
    assert [each.name for each in path.iterdir()] == ["file"]


def test_a_sweep_takes_all_that_is_not_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(leftovers, "_noted", {})
    monkeypatch.setattr(leftovers, "_made", {})
    make_folder(tmp_path / "empty/and/deep")
    make_folder(tmp_path / "used")
    (tmp_path / "used/file").write_text("x")
    (tmp_path / "theirs").mkdir()
    make_folder(tmp_path / "theirs")
    with kept_folder() as kept:
        (kept / "screen.png").write_text("x")
    with pytest.raises(OddError), kept_folder() as lost:
        fail(lost / "screen.png")
    with probed(tmp_path / "probe"):
        (tmp_path / "probe").write_text("")
    temporary = TemporaryFolder()
    (temporary.path / "core.so").write_text("x")
    with whole_file(tmp_path / "a.json") as file, whole_folder(tmp_path / "b") as folder:
        file.write_text("x")
        (folder / "log").write_text("x")
        left = {kept.name, "used", "theirs"}
        assert len(list(tmp_path.iterdir())) == len(left) + 4
        if sys.platform != "win32":
            # a forked child inherits the list of paths to remove, but must not remove its parent's files
            child = os.fork()
            if not child:
                leftovers.sweep()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            assert len(list(tmp_path.iterdir())) == len(left) + 4
        leftovers.sweep()
        assert {path.name for path in tmp_path.iterdir()} == left
        file.write_text("x")
        folder.mkdir()
    temporary.cleanup()


LOCKS = """
import subprocess
import sys
from pathlib import Path
from ochibot.leftovers import only_writer
try:
    with only_writer(Path(sys.argv[1])):
        print("locked", flush=True)
        sys.stdin.read()
except BlockingIOError:
    print("taken")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders")
def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    def start() -> subprocess.Popen[str]:
        words = [sys.executable, "-c", LOCKS, str(tmp_path)]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with start() as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "locked\n"
        with start() as second:
            assert second.communicate()[0] == "taken\n"
        with pytest.raises(BlockingIOError), only_writer(tmp_path):
            pass
        first.kill()
    with only_writer(tmp_path):
        assert list(tmp_path.iterdir()) == []
    with only_writer(tmp_path / "none"):
        pass  # nothing to lock


def test_a_full_disk_is_reported_with_the_path_that_was_meant(tmp_path: Path) -> None:
    """Writing to a full disk raises an error without a path."""

    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as error, whole_file(tmp_path / "mine.yaml"):
        full()
    assert error.value.filename == str(tmp_path / "mine.yaml")
    folder = TemporaryFolder()
    with pytest.raises(OSError, match="No space left") as error, folder:
        full()
    assert error.value.filename == str(folder.path)
