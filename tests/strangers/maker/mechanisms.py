"""All mechanisms: what makes a game strange. Each has a name, words, and a way to put it into a spec."""

from __future__ import annotations

from tests.strangers.maker.formula import FORMULAS
from tests.strangers.maker.mechanism import Mechanism
from tests.strangers.maker.mechanisms_field import FIELD
from tests.strangers.maker.mechanisms_pad import PAD
from tests.strangers.maker.mechanisms_piece import PIECE
from tests.strangers.maker.mechanisms_rest import REST

MECHANISMS = (*PAD, *FIELD, *PIECE, *REST, *FORMULAS)

NAMES = tuple(one.name for one in MECHANISMS)


def mechanism(name: str) -> Mechanism:
    """The mechanism of this name. Raises KeyError, with all names."""
    for one in MECHANISMS:
        if one.name == name:
            return one
    raise KeyError(f"there is no mechanism {name}; known are {', '.join(NAMES)}")
