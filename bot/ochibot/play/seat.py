"""One player at one seat: watches for spawns, decides, steers, and checks every lock against its forecast."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, Protocol, cast, runtime_checkable

from ochibot.console import Button
from ochibot.errors import ContradictionError, FieldError, GameError, UsageError
from ochibot.falling.deciding import none_chosen, wrong_choice
from ochibot.falling.player import AnyPlayer, chosen, foresees, let_ponder
from ochibot.games.protocols import A, AnySeat, Forecast, Foretelling, P, Paced, S, Seat, T, Z
from ochibot.keeping import Keeps
from ochibot.play.agreement import Tally
from ochibot.play.pilot import Pilot
from ochibot.play.reach import Hands, Sinking, are_fastest
from ochibot.play.speed import Speed


def loser_of(first: AnySeat, second: AnySeat) -> Callable[[], int]:
    """A function that returns the seat (1 or 2) that has lost the round; 0 while it goes on.

    Where RAM doesn't name the loser (the map has no ``loser``), it is the seat whose own game is over first.
    """
    if getattr(first, "knows_loser", True):
        return first.loser

    def over() -> int:
        return next((seat.number for seat in (first, second) if seat.over()), 0)

    return over


@runtime_checkable
class Thinker(Protocol):
    """A player that decides in its own time, so that no frame waits for it (``ochibot.play.background``)."""

    def ask(self, snapshot: Any) -> None:
        """Begins to think about a snapshot. The answer about an earlier snapshot is dropped."""

    def done(self) -> bool:
        """Whether the decision is ready."""

    def decision(self) -> Any | None:
        """The decision; call it once ``done``. Raises any error that the player's ``choose`` raised."""


class Watcher(Protocol):
    """Receives the events of a player at a seat; recorders implement it. Seats are 1 and 2. Pieces are counted from 0
    in each game.
    """

    def decided(self, seat: int, piece: int, snapshot: Any, decision: Any, chain: int) -> None:
        """Called when the player has decided about a piece. ``chain``: the forecast length of its chain."""

    def settled(self, seat: int, piece: int, seen: Any, level: int, difference: str | None) -> None:
        """Called when a piece has locked and its field has settled (``seen``, from ``Seat.settled``).

        ``difference``: how the field differs from the forecast, in words, or None.
        """


class _AtOnce:
    """Makes a Thinker of a plain player. It answers in the frame in which it is asked, so that a run is the same on
    every machine.
    """

    def __init__(self, player: AnyPlayer) -> None:
        self._player = player
        self._decision: Any | None = None

    def ask(self, snapshot: Any) -> None:
        self._decision = chosen(self._player, snapshot)

    def done(self) -> bool:
        return True

    def decision(self) -> Any | None:
        return self._decision


