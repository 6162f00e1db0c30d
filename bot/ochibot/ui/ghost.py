"""The AI's plan as a ghost over the field: where each half of the falling pair is meant to come to rest."""

from __future__ import annotations

import pygame

from ochibot.games.protocols import Look
from ochibot.play.seat import SeatPlayer

Cell = tuple[int, int, int]
"""(x, y, code) in the field."""


def planned_cells(player: SeatPlayer) -> frozenset[Cell]:
    """The cells in which the falling piece is meant to end; empty while nothing is planned."""
    decision, snapshot = player.plan, player.snapshot
    if decision is None or snapshot is None:
        return frozenset()
    return player.seat.look.planned(snapshot, decision)


def draw_ghost(picture: pygame.Surface, look: Look, port: int, cells: frozenset[Cell]) -> list[pygame.Rect]:
    """Draw on the game's own picture, unscaled; the rectangles drawn in. Cells that the game hides aren't shown."""
    drawn = []
    for x, y, code in sorted(cells):
        place = look.box(port, x, y, picture.get_size())
        if place is None:
            continue
        color, size = look.color(code), place[2]
        patch = pygame.Surface((size, size), pygame.SRCALPHA)
        box = patch.get_rect()
        pygame.draw.rect(patch, (*color, 80), box.inflate(-2, -2), border_radius=6)
        pygame.draw.rect(patch, (*color, 255), box.inflate(-2, -2), width=1, border_radius=6)
        drawn.append(picture.blit(patch, place[:2]))
    return drawn
