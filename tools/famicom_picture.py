"""Makes roms/homebrew/famicom/picture.png: the title, Endless with a chain, two players with nuisance on its way."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from ochibot.console import Console
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import load_rules
from ochibot.puyo.search import TwoPly
from PIL import Image

from tests.titles import PUYO as GAME
from tests.titles import famicom_seat, find_player, load_seat_map, open_console, open_rom

Picture = npt.NDArray[np.uint8]

GAP = 8
"""Pixels between two of the three pictures."""
CHAIN_FRAMES = 20
"""How many frames after the second step of a chain the picture is taken."""
MOST_FRAMES = 8_000


@contextmanager
def game(mode: str, maps: tuple[str, ...], seed: int) -> Iterator[tuple[Console, list[SeatPlayer]]]:  # type: ignore[type-arg]
    """Yields a game at its first spawn, with the bot at each seat. ``seed``: how many frames to wait at power-on."""
    with open_console(None, open_rom(None)) as console:
        for _ in range(seed):
            console.step()
        seats = [famicom_seat(load_seat_map(name), console.ram) for name in maps]
        GAME.reach(console, seats[0], mode, {"level": 3, "colors": 5})
        players = [
            SeatPlayer(seat, TwoPly(find_player("article"), load_rules("famicom"), seed=at), speed_of(7))
            for at, seat in enumerate(seats)
        ]
        for player in players:
            player.seat.resync()
            player.spawn()
        yield console, players


def title() -> Picture:
    """A picture of the title while its three puyos hop."""
    with open_console(None, open_rom(None)) as console:
        seat = famicom_seat(load_seat_map("player1"), console.ram)
        while seat.map.value("state") != 1:
            console.step()
        for _ in range(45):
            console.step()
        return console.frame().copy()


def chain(seed: int) -> Picture | None:
    """A picture of Endless in a chain's second step, with more than 18 cells filled; None if no such chain comes."""
    with game("endless", ("player1",), seed) as (console, (player,)):
        pad, since = 0, 0
        for _ in range(MOST_FRAMES):
            console.step(pad)
            pad = player.frame()
            if player.seat.over():
                return None
            high = np.count_nonzero(player.seat.map.raw_grid("field")) > 18
            since = since + 1 if player.seat.map.value("chain") >= 2 and player.seat.has_locked() and high else 0
            if since == CHAIN_FRAMES:
                return console.frame().copy()
    return None


def duel(seed: int) -> Picture | None:
    """A picture of two players with nuisance waiting for one; None if that never happens with this seed."""
    with game("versus", GAME.map_names("versus"), seed) as (console, players):
        pads = [0, 0]
        for _ in range(MOST_FRAMES):
            console.step(*pads)
            pads = [int(player.frame()) for player in players]
            if players[0].seat.loser():
                return None
            due = [player.seat.pending() for player in players]
            if max(due) >= 7:
                for _ in range(24):
                    console.step(*pads)
                    pads = [int(player.frame()) for player in players]
                return console.frame().copy()
    return None


def main() -> int:
    """Tries seed after seed until all pictures can be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "roms/homebrew/famicom/picture.png")
    options = parser.parse_args()
    pictures = [title()]
    for take in (chain, duel):
        found = (picture for seed in range(options.seed, options.seed + 200) if (picture := take(seed)) is not None)
        pictures.append(next(found))
    height, width = pictures[0].shape[:2]
    row = np.full((height, len(pictures) * (width + GAP) - GAP, 3), 255, np.uint8)
    for place, picture in enumerate(pictures):
        row[:, place * (width + GAP) : place * (width + GAP) + width] = picture
    Image.fromarray(row).quantize(64).save(options.out, optimize=True)
    print(f"{options.out}: {options.out.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
