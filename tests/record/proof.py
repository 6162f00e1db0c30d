"""The long proof of records: python -m tests.record.proof [--frames N]. Exit code 1 when it fails.

Prints one line of JSON. An hour of Endless (216,000 frames) is recorded, then verified in full and in its last 100
frames. Then pads near the end are changed, and verification must notice it. The cost of a live dump is measured. Short
records are played five times on each NES core. Speeds are compared in the process's own time, which other work on the
machine doesn't affect; speeds by the clock are reported too.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ochibot.bench.record import RecordSpeed, Stopwatch, measure
from ochibot.console import Button, Console, PlayedConsole, find_cores
from ochibot.falling.player import AnyPlayer, prepare
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.record import Record, Recorder, verify
from ochibot.record.segment import Segment

from tests.record.making import PUYO, about, make, rewrite
from tests.titles import RULES, open_console, open_rom, player_of, seat_of

HOUR = 216_000
MOST_BYTES = 3_000_000
LEAST_VERIFY = 0.70
LEAST_DUMP = 0.75
REPEATS = 5


def played(
    console: Console, machine: PlayedConsole, player: AnyPlayer, frames: int, recorder: Recorder | None
) -> Endless:
    """Plays Endless Mode from power-on. Returns the finished run."""
    seat = seat_of(PUYO, console)
    PUYO.reach(machine, seat, PUYO.solo_mode, {})
    run = Endless(machine, SeatPlayer(seat, player, speed_of(10), watcher=recorder), seed=0, speed=10)
    run.run(frames=frames)
    return run


def headless(player: AnyPlayer, frames: int) -> RecordSpeed:
    """The speed of play that isn't recorded."""
    with open_console(None, open_rom(None)) as console:
        watch = Stopwatch()
        played(console, console, player, frames, None)
        return watch.speed(frames)


def an_hour(folder: Path, player: AnyPlayer, frames: int) -> dict[str, Any]:
    """Records a run, and verifies all of it and its end. Changes pads near the end, which verification must notice."""
    before = headless(player, frames // 10)
    watch = Stopwatch()
    with open_console(None, open_rom(None)) as console, Recorder.begin(folder, console, about()) as recorder:
        run = played(console, recorder.console, player, frames, recorder)
        recorder.end = run.stopped_by
        played_to = run.result()
    record_speed = watch.speed(frames)
    after = headless(player, frames // 10)
    record = Record.open(folder)
    watch = Stopwatch()
    whole = verify(record)
    verify_speed = watch.speed(record.frames)
    began = time.perf_counter()
    late = verify(record, first=record.frames - 100)
    seek_seconds = time.perf_counter() - began
    plain = RecordSpeed((before.wall + after.wall) / 2, (before.own + after.own) / 2)
    size = sum(path.stat().st_size for path in folder.iterdir())
    last = len(record._blocks) - 2
    first = int(record._firsts[last])
    held = next(frame for frame, pads in enumerate(record.pads(first), first) if pads[0] == Button.DOWN)

    def change(segment: Segment) -> None:
        segment.pads[held - segment.first :] = 0

    rewrite(record, change, last)
    found = verify(Record.open(folder), first=first).difference
    verify_ratio = verify_speed.own / plain.own
    report: dict[str, Any] = {
        "frames": record.frames,
        "pieces": played_to.pieces,
        "locks": sum(1 for _ in record.locks()),
        "agreement": played_to.agreement,
        "bytes": size,
        "same": whole.same,
        "verified_frames": whole.frames,
        "samples": whole.samples,
        "late_same": late.same,
        "seek_seconds": round(seek_seconds, 2),
        "play_fps": round(plain.wall),
        "record_fps": round(record_speed.wall),
        "verify_fps": round(verify_speed.wall),
        "record_ratio": round(record_speed.own / plain.own, 3),
        "verify_ratio": round(verify_ratio, 3),
        "verify_ratio_by_the_clock": round(verify_speed.wall / plain.wall, 3),
        "changed_input_at": held,
        "found_at": found.frame if found is not None else None,
        "named": [difference.name for difference in found.ram[:4]] if found is not None else [],
    }
    report["holds"] = (
        whole.same
        and late.same
        and whole.frames == record.frames >= frames
        and size < MOST_BYTES
        and verify_ratio >= LEAST_VERIFY
        and report["found_at"] == held
        and bool(report["named"])
    )
    return report


def determinism(folder: Path) -> dict[str, Any]:
    """Makes a short record on each NES core that is found, and compares several replays of it. Returns the report."""
    report: dict[str, Any] = {"holds": True}
    for core in ("fceumm", "nestopia"):
        if not find_cores(core):
            report[core] = "not found"
            continue
        record = make(folder / core, 2000, core=core, every=60, segment=600)
        result = verify(record, repeat=REPEATS)
        report[core] = {"frames": record.frames, "runs": REPEATS, "different": len(set(result.digests)) - 1}
        report["holds"] = report["holds"] and result.same
    return report


def prove(frames: int = HOUR) -> dict[str, Any]:
    """Runs the whole proof. In the report, ``holds`` says whether everything passed."""
    player = player_of(PUYO)
    prepare(player)
    with tempfile.TemporaryDirectory(prefix="ochibot-") as folder:
        hour = an_hour(Path(folder) / "hour", player, frames)
        alike = determinism(Path(folder))
    image = open_rom(None)
    cost = measure(lambda: open_console(None, image), PUYO, RULES, player, frames=3000, rounds=3, every=60)
    return {
        "hour": hour,
        "determinism": alike,
        "cost": cost.as_dict(),
        "holds": hour["holds"] and alike["holds"] and cost.dump_own_ratio >= LEAST_DUMP,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=HOUR)
    report = prove(parser.parse_args().frames)
    print(json.dumps(report))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
