"""Makes docs/media/chain.gif, the moving picture of the README, from tests/records/chain-fceumm: the player ``chain``
on Ochidama, our own Famicom cartridge. It begins shortly before the pair that sets off the longest chain
of the record, and ends when that chain has ended. ``ochibot video --overlay --from … --to …`` makes the same.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ochibot.record import Record
from ochibot.record.video.make import VideoWish, make_video

ROOT = Path(__file__).parent.parent
BEFORE, AFTER = 140, 80
"""How many frames are shown before the pair of the longest chain appears, and after that chain has ended."""

LARGEST = 600_000
"""The size in bytes that the README's picture must stay below."""


def shown(record: Record) -> tuple[int, int]:
    """The first and the last frame of the picture."""
    ends = {lock.piece: lock.frame for lock in record.locks()}
    best = max((event for event in record.decisions() if event.piece in ends), key=lambda event: event.chain)
    return max(best.frame - BEFORE, 1), min(ends[best.piece] + AFTER, record.frames)


def main() -> int:
    """Makes the picture. Returns 1 when the file is too large."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, default=ROOT / "tests/records/chain-fceumm")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/media/chain.gif")
    options = parser.parse_args()
    record = Record.open(options.record)
    first, last = shown(record)
    made = make_video(record, options.out, VideoWish(overlay=True, first=first, last=last))
    print(f"{options.out}: frames {first} to {last}, {made.bytes // 1000} kB")
    return 0 if made.bytes < LARGEST else 1


if __name__ == "__main__":
    raise SystemExit(main())
