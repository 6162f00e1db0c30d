"""How sure a fact is: what supported it, what contradicted it, and which other candidates there were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.wording import counted

ENOUGH: Final = 12
"""A fact is known after so many observations, if hardly any contradicted it."""

SOME: Final = 4
RARE: Final = 16
"""At most one of so many observations may contradict a fact that counts as known."""


@dataclass(frozen=True)
class Evidence:
    """supported, contradicted: how many observations were as the fact says, and not. others: how many other candidates
    were supported as well. doubt: what no observation could contradict; while there is something, a fact isn't known.
    """

    supported: int
    contradicted: int = 0
    others: int = 0
    doubt: str = ""

    @property
    def grade(self) -> str:
        """``known``, ``likely`` or ``unknown``."""
        if self.supported < SOME or 2 * self.contradicted > self.supported:
            return "unknown"
        sure = not self.doubt and self.supported >= ENOUGH and RARE * self.contradicted <= self.supported
        return "known" if sure else "likely"

    def __str__(self) -> str:
        words = [f"{self.grade}: seen {counted(self.supported, 'time')}"]
        if self.contradicted:
            words.append(f"{counted(self.contradicted, 'observation')} against it")
        if self.others:
            words.append(f"{counted(self.others, 'other candidate')}")
        if self.doubt:
            words.append(f"but {self.doubt}")
        return ", ".join(words)
