"""Makes docs/media/window.png, the README's picture of the window: two AIs at one battle, with their plans.

The window opens on SDL's dummy screen. The picture shows it once ``--frame`` frames of the battle have passed.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import ochibot
import pygame
from ochibot.play.battle import Battle, Contestant

SPEED = 8


def main() -> None:
    """Plays up to the frame and saves the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--frame", type=int, default=2600)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs/media/window.png")
    options = parser.parse_args()
    with ochibot.open("puyo", seed=options.seed, options={"level": 1, "colors": 5}) as session:
        mode = session.game.versus_mode
        sides = [
            Contestant("article", session.thinking(session.open_player(seed=options.seed + at)), SPEED) for at in (0, 1)
        ]
        screen = session.show(seats=(1, 2), mode=mode)
        due = False

        def look(running: Battle) -> None:
            nonlocal due
            due = due or running.frames >= options.frame
            hands = running.seats or ()
            # the picture is taken once both AIs show a plan
            if due and len(hands) == 2 and all(one.plan is not None for one in hands):
                shown = pygame.display.get_surface()
                assert shown is not None
                pygame.image.save(shown, options.out)
                running.stop("picture")

        battle = session.contest((sides[0], sides[1]), seed=options.seed, on_frame=look)
        screen.watch(lambda: [(hands, ("article", f"speed {SPEED}")) for hands in battle.seats or ()])
        battle.run(1)
    print(options.out)


if __name__ == "__main__":
    main()
