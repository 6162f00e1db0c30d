"""Makes roms/homebrew/famicom/items.png: both items falling in the real core, and the field after each has locked."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ochibot.console import Button
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import BIG, CARBUNCLE, load_rules
from ochibot.puyo.search import TwoPly
from PIL import Image

from tests.titles import PUYO as GAME
from tests.titles import famicom_seat, find_player, load_seat_map, open_console, open_rom

ROW = 6
"""The row at which an item is shown falling."""
EVERY = 9
"""One piece in this many is an item, so that the field has filled a little when an item comes."""
WIDTH = 136
"""How many pixels of the picture's width are kept: the field and the next pair."""


def play(seed: int) -> dict[int, list[npt.NDArray[np.uint8]]]:
    """Plays a game. Returns two pictures for each item, of its last use that changed the field: falling, and locked."""
    shots: dict[int, list[npt.NDArray[np.uint8]]] = {}
    with open_console(None, open_rom(None)) as console:
        seat = famicom_seat(load_seat_map("player1"), console.ram)
        for _ in range(seed):
            console.step()
        GAME.reach(console, seat, "endless", {"level": 1, "colors": 5, "items": 3})
        seat.map.write("item_interval", EVERY)
        player = SeatPlayer(seat, TwoPly(find_player("article"), load_rules("famicom")), speed_of(4))
        player.spawn()
        pad, item, before = Button.NONE, 0, seat.snapshot().field
        falling = console.frame()
        while player.tally.pieces < 4 * EVERY + 1:
            console.step(pad)
            pad = player.frame()
            if seat.spawned:
                snapshot = seat.snapshot()
                if item and snapshot.field != before:
                    shots[item] = [falling, console.frame()]
                item, before = (snapshot.pair.axis if snapshot.pair.is_item else 0), snapshot.field
            state = seat.pair_state()
            if item and not seat.has_locked() and state is not None and state.y == ROW:
                falling = console.frame()
    return shots


def main() -> int:
    """Plays game after game until both items have changed the field in one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "roms/homebrew/famicom/items.png")
    options = parser.parse_args()
    seeds = itertools.count(options.seed)
    shots = next(shots for seed in seeds if {BIG, CARBUNCLE} <= (shots := play(seed)).keys())
    pictures = [picture[:, :WIDTH] for item in (BIG, CARBUNCLE) for picture in shots[item]]
    row = Image.fromarray(np.concatenate(pictures, axis=1))
    row.resize((2 * row.width, 2 * row.height), Image.Resampling.NEAREST).quantize(64).save(options.out, optimize=True)
    print(f"{options.out}: {len(pictures)} pictures, {options.out.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
