"""Makes a decision of what a player has chosen, or says in words what is wrong with the choice.

It also decides between placements of equal value.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError, GameError, PlayerError
from ochibot.falling.family import Family
from ochibot.falling.player import AnyPlayer, chosen, name_of
from ochibot.quoting import brief, quoted
from ochibot.wording import counted


def tie_order(locks: int, seed: int | None) -> npt.NDArray[np.int64]:
    """The rank of every lock, (locks,); the lowest wins. Without a seed, that is the order of the locks; a seed
    shuffles it.

    So equal players with different seeds need not play alike, yet one player always decides equal snapshots alike.
    """
    ranks = list(range(locks))
    if seed is not None:
        random.Random(seed).shuffle(ranks)
    return np.array(ranks, np.int64)


def decided(family: Family, snapshot: Any, choice: Any, rules: Any) -> Any:
    """A choice as a decision; a bare placement, or a tuple that names one, gets its path and outcome.

    Raises GameError when the piece can't get there, or the choice is neither a decision nor a placement.
    """
    if hasattr(choice, "placement"):
        return choice
    try:
        named = getattr(family, "named", None)
        if isinstance(choice, tuple) and named is not None:
            if not 2 <= len(choice) <= 3:
                raise FieldError('a tuple names a column and where the partner lies, such as (3, "up")')
            choice = named(snapshot, choice, rules)
        return family.decide(snapshot, choice, rules)
    except (FieldError, AttributeError, TypeError, ValueError) as error:
        why = brief(str(error), 160) if isinstance(error, FieldError) else "that is no placement"
        raise GameError(f"{quoted(choice)} is no place for {snapshot.pair}: {why}") from None


def none_chosen(snapshot: Any, placements: Sequence[Any]) -> GameError:
    """The error for a choice of None where there are placements."""
    return GameError(f"{snapshot.pair} has {counted(len(placements), 'placement')}")


def wrong_choice(player: object, choice: Any, error: Exception) -> PlayerError:
    """The error for a player whose choice is none, in words that name its ``choose``."""
    return PlayerError(
        f"choose(snapshot) of the player {brief(name_of(player))} returned {quoted(choice)}, but {error}; "
        'it may return a legal placement, a tuple such as (3, "up"), or a decision that has a placement'
    )


def decision_of(player: AnyPlayer, family: Family, snapshot: Any, rules: Any) -> Any | None:
    """A player's decision; None if there is no placement. Raises PlayerError for a wrong choice."""
    choice = chosen(player, snapshot)
    if hasattr(choice, "placement"):
        return choice
    try:
        if choice is not None:
            return decided(family, snapshot, choice, rules)
        if placements := family.placements(snapshot, rules):
            raise none_chosen(snapshot, placements)
    except GameError as error:
        raise wrong_choice(player, choice, error) from None
    return None
