"""Makes docs/media/endless.gif, the moving picture of the README: the bot playing the embedded cartridge, up to the
longest chain of the run. It is a record made by ``ochibot play`` and turned into a picture as ``ochibot video`` does.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from ochibot.record import Record
from ochibot.record.video.make import Wish, make_video

FPS = 60.1
AFTER = 150
"""Frames shown after the lock of the longest chain has settled."""

LARGEST = 300_000
"""Bytes that a README's picture may have."""


def main() -> int:
    """Plays and makes the picture. Returns 1 when the file is too large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--frames", type=int, default=20_000)
    parser.add_argument("--speed", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=9)
    parser.add_argument("--scale", type=int, default=2)
    parser.add_argument("--fps", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs/media/endless.gif")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ochibot-") as folder:
        settings = ["--seed", options.seed, "--frames", options.frames, "--speed", options.speed]
        settings += ["--level", 4, "--colors", 4, "--record", f"{folder}/record"]
        subprocess.run([sys.executable, "-m", "ochibot", "play", *map(str, settings)], check=True)
        record = Record.open(Path(folder) / "record")
        ends = {lock.piece: lock.frame for lock in record.locks()}
        best = max((event for event in record.decisions() if event.piece in ends), key=lambda event: event.chain)
        last = min(ends[best.piece] + AFTER, record.frames)
        first = max(last - round(options.seconds * FPS), 1)
        wish = Wish(overlay=True, first=first, last=last, scale=options.scale, fps=options.fps)
        made = make_video(record, options.out, wish)
    print(f"{options.out}: a chain of {best.chain}, {made.pictures} pictures, {made.bytes // 1000} kB")
    return 0 if made.bytes < LARGEST else 1


if __name__ == "__main__":
    raise SystemExit(main())
