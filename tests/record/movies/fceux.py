"""Plays a movie in FCEUX itself, without a screen, and returns RAM after each frame."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

RAM_BYTES = 0x800

_PATH = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/games"))

_SCRIPT = """
emu.speedmode("maximum")
local out = assert(io.open("ram.bin", "wb"))
local done = 0
while true do
  local now = emu.framecount()
  if movie.mode() == "playback" or movie.mode() == "finished" then
    if now > done then
      out:write(memory.readbyterange(0, {size}))
      done = now
    end
  end
  if done >= {frames} then break end
  emu.frameadvance()
end
out:close()
local hash = assert(io.open("hash.txt", "w"))
hash:write(rom.gethash("md5"))
hash:close()
assert(io.open("done", "w")):close()
while true do emu.frameadvance() end
"""


def missing() -> str | None:
    """Why FCEUX can't be run here; None when it can."""
    for program, package in (("fceux", "fceux"), ("Xvfb", "xvfb"), ("xauth", "xauth"), ("xvfb-run", "xvfb")):
        if shutil.which(program, path=_PATH) is None:
            return f"no {program} here (Debian: package {package})"
    return None


def play(rom: Path, movie: Path, frames: int, folder: Path, limit: float = 180.0) -> tuple[npt.NDArray[np.uint8], str]:
    """Plays a movie in FCEUX. Returns RAM after each frame, (frames, 2048), and the ROM's MD5 according to FCEUX.

    ``folder`` must be empty; it becomes FCEUX's home folder. Raises TimeoutError after ``limit`` seconds, or if FCEUX
    ends before it has played the movie.
    """
    script = folder / "dump.lua"
    script.write_text(_SCRIPT.format(frames=frames, size=RAM_BYTES))
    command = [
        "xvfb-run",
        "-a",
        "fceux",
        "--no-config",
        "1",
        "--sound",
        "0",
        "--loadlua",
        script,
        "--playmov",
        movie,
        rom,
    ]
    environment = {**os.environ, "PATH": _PATH, "HOME": str(folder), "QT_QPA_PLATFORM": "xcb"}
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait(process, folder, limit)
    finally:
        # ends the whole session that was started above: xvfb-run, its X server and FCEUX
        if process.poll() is None:
            os.killpg(process.pid, 15)
        process.wait(timeout=20)
    ram = np.fromfile(folder / "ram.bin", np.uint8).reshape(-1, RAM_BYTES)
    return ram, (folder / "hash.txt").read_text()


def _wait(process: subprocess.Popen[bytes], folder: Path, limit: float) -> None:
    end = time.monotonic() + limit
    while not (folder / "done").exists():
        if process.poll() is not None or time.monotonic() > end:
            told = (folder / "log.txt").read_text(errors="replace")[-600:]
            raise TimeoutError(f"FCEUX has not played the movie to its end:\n{told}")
        time.sleep(0.1)
