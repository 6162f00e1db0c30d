"""Makes docs/media/endless.gif, the moving picture of the README: the bot playing the embedded cartridge."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

from bot.cli.setup import find_player, open_console, open_rom
from bot.console import Button
from bot.games import famicom_puyo as game
from bot.play.endless import Endless
from bot.play.seat import SeatPlayer
from bot.play.speed import speed_of
from bot.search import TwoPly

EVERY = 4
"""Frames of the game per picture (60.1 / 4 = 15 pictures a second)."""


def main() -> None:
    """Play and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--skip", type=int, default=600, help="frames to play before the picture begins")
    parser.add_argument("--frames", type=int, default=1200)
    parser.add_argument("--speed", type=int, default=9)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs/media/endless.gif")
    options = parser.parse_args()
    pictures: list[Image.Image] = []
    with open_console(None, open_rom(None)) as console:
        for _ in range(options.seed):
            console.step(Button.NONE)
        seat = game.Seat(game.load_seat_map("player1"), console.ram)
        game.reach(console, seat, "endless", {"level": 4, "colors": 4})
        frames = 0

        def keep(_: Button) -> None:
            nonlocal frames
            frames += 1
            if frames > options.skip and frames % EVERY == 0:
                pictures.append(Image.fromarray(console.frame()))

        hands = SeatPlayer(seat, TwoPly(find_player("article")), speed_of(options.speed))
        run = Endless(console, hands, seed=options.seed, speed=options.speed, on_frame=keep)
        run.run(frames=options.skip + options.frames)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # one palette for all: the console has few colours, so that nothing is lost
    palette = pictures[len(pictures) // 2].quantize(64, dither=Image.Dither.NONE)
    frames_out = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    frames_out[0].save(
        options.out,
        save_all=True,
        append_images=frames_out[1:],
        duration=round(1000 * EVERY / 60.1),
        loop=0,
        optimize=True,
    )
    print(f"{options.out}: {len(pictures)} pictures, {options.out.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