class SeatPlayer(Keeps, Generic[S, P, T, A, Z]):
    """Plays one seat. Call ``frame`` after every frame of the console; it returns the pad for the next one.

    What contradicts the rules or the map raises ContradictionError (with ``keep_going`` it is only counted): a field or
    score other than predicted, a pair that isn't the NEXT shown before, a pair that appears in the wrong place, a pair
    without a placement, or too many pairs in a row that land elsewhere than they were steered.
    """

    _changing = (
        *("pilot", "tally", "snapshot", "decision", "control_frames", "last_disagreement"),
        *("_thinking", "_prediction", "_landed", "_promised", "_open", "_sinking"),
    )

    def __init__(
        self,
        seat: Seat[S, P, T, A, Z],
        player: AnyPlayer,
        speed: Speed,
        *,
        keep_going: bool = False,
        watcher: Watcher | None = None,
    ) -> None:
        self.seat = seat
        self.watcher = watcher
        self.player = player
        self._thinker: Thinker = player if isinstance(player, Thinker) else _AtOnce(player)
        self._thinking = False
        self.pilot: Pilot[T, A] = Pilot(speed.on_pad(getattr(seat, "tap", (1, 1))))
        self._sinking = Sinking()
        self.tally = Tally()
        self.keep_going = keep_going
        self._paced = seat if isinstance(seat, Paced) else None
        self._foresees = foresees(player)
        if self._foresees and not hasattr(seat, "foresee"):
            raise UsageError("nothing in this game's memory tells what comes: play without --clairvoyant")
        self.snapshot: S | None = None
        self.decision: Any | None = None
        self.control_frames = 0
        self.last_disagreement: str | None = None
        self._prediction: Forecast[T, Z] | None = None
        self._landed: T | None = None
        self._promised: Any | None = None
        # whether there is a piece, falling or locked, whose lock hasn't been counted yet
        self._open = False

    def frame(self) -> Button:
        """Looks at RAM once. Returns the pad for the next frame. Raises ContradictionError, if not ``keep_going``."""
        seat = self.seat
        if seat.update():
            self.spawn()
            return Button.NONE
        if self._thinking:
            self.decide()
        if not self._open:
            return Button.NONE
        if not seat.ready():
            return Button.NONE
        state = seat.pair_state()
        if seat.falling():
            self._landed = state
            self.control_frames += 1
        action = self.pilot.press(state)
        if self._watches_sinking() and state is not None and self.pilot.course is not None:
            self._sinking.see(self.pilot.course, state, action)
        return Button.NONE if action is None else seat.button(action)

    def spawn(self, *, falling: bool = False) -> None:
        """Handles a spawn: compares the last pair's lock with its forecast, then begins to decide about the new pair.

        ``falling``: the pair has been falling for a while already, so it may be anywhere.
        """
        self._settle()
        self._sinking.fresh()
        self.snapshot = snapshot = self._look(falling)
        following = snapshot.next_pair
        promised, self._promised = self._promised, None if getattr(following, "is_unknown", False) else following
        self.decision = None
        self._prediction = None
        self._landed = None
        self.seat.fresh()
        self._open = True
        self._thinking = True
        self.pilot.stop()
        if promised is not None and snapshot.pair != promised:
            self._contradiction("NEXT", f"the pair {snapshot.pair} has come after NEXT had shown {promised}")
        if not falling and not self.seat.starts_at(snapshot.state):
            self._contradiction("spawn", f"a pair was announced at {snapshot.state}, where no pairs appear")
        self._thinker.ask(snapshot)
        self.decide()

    def _look(self, falling: bool) -> S:
        snapshot = self.seat.snapshot()
        if self._foresees:
            snapshot = cast(Foretelling, self.seat).foresee(snapshot, self._foresees)
        speed = self.pilot.speed
        # the model of ``Hands`` begins at the spawn: it doesn't hold for a piece that has been falling for a while
        pace = self._paced.pace() if self._paced is not None and not falling else None
        watched = pace is None and self._watches_sinking() and not falling
        if watched:
            pace = self._sinking.pace
        if pace is None:
            return snapshot
        hands, facts = Hands(self.seat, snapshot, pace, speed), getattr(snapshot, "facts", None)
        known: dict[str, Any] = {} if facts is None else {"facts": facts.timed(hands.frames)}
        if (watched or not are_fastest(speed)) and hasattr(snapshot, "hands"):
            known["hands"] = hands
        aimed: S = replace(cast(Any, snapshot), **known)
        return aimed

    def _watches_sinking(self) -> bool:
        """Whether pieces may fall too fast for the hands, although the game's files don't say so: a pad that needs long
        pauses is slow, and so are all once a target had to be given up.
        """
        return self._paced is not None and (self.pilot.speed.release > 1 or self.tally.given_up > 0)

    def decide(self) -> None:
        """Once the decision is ready, makes the forecast from the snapshot at the spawn, and then starts the pilot."""
        snapshot = self.snapshot
        if snapshot is None or not self._thinker.done():
            return
        self._thinking = False
        choice = self._thinker.decision()
        if choice is None and (self.keep_going or not self.seat.placements(snapshot)):
            self.decision = None
            self._contradiction("placements", f"there is no placement for the pair {snapshot.pair}:\n{snapshot}")
            return
        try:
            if choice is None:
                raise none_chosen(snapshot, self.seat.placements(snapshot))
            self.decision = decision = self.seat.decided(snapshot, choice)
            self._prediction = forecast = self.seat.forecast(snapshot, decision.placement)
        except (GameError, FieldError) as error:
            raise wrong_choice(self.player, choice, error) from None
        if self.watcher is not None:
            self.watcher.decided(self.seat.number, self._piece, snapshot, decision, forecast.chain)
        self.pilot.start(self.seat.course(snapshot, decision.placement))
        let_ponder(self.player, snapshot, decision)

    @property
    def _piece(self) -> int:
        """The number of the present piece, from 0. Pieces that were cut off before it are counted, too."""
        return self.tally.pieces + self.tally.cut_off

    @property
    def forecast_chain(self) -> int:
        """The length of the chain that is forecast for the present pair; 0 while nothing is decided."""
        return 0 if self._prediction is None else self._prediction.chain

    @property
    def plan(self) -> Any | None:
        """The decision for the pair that is falling; None while there is none."""
        return self.decision if self.pair_is_out else None

    def rejoin(self) -> None:
        """Forgets all plans. Call it after RAM has jumped (a savestate was loaded, or a new game has begun).

        Call ``abandon`` before the jump, so that a pair that had locked is reported. A pair that is falling now gets a
        new decision.
        """
        self.seat.resync()
        self._forget()
        if self.seat.in_hand():
            self.spawn(falling=True)

    @property
    def pair_is_out(self) -> bool:
        """Whether a pair has been announced and hasn't locked yet."""
        return self._open and not self.seat.has_locked()

    def look_again(self) -> None:
        """Takes the snapshot of the pair that is out anew, because a program has moved the pair since it spawned."""
        self.snapshot = self._look(falling=True)

    def game_over(self) -> bool:
        """Whether this seat's game is over. If it is, the first call also compares the last lock."""
        if not self.seat.over():
            return False
        self._settle()
        self._forget()
        return True

    def abandon(self, *, locked: bool = False) -> None:
        """Ends the counting after a run or round: a locked pair whose field hasn't settled yet counts as cut off.

        ``locked``: the game hangs, so the pair must have locked by now, even if the map doesn't show it. It counts as
        uncompared, because its lock may have caused the hang.
        """
        if self._open and locked:
            self.tally.uncompared()
        elif self._open and self.seat.has_locked():
            self.tally.cut_off += 1
        self._forget()

    def doubt(self) -> None:
        """The console has missed frames that it shouldn't miss: the present piece won't count as agreeing."""
        self.tally.struck |= self._open

    def leave(self) -> None:
        """Drops the present pair after the end of a round: it is neither steered nor counted any more."""
        self._forget()

    def _forget(self) -> None:
        self._open = False
        self._thinking = False
        self._prediction = None
        self._promised = None
        self.tally.struck = False
        self.decision = None
        self.pilot.stop()

    def _settle(self) -> None:
        """Counts the lock of the last piece: as compared, or as uncompared if there was no forecast."""
        if not self._open:
            return
        self._open = False
        self._thinking = False
        if self._prediction is None:
            self.tally.uncompared()
            return
        piece, seen = self._piece, self.seat.settled()
        pilot = self.pilot
        difference = self.tally.compare(self._prediction, seen, self._landed, pilot.unanswered, pilot.given_up)
        if self.watcher is not None:
            self.watcher.settled(self.seat.number, piece, seen, self.seat.level(), difference)
        if difference is not None:
            self.last_disagreement = difference
            if not self.keep_going:
                raise ContradictionError(
                    f"what the game did differs from the rules at piece {self.tally.pieces} (use --keep-going to go "
                    f"on; `ochibot ram check` lists what is wrong with a map):\n{difference}"
                )

    def _contradiction(self, name: str, what: str) -> None:
        self.tally.contradict(name)
        self.last_disagreement = what
        if not self.keep_going:
            raise ContradictionError(
                f"{what} (use --keep-going to go on; `ochibot ram check` lists what is wrong with a map)"
            )


AnySeatPlayer = SeatPlayer[Any, Any, Any, Any, Any]
"""A player at a seat of any title."""
