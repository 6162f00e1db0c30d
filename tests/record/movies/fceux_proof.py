"""Checks exported movies in FCEUX itself: python -m tests.record.movies.fceux_proof. Exit code 1 when it fails.

It makes two runs on FCEUmm, and on Nestopia if found: the bot in Endless Mode, and random pads with resets. Each is
exported as .fm2 and played in FCEUX without a screen. RAM after every frame is compared with our own core's, byte by
byte: the mapped cells must be equal at the end, and all bytes but the stack's in every frame. Prints one line of JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from ochibot.console import NES, Ram, find_cores
from ochibot.data import data_path
from ochibot.ram import BoundMap, load_map
from ochibot.record import Record
from ochibot.record.movies import Movie, movie_of, write_movie
from ochibot.record.movies.movie import BOOT_FRAMES

from tests.record.movies import fceux
from tests.record.movies.runs import ochibot, record
from tests.titles import TABLE, open_rom

STACK = range(0x100, 0x200)
"""The stack's page. In each emulator, interrupts come at other instructions, so they leave other bytes below the stack
pointer.
"""

MAPS = ("player1", "player2", "player12")
RESETS = (700, 1500, 1501)


def kept(movie: Movie, boot: int) -> list[int]:
    """The indices of the movie's frames that our core has run: all but the first ``boot`` after power-on and resets."""
    begins = {0, *movie.resets}
    return [index for index in range(len(movie.pads)) if not any(index - begin in range(boot) for begin in begins)]


def played(source: Record) -> npt.NDArray[np.uint8]:
    """Replays a record in our core. Returns RAM after each frame, (frames, size)."""
    with source.console() as console:
        rams = [console.ram.snapshot() for _ in source.replay(console)]
    return np.frombuffer(b"".join(rams), np.uint8).reshape(len(rams), -1)


def mapped() -> dict[int, str]:
    """The names of all mapped addresses, by address."""
    names: dict[int, str] = {}
    ram = Ram(np.zeros(fceux.RAM_BYTES, np.uint8), NES.ram)
    for name in MAPS:
        bound = BoundMap(load_map(data_path(f"ram_maps/famicom_puyo/{name}.yaml"), TABLE.codes), ram, TABLE.codes)
        for entry in bound.map.entries.values():
            names |= {address: f"{name}.{bound.name_of(address)}" for address in entry.byte_addresses()}
    return names


def compare(folder: Path, source: Record) -> dict[str, Any]:
    """Exports a record, plays it in FCEUX and compares RAM. Returns the report."""
    rom, work = open_rom(None), folder / "fceux"
    movie = movie_of(source, rom)
    write_movie(movie, folder / "movie.fm2")
    work.mkdir()
    theirs, md5 = fceux.play(rom.source.resolve(), folder / "movie.fm2", len(movie.pads), work)
    boot = BOOT_FRAMES.get(source.manifest.core.name, 0)
    ours = played(source)
    theirs = theirs[kept(movie, boot)]
    names = mapped()
    differs = ours != theirs
    ever = np.flatnonzero(differs.any(0)).tolist()
    wrong = [names[address] for address in np.flatnonzero(differs[-1]).tolist() if address in names]
    report = {
        "core": f"{source.manifest.core.name} {source.manifest.core.version}",
        "frames": len(movie.pads),
        "resets": len(movie.resets),
        "boot_frames_added": len(movie.pads) - len(ours),
        "rom_md5_is_fceuxs": md5 == movie.rom.md5 if movie.rom else False,
        "mapped_cells": len(names),
        "mapped_cells_different_at_the_end": wrong,
        "mapped_cells_ever_different": sorted({names[address] for address in ever if address in names}),
        "bytes_ever_different": [f"{address:#06x}" for address in ever],
    }
    report["holds"] = (
        report["rom_md5_is_fceuxs"]
        and not report["mapped_cells_different_at_the_end"]
        and all(address in STACK and address not in names for address in ever)
    )
    return report


def prove(frames: int) -> dict[str, Any]:
    """Makes and checks all runs. In the report, ``holds`` says whether all passed, ``skipped`` why none was made."""
    why = fceux.missing()
    if why is not None:
        return {"holds": False, "skipped": why}
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="ochibot-") as made:
        folder = Path(made)
        cores = [("fceumm", ())] + ([("nestopia", ("--core", "nestopia"))] if find_cores("nestopia") else [])
        for core, option in cores:
            endless, mixed = folder / f"{core}-endless", folder / f"{core}-mixed"
            endless.mkdir()
            mixed.mkdir()
            run = ("--seed", 5, "--level", 4, "--frames", frames, "--record", endless / "record", *option)
            code, _, error = ochibot("play", *run)
            if code:
                raise SystemExit(error)
            report[f"{core}_endless"] = compare(endless, Record.open(endless / "record"))
            record(mixed / "record", frames, resets=RESETS, core=core)
            report[f"{core}_resets"] = compare(mixed, Record.open(mixed / "record"))
    report["holds"] = all(run["holds"] for run in report.values())
    return report


def main() -> int:
    """Prints the report. Returns 0 when all runs passed or FCEUX can't be run here, else 1."""
    report = prove(4000)
    print(json.dumps(report))
    return 0 if report["holds"] or report.get("skipped") else 1


if __name__ == "__main__":
    sys.exit(main())
