"""Draws boards of Pochi & Nyaa in the terminal. The drawing can be read without its colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.text import Text

from ochibot.nyaa.calculator.heat import HeatMap
from ochibot.nyaa.calculator.ignition import Ignition, WaveOutcome
from ochibot.nyaa.rules.grid import COLUMNS, ROWS, SYMBOLS, Grid, cell_of

COLORS: Final = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
BETWEEN: Final = "   "

Draw = Callable[[int, int], tuple[str, str]]
"""Returns the text and the style of the cell at (x, y); the text isn't wider than a cell."""


def style_of(symbol: str) -> str:
    """The rich style of a cell's letter."""
    color = COLORS.get(symbol.lower(), "")
    if symbol.isupper():
        return f"bold reverse {color}"
    return color or ("dim" if symbol == "." else "bright_black")


def panel(title: str, draw: Draw, *, rows: int = ROWS, wide: int = 3) -> list[Text]:
    """Draws the lowest ``rows`` of a board, ``wide`` characters for each cell, with rows and columns numbered.

    All lines have the same width. A cell's last character stays blank unless its text needs it.
    """
    width = wide * COLUMNS
    lines = [Text(f"   {title[:width]:<{width}}", style="bold")]
    for y in range(rows, 0, -1):
        line = Text(f"{y:2} ", style="dim")
        for x in range(1, COLUMNS + 1):
            text, style = draw(x, y)
            padded = text.rjust(wide) if len(text) >= wide else f"{text} ".rjust(wide)
            cut = len(padded) - len(padded.lstrip())
            line.append(padded[:cut])
            line.append(padded[cut:].rstrip(), style=style or "none")
            line.append(" " * (len(padded) - len(padded.rstrip())))
        lines.append(line)
    lines.append(Text("   " + "".join(f"{x} ".rjust(wide) for x in range(1, COLUMNS + 1)), style="dim"))
    return lines


def side_by_side(panels: Sequence[list[Text]], width: int) -> Text:
    """Puts as many panels side by side as fit into the width; the others follow in further rows."""
    each = len(panels[0][0].plain) + len(BETWEEN)
    across = max(1, (width + len(BETWEEN)) // each)
    text = Text()
    for first in range(0, len(panels), across):
        for lines in zip(*panels[first : first + across], strict=True):
            text.append_text(Text(BETWEEN).join(lines))
            text.append("\n")
        text.append("\n")
    return text


def board(grid: Grid, title: str = "board") -> list[Text]:
    """The panel of a grid as it is."""

    def draw(x: int, y: int) -> tuple[str, str]:
        symbol = SYMBOLS[grid.codes[cell_of(x, y)]]
        return symbol, style_of(symbol)

    return panel(title, draw)


def outcome(grid: Grid, ignition: Ignition, shown: WaveOutcome, title: str) -> list[Text]:
    """The panel of a grid after an ignition: each tail's value is drawn on its last cell.

    ``?`` marks cells with an open tie: two paths reach the cell at once, and the known rules don't say which gets it.
    """
    values = {(tail.x, tail.y): str(tail.value) for tail in shown.tails}
    open_ties = set(ignition.open_ties)

    def draw(x: int, y: int) -> tuple[str, str]:
        symbol = SYMBOLS[grid.codes[cell_of(x, y)]]
        mark = "?" if (x, y) in open_ties else ""
        if (x, y) in values:
            return f"{values[x, y]}{mark}".rjust(3) if mark else values[x, y], f"bold reverse {COLORS[symbol]}"
        if shown.steps[ROWS - y, x - 1]:
            return f" {symbol}{mark}" if mark else symbol, style_of(symbol)
        return symbol, style_of(symbol) if symbol.isupper() else "dim"

    return panel(title, draw)


def waves(grid: Grid, shown: WaveOutcome, name: str) -> list[list[Text]]:
    """A panel for each step of a wave: ``(r)`` pops now, a number is a tail that ends now, ``,`` has popped already."""
    values = {(tail.x, tail.y): str(tail.value) for tail in shown.tails}
    rows = next((y for y in range(ROWS, 1, -1) if any(grid.codes[cell_of(1, y) : cell_of(COLUMNS, y) + 1])), 1)

    def at(step: int) -> Draw:
        def draw(x: int, y: int) -> tuple[str, str]:
            symbol = SYMBOLS[grid.codes[cell_of(x, y)]]
            pops = int(shown.steps[ROWS - y, x - 1])
            if pops == step:
                return values.get((x, y), f"({symbol})"), f"bold reverse {COLORS[symbol]}"
            if 0 < pops < step:
                return ",", "dim"
            return symbol, style_of(symbol)

        return draw

    last = max(map(max, shown.steps.tolist()))
    return [panel(f"{name} step {step}", at(step), rows=rows) for step in range(1, last + 1)]


def heat(grid: Grid, found: HeatMap, colors: Iterable[int], title: str) -> list[Text]:
    """The panel of a heat map: the best needle on each cell and its attack. ``+`` marks cells where not all ties were
    tried, ``!`` cells where something dropped comes to rest.

    A cell where no needle attacks shows 0 if it is marked with ``!``, otherwise its symbol on the board.
    """
    rows = [color - 1 for color in colors]
    high = found.high[rows].max(axis=0)
    where = found.high[rows].argmax(axis=0)
    partly = ~found.complete[rows].min(axis=0)

    def draw(x: int, y: int) -> tuple[str, str]:
        symbol = SYMBOLS[grid.codes[cell_of(x, y)]]
        value = int(high[ROWS - y, x - 1])
        rests = bool(found.resting[ROWS - y, x - 1])
        if value < 0 or (value == 0 and not rests):
            return symbol, "dim" if symbol == "." else style_of(symbol)
        mark = ("+" if partly[ROWS - y, x - 1] else "") + ("!" if rests else "")
        if value == 0:
            return f"0{mark}", "none"
        letter = SYMBOLS[rows[int(where[ROWS - y, x - 1])] + 1]
        return f"{letter.upper()}{value}{mark}", f"{'bold reverse ' if rests else ''}{COLORS[letter]}"

    return panel(title, draw, wide=6 if partly.any() else 5)
