"""Puts values and moves into words for ``ochibot nyaa``, and into plain values for its JSON reports."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from ochibot.nyaa.calculator.heat import Needle, PairIgnition
from ochibot.nyaa.calculator.ignition import Ignition
from ochibot.nyaa.rules.grid import SYMBOLS
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
