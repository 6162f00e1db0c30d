"""The AI's plan as a ghost over the field: where each half of the falling pair is meant to come to rest."""

from __future__ import annotations

import pygame

from bot.games.famicom_lock import resting_cells
from bot.games.famicom_puyo import CELL, cell_place
from bot.play.seat import SeatPlayer
from bot.puyo import shape

COLORS: dict[int, tuple[int, int, int]] = {
    1: (236, 60, 40),
    2: (80, 220, 90),
    3: (70, 90, 250),
    4: (245, 190, 60),
    5: (215, 60, 215),
    6: (40, 225, 215),
}
"""About our own cartridge's colours, by code; items are white."""

WHITE = (255, 255, 255)

Cell = tuple[int, int, int]
"""(x, y, code) in the field."""


def planned_cells(player: SeatPlayer) -> frozenset[Cell]:
    """The cells in which the falling piece is meant to end; empty while nothing is planned."""
    decision, snapshot = player.plan, player.snapshot
    if decision is None or snapshot is None:
        return frozenset()
    if snapshot.pair.is_item:
        return frozenset((x, y, snapshot.pair.axis) for x, y in shape(snapshot.pair, decision.placement))
    return resting_cells(snapshot.field, snapshot.pair, decision.placement)


def draw_ghost(picture: pygame.Surface, port: int, cells: frozenset[Cell]) -> list[pygame.Rect]:
    """Draw on the game's own picture, unscaled; the rectangles drawn in. Cells in the hidden row aren't shown."""
    drawn = []
    for x, y, code in sorted(cells):
        place = cell_place(port, x, y, picture.get_size())
        if place is None:
            continue
        color = COLORS.get(code, WHITE)
        patch = pygame.Surface((CELL, CELL), pygame.SRCALPHA)
        box = patch.get_rect()
        pygame.draw.rect(patch, (*color, 80), box.inflate(-2, -2), border_radius=6)
        pygame.draw.rect(patch, (*color, 255), box.inflate(-2, -2), width=1, border_radius=6)
        drawn.append(picture.blit(patch, place))
    return drawn
