"""Makes docs/media/neogeo-title.png, -versus.png and -wave.png, the READMEs' pictures of Togetama.

The first shows the title after some seconds. The others show a battle of two AIs: when seat 1 has turned its pair into
needles, and in the middle of the wave that follows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import ochibot
from ochibot.console import Console, HostedConsole, find_core
from ochibot.games import find_game
from ochibot.overlay.layout import scaled
from ochibot.play.battle import Battle, Contestant
from PIL import Image

CONTROL, WAVE = 2, 4
TITLE_FRAMES = 300
SPEEDS = 8, 5


def save(console: HostedConsole, path: Path) -> None:
    """Saves the console's picture at twice its size, with only the colours of the game."""
    Image.fromarray(scaled(console.frame(), 2)).quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path)


def title(folder: Path) -> None:
    """Makes the picture of the title."""
    game = find_game("nyaa")
    core = find_core(game.system)
    with Console.open(core, game.open_rom(None), options=dict(game.core_options)) as console:
        for _ in range(TITLE_FRAMES):
            console.step()
        save(console, folder / "neogeo-title.png")


def battle(folder: Path, seed: int, blocks: int) -> None:
    """Makes the pictures of a battle, which is played up to a wave through at least ``blocks`` blocks."""
    with ochibot.open("nyaa", seed=seed) as session:
        sides = [Contestant("nyaa", session.thinking(session.open_player(seed=seed + at)), SPEEDS[at]) for at in (0, 1)]
        spawns = 0

        def look(running: Battle) -> None:
            nonlocal spawns
            if running.seats is None:
                return
            first, second = (hands.seat for hands in running.seats)
            decision = running.seats[0].decision
            mine = {name: first.counter(name) for name in ("phase", "needle", "y", "popped", "spawns")}
            if decision is None or decision.outcome.popped < blocks:
                return
            if mine["phase"] == CONTROL and mine["needle"] and mine["y"] == 4 and second.counter("phase") == CONTROL:
                save(session.console, folder / "neogeo-versus.png")
                spawns = mine["spawns"] or 0
            half = (mine["popped"] or 0) * 2 >= decision.outcome.popped
            if spawns and spawns == mine["spawns"] and mine["phase"] == WAVE and half:
                save(session.console, folder / "neogeo-wave.png")
                running.stop("picture")

        running = session.contest((sides[0], sides[1]), seed=seed, on_frame=look)
        running.run(5)
        if running.result.stopped_by != "picture":
            raise SystemExit(f"five games of seed {seed} have no such wave: give another --seed, or fewer --blocks")


def main() -> None:
    """Makes all three pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=16)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent.parent / "docs/media")
    options = parser.parse_args()
    title(options.folder)
    battle(options.folder, options.seed, options.blocks)


if __name__ == "__main__":
    main()
