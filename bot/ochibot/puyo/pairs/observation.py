"""The first pairs of a game as a person saw them, and the places of the pool that they reveal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ochibot.errors import ConfigError
from ochibot.puyo.pairs.generators import Generator, order_of
from ochibot.wording import counted

WILDCARDS: Final = "?*"
"""Either sign stands for a puyo that nobody saw."""

UNKNOWN: Final = "?"
"""The sign for a puyo that wasn't seen, and, in pairs foretold, for a colour that the observation lacks."""

MOST_PAIRS: Final = 1024
"""The most pairs in one observation. By then the pool has been dealt eight times."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The first pairs of a game. signs: two for each pair, the axis first, upper case; ``?``: a puyo that wasn't seen.

    Equal signs mean equal colours, different signs different colours. Which colour a sign stands for isn't known.
    """

    signs: str

    @property
    def pairs(self) -> int:
        """How many pairs it covers."""
        return len(self.signs) // 2

    @property
    def names(self) -> str:
        """The signs that stand for colours, each once, in the order in which they were seen."""
        return "".join(dict.fromkeys(self.signs.replace(UNKNOWN, "")))

    def seen(self, generator: Generator) -> list[tuple[int, int]]:
        """Each puyo that was seen, as (place in the pool, index of its name), in the order of dealing."""
        names = self.names
        places = (2 * pair + half for pair in islice(order_of(generator), self.pairs) for half in (0, 1))
        return [(place, names.index(sign)) for place, sign in zip(places, self.signs, strict=True) if sign != UNKNOWN]


def observed(pairs: Sequence[str], colors: int) -> Observation:
    """The observation that a person wrote down: pairs of two letters or of two digits, ``?`` or ``*`` for any colour.

    ``colors``: 3, 4 or 5. Raises ConfigError for other numbers, for no pair or more than MOST_PAIRS, for a text that
    isn't a pair, for letters mixed with digits, and for more names than colours.
    """
    if colors not in (3, 4, 5):
        raise ConfigError(f"no game has a pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
    if not pairs:
        raise ConfigError("no pair was seen: give the first ones, such as 'RR PR PY'")
    if len(pairs) > MOST_PAIRS:
        raise ConfigError(f"{len(pairs):,} pairs are more than can be searched for: give at most {MOST_PAIRS:,}")
    for pair in pairs:
        if len(pair) != 2 or not all(sign in WILDCARDS or (sign.isascii() and sign.isalnum()) for sign in pair):
            raise ConfigError(f"{pair[:20]!r} is not a pair: give two letters, the axis first, or ? for any colour")
    digits = [sign.isdigit() for pair in pairs for sign in pair if sign not in WILDCARDS]
    if any(digits) and not all(digits):
        raise ConfigError("letters and digits are mixed: name the colours by letters or by digits, such as 'RR PR'")
    observation = Observation("".join(pairs).upper().replace("*", UNKNOWN))
    seen = len(observation.names)
    if seen > colors:
        raise ConfigError(f"{seen} colours were seen, and the game has {colors}: give another --colors")
    return observation


def places_after(generator: Generator, pairs: int, more: int) -> list[int]:
    """The places in the pool of the pairs dealt after the first ``pairs``, two for each of the next ``more``."""
    return [2 * pair + half for pair in islice(order_of(generator), pairs, pairs + more) for half in (0, 1)]
