"""Beside the field: what the AI thinks of its plan, metric by metric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pygame

from ochibot.play.background import ThinkingPlayer, Thought
from ochibot.play.seat import SeatPlayer

BACKGROUND = (14, 14, 24)
TEXT = (225, 225, 235)
FAINT = (130, 130, 155)
GOOD = (90, 200, 120)
BAD = (225, 95, 90)
LINE = (50, 50, 75)


@dataclass(frozen=True)
class SeatView:
    """One AI to look at: its seat, and the lines that name it."""

    player: SeatPlayer
    title: tuple[str, ...]

    @property
    def port(self) -> int:
        """0 or 1."""
        return self.player.seat.port

    @property
    def thought(self) -> Thought | None:
        """What it has thought about the falling pair; None when it doesn't think in the background."""
        player = self.player.player
        return player.last if isinstance(player, ThinkingPlayer) else None


@cache
def font(size: int) -> pygame.font.Font:
    """pygame's own font, so that it looks the same everywhere."""
    return pygame.font.Font(None, size)


def write(target: pygame.Surface, text: str, at: tuple[int, int], size: int, color: tuple[int, int, int]) -> int:
    """A line of text; the height it took."""
    line = font(size).render(text, True, color)
    target.blit(line, at)
    return line.get_height()


def draw_panel(size: tuple[int, int], scale: int, view: SeatView, show_plan: bool) -> pygame.Surface:
    """The whole panel as a picture of ``size``."""
    panel = pygame.Surface(size)
    panel.fill(BACKGROUND)
    edge, small, big = 5 * scale, 8 * scale, 10 * scale
    width = size[0] - 2 * edge
    y = edge
    for number, line in enumerate(view.title):
        y += write(panel, line, (edge, y), small if number else big, FAINT if number else TEXT) + scale
    tally = view.player.tally
    y = _rule(panel, edge, y + scale, width, scale)
    y += _pair(panel, "pieces", f"{tally.pieces:,}", edge, y, width, small)
    y += _pair(panel, f"best {view.player.seat.best}", str(tally.best_chain), edge, y, width, small)
    if not show_plan:
        return panel
    y = _rule(panel, edge, y + scale, width, scale)
    thought = view.thought
    if thought is None or thought.decision is None:
        write(panel, "thinking …" if view.player.decision is None else "", (edge, y), small, FAINT)
        return panel
    decision = thought.decision
    for what, how in view.player.seat.look.told(decision):
        y += _pair(panel, what, how, edge, y, width, small)
    y += _pair(panel, "value", _value(decision.value), edge, y, width, small)
    y += _pair(panel, "looked at", f"{decision.leaves:,} fields", edge, y, width, small)
    y += _pair(panel, "in", f"{1000 * thought.seconds:.2f} ms", edge, y, width, small)
    if thought.evaluation is None:
        return panel
    y = _rule(panel, edge, y + scale, width, scale)
    y += write(panel, "the field it leads to", (edge, y), small, FAINT) + scale
    terms = thought.evaluation.terms
    # one scale for all bars: what weighs most fills half the width
    most = max(10.0, *(abs(value) for _, value in terms))
    middle = edge + width // 2
    for name, value in terms:
        y += _pair(panel, name, _value(value), edge, y, width, small)
        length = max(round(abs(value) / most * width / 2), scale if value else 0)
        pygame.draw.rect(panel, LINE, (edge, y, width, 2 * scale))
        if value:
            left = middle if value > 0 else middle - length
            pygame.draw.rect(panel, GOOD if value > 0 else BAD, (left, y, length, 2 * scale))
        y += 4 * scale
    _pair(panel, "sum", _value(thought.evaluation.total), edge, y + scale, width, small, TEXT)
    return panel


def _value(value: float) -> str:
    # adding 0.0 makes a plus of minus zero
    return "game over" if value <= -1e8 else f"{round(value, 1) + 0.0:+.1f}"


def _rule(panel: pygame.Surface, edge: int, y: int, width: int, scale: int) -> int:
    pygame.draw.rect(panel, LINE, (edge, y, width, max(scale // 2, 1)))
    return y + 3 * scale


def _pair(
    panel: pygame.Surface,
    name: str,
    value: str,
    left: int,
    y: int,
    width: int,
    size: int,
    color: tuple[int, int, int] = FAINT,
) -> int:
    """A name on the left, its value on the right; the height it took."""
    height = write(panel, name, (left, y), size, color)
    line = font(size).render(value, True, TEXT)
    panel.blit(line, (left + width - line.get_width(), y))
    return height
