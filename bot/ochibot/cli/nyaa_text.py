"""Puts values and moves into words for ``ochibot nyaa``, and into plain values for its JSON reports.

Draws boards of Pochi & Nyaa in the terminal. The drawing can be read without its colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from rich.text import Text

from ochibot.nyaa.calculator.heat import HeatMap, Needle, PairIgnition
from ochibot.nyaa.calculator.ignition import Ignition, WaveOutcome
from ochibot.nyaa.rules.grid import COLUMNS, ROWS, SYMBOLS, Grid, cell_of
from ochibot.nyaa.rules.profile import Ruleset
from ochibot.wording import counted

MOST_OUTCOMES: Final = 8
"""At most this many outcomes are listed one by one; the others are only counted."""


def numbers(ruleset: Ruleset, ignition: Ignition) -> Text:
    """An ignition in words: its attack in one ruleset, how certain that is, and the tails of each outcome."""
    more = "" if ignition.complete else ", perhaps more: there are too many ties to try them all"
    text = Text(f"{ruleset.upper()}  attack {attack_range(ignition.low, ignition.high)}{more}", style="bold")
    if not ignition.starts:
        return text.append("   no needle is beside a block of its colour", style="none")
    text.append(f"   {_certainty(ignition)}\n", style="none")
    for number, one in enumerate(ignition.outcomes[:MOST_OUTCOMES]):
        tails = " ".join(str(tail.value) for tail in one.tails)
        line = f"     {f'{one.attack}: ' if not ignition.exact else ''}tails {tails}"
        if ruleset == "mvs":
            line += f"   S0 {one.s0}  S1 {one.s1}  T {one.t}  bonus {one.bonus}"
        last = number + 1 == len(ignition.outcomes)
        text.append(line + ("" if last else "\n"), style="none")
    if len(ignition.outcomes) > MOST_OUTCOMES:
        text.append(f"     … and {counted(len(ignition.outcomes) - MOST_OUTCOMES, 'more outcome')}", style="none")
    return text


def _certainty(ignition: Ignition) -> str:
    """How certain the attack and the paths are. A tie may leave the paths open, but not the attack."""
    if ignition.paths_exact:
        return "exact"
    outcomes = counted(len(ignition.outcomes), "outcome")
    if not ignition.attack_exact:
        return f"open tie (?): {outcomes}, {ignition.outcomes[0].attack} is drawn"
    several = f": {outcomes} of this attack, the first is drawn" if len(ignition.outcomes) > 1 else ""
    return f"the attack is certain, the paths are open (?){several}"


def attack_range(low: int, high: int) -> str:
    """An attack in words, or a range of attacks: ``5``, ``5 to 8``."""
    return str(low) if low == high else f"{low} to {high}"


def letter(color: int, *, needle: bool) -> str:
    """The letter of a block or needle."""
    return SYMBOLS[color].upper() if needle else SYMBOLS[color]


def spot(x: int, y: int, color: int, *, needle: bool = False) -> str:
    """A block or needle and its place, in words."""
    return f"{letter(color, needle=needle)} at x={x} y={y}"


def half(x: int, y: int, color: int) -> dict[str, Any]:
    """A block and its place, as plain values."""
    return {"x": x, "y": y, "color": letter(color, needle=False)}


def needle(best: Needle | None) -> str:
    """The best needle and its attack, in words."""
    if best is None:
        return "nothing attacks"
    return f"{spot(best.x, best.y, best.color, needle=True)}: {attack(best)}"


def attack(best: Needle | PairIgnition) -> str:
    """An attack in words, with a note if it may be higher."""
    return f"attack {attack_range(best.low, best.high)}{'' if best.complete else ', perhaps more'}"


def needle_dict(best: Needle) -> dict[str, Any]:
    """A needle and its attack, as plain values."""
    return half(best.x, best.y, best.color) | attack_dict(best)


def pair_dict(pair: tuple[int, int], both: PairIgnition) -> dict[str, Any]:
    """The ignition by both halves of a pair: its colours, the halves and the attack, as plain values."""
    colors = "".join(letter(color, needle=True) for color in pair)
    return {"colors": colors, "halves": [half(*one) for one in both.halves], **attack_dict(both)}


def attack_dict(best: Needle | PairIgnition) -> dict[str, Any]:
    """An attack, as plain values."""
    certain = best.complete and best.low == best.high
    return {"attack": [best.low, best.high], "complete": best.complete, "attack_exact": certain}


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
