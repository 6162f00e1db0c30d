"""Makes a decision of what a player has chosen, or says in words what is wrong with the choice.

It also decides between placements of equal value, and plays simulated matches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError, GameError, PlayerError
from ochibot.falling.clock import TwoSeats
from ochibot.falling.family import Family
from ochibot.falling.player import AnyPlayer, EngineError, chosen, name_of, tell_ends
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


def play_out(
    timed: TwoSeats[Any, Any],
    players: Sequence[AnyPlayer],
    family: Family,
    rules: Any,
    *,
    max_pieces: int,
    seen: Callable[[int], Any],
    lock: Callable[[int, Any, Any], None],
) -> tuple[int | None, str]:
    """Plays a simulated match to its end, or to a draw when both sides have locked ``max_pieces``.

    players: those of seats 1 and 2. seen: the snapshot of a seat. lock: locks a seat's piece, given its snapshot and
    its placement. Returns (the seat that has lost or None, why its engine has lost by its own fault, in words). Raises
    PlayerError when a player chooses no legal placement.
    """
    forfeit, fault = 0, ""
    while (seat := timed.waiting()) is not None:
        if min(side.pieces for side in timed.match.seats) >= max_pieces:
            break
        snapshot = seen(seat)
        try:
            decision = decision_of(players[seat - 1], family, snapshot, rules)
        except EngineError as error:
            forfeit, fault = seat, str(error)
            break
        if decision is None:
            raise GameError(f"there is no placement for seat {seat}:\n{snapshot}")
        lock(seat, snapshot, decision.placement)
    loser = forfeit or timed.loser
    tell_ends(players, loser)
    return loser, fault
