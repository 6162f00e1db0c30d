"""The interface of players: a player chooses a placement for a snapshot. Every family of games has its own types.

Facts about a moment that our own players do without. Engines get them (``ochibot.engines``).

A player's evaluation of a field, whatever the game: a sum of named terms, so that people can see the reasons.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from ochibot.errors import OchibotError, PlayerError
from ochibot.quoting import brief


class Judgement(Protocol):
    """A player's evaluation of a field: the sum of its terms."""

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """The terms as (name, weighted value); some players give only the most important ones."""

    @property
    def total(self) -> float:
        """The sum of all terms, including those that ``terms`` leaves out."""


Falls = Literal["after_lock", "after_idle_lock"]
"""When pending nuisance falls at the earliest: after the next lock, or after the next lock that clears nothing."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a seat besides its snapshot. Everything but ``seat`` is None where it isn't known.

    seat: 1 or 2. pending: nuisance that waits above the field. falls: when it falls. most: how much of it falls at once
    at most. points: what the last chain left over, too few points for another nuisance puyo. all_clear: whether the
    next chain gets a bonus because the field was emptied. frames: tells for a placement how many frames these hands
    need, from the first one under control to the lock (None: they don't get there).
    """

    seat: int
    pending: int | None = None
    falls: Falls | None = None
    most: int | None = None
    points: int | None = None
    all_clear: bool | None = None
    frames: Callable[[Any], int | None] | None = None

    def timed(self, frames: Callable[[Any], int | None]) -> Facts:
        """The same facts with ``frames``."""
        return Facts(self.seat, self.pending, self.falls, self.most, self.points, self.all_clear, frames)


class EngineError(PlayerError):
    """An engine (``ochibot.engines``) has ended, broken the protocol or taken too long: it loses its game.

    It isn't in ``ochibot.errors``, because all kernels are compiled anew when that file changes.
    """


S_contra = TypeVar("S_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)
P_co = TypeVar("P_co", covariant=True)


class Snapshot(Protocol):
    """What every family's snapshot holds: the settled field, the falling piece, the next one, and where the piece
    is.
    """

    @property
    def field(self) -> Any:
        """The settled field; ``str`` draws it, ``count()`` counts what lies on it."""

    @property
    def pair(self) -> Any:
        """The falling piece."""

    @property
    def next_pair(self) -> Any:
        """The piece that comes next."""

    @property
    def state(self) -> Any:
        """Where the falling piece is."""


@runtime_checkable
class Decision(Protocol[P_co]):
    """A placement together with the player's value for it."""

    @property
    def placement(self) -> P_co:
        """Where the falling piece goes."""


class Player(Protocol[S_contra, D_co]):
    """Chooses a placement for the piece that has just spawned.

    ``choose`` returns a decision (something with a ``placement``) or the bare placement; None when the player finds no
    placement. These are optional:

    - ``name``: shown in reports.
    - ``prepare()``: loads or compiles what the player needs before a run's clock starts.
    - ``judge(snapshot, decision)``: evaluates the field that a decision leads to (``ochibot.falling.player``).
    - ``foresees``: how many pieces that the game hasn't shown yet the player wants to know (0: none). It finds them in
      ``snapshot.foreseen``, in games whose memory holds them.
    - ``ended(result)``: called when a game has ended, with "won", "lost", "drawn", or "over" (a game of one player).
    - ``watches``: True for a player that is shown the other side of a match too (``snapshot.rival``).
    - ``leave()``: ends what the player has started in this process, such as a process of its own.
    - ``ponder(snapshot, decision)``: called when the hands begin to carry out a decision in a running game. It has to
      return at once; the player may think about the next snapshot elsewhere meanwhile.
    """

    def choose(self, snapshot: S_contra) -> D_co | None:
        """The decision for a snapshot."""


AnyPlayer = Player[Any, Any]
"""A player of any family."""


def name_of(player: object) -> str:
    """What reports call a player: its ``name``, or else the name of its class."""
    name = getattr(player, "name", None)
    return name if isinstance(name, str) and name else type(player).__name__


def foresees(player: object) -> int:
    """How many pieces beyond those on the screen the player wants to know; 0 for players that aren't clairvoyant."""
    wanted = getattr(player, "foresees", 0)
    return wanted if isinstance(wanted, int) else 0


def watches(player: object) -> bool:
    """Whether a player wants to be shown the other side of a match."""
    return getattr(player, "watches", False) is True


def chosen(player: AnyPlayer, snapshot: Any) -> Any | None:
    """What the player chooses. Raises PlayerError for any error inside the player's own code."""
    try:
        return player.choose(snapshot)
    except OchibotError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise PlayerError(
            f"the player {brief(name_of(player))} has failed: {brief(reason, 160)} (OCHIBOT_DEBUG=1 shows where)"
        ) from error


def tell_end(player: object, result: str) -> None:
    """Tells a player that has ``ended`` how a game has ended. An engine that fails then has no game to lose."""
    ended = getattr(player, "ended", None)
    if callable(ended):
        with contextlib.suppress(EngineError):
            ended(result)


def let_ponder(player: object, snapshot: Any, decision: Any) -> None:
    """Lets a player that has ``ponder`` think on while its decision is carried out."""
    ponder = getattr(player, "ponder", None)
    if callable(ponder):
        ponder(snapshot, decision)


class FromFile:
    """A player that was made from a player file. config: what the file says."""

    config: Any

    @property
    def name(self) -> str:
        """The name in the player file."""
        return str(self.config.name)


def tell_ends(players: Sequence[object], loser: int | None) -> None:
    """Tells the players of seats 1 and 2 how their game has ended. ``loser``: the seat; 0 or None for a draw."""
    for seat, player in enumerate(players, 1):
        tell_end(player, "drawn" if not loser else "lost" if loser == seat else "won")


def leave(player: object) -> None:
    """Ends what a player has started in this process. Call it in a process that ends without its exit handlers."""
    left = getattr(player, "leave", None)
    if callable(left):
        left()


def prepare(player: object) -> None:
    """Lets a player load or compile what it needs. Players without ``prepare`` need nothing."""
    ready = getattr(player, "prepare", None)
    if callable(ready):
        ready()
