"""Runs the lab's commands on disks of a few pages: ``python -m tests.lab.fulldisk FOLDER COMMAND``.

It mounts small tmpfs file systems, so it needs a mount namespace of its own (``unshare -rm``). On each disk the command
either ends well, or with one line that names the file or folder that couldn't be written. With more room, the same
command goes on, and ends with the same files.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.commands import ochibot
from tests.lab.test_folders import RUNS, files

PAGE = 4096
MOST_PAGES = 16


def main(folder: Path, name: str) -> None:
    words = RUNS[name]
    done = ochibot(*words, "-o", folder / "whole")
    assert done.returncode == 0, done.stderr
    whole = files(folder / "whole")
    disk = folder / "disk"
    disk.mkdir()
    failed = 0
    for pages in range(1, MOST_PAGES):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={pages * PAGE}", "tmpfs", disk], check=True)
        try:
            done = ochibot(*words, "-o", disk / "run")
            if done.returncode == 0:
                assert files(disk / "run") == whole
                break
            failed += 1
            assert done.returncode == 2, (pages, done.stderr)
            told = [line for line in done.stderr.splitlines() if not line.startswith("compil")]
            assert len(told) == 1, (pages, told)
            assert told[0].startswith("ochibot: can't write "), (pages, told)
            assert str(disk / "run") in told[0], (pages, told)
            assert "No space left on device" in told[0], (pages, told)
            assert not [path.name for path in (disk / "run").glob(".ochibot-*")], "an unfinished file stays"
            subprocess.run(["mount", "-o", f"remount,size={256 * PAGE}", disk], check=True)
            done = ochibot(*words, "-o", disk / "run")
            assert done.returncode == 0, (pages, done.stderr)
            assert files(disk / "run") == whole, pages
        finally:
            subprocess.run(["umount", disk], check=True)
    else:
        raise AssertionError(f"{MOST_PAGES} pages aren't enough")
    print(f"{name}: {failed} disks were too small")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
