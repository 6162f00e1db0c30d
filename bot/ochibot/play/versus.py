"""A person against the AI in the game's 2-player mode. The console adds the person's buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field

from ochibot.console import Button, PlayedConsole
from ochibot.errors import ContradictionError, OchibotError
from ochibot.falling.player import tell_end, watches
from ochibot.games.protocols import AnySeat, Facing
from ochibot.play.agreement import Counts
from ochibot.play.seat import AnySeatPlayer, loser_of


@dataclass(frozen=True)
class Round:
    """One round. winner: 1 the person, 2 the AI."""

    winner: int
    frames: int
    pieces: int
    scores: tuple[int, int]


@dataclass
class VersusResult(Counts):
    """All rounds so far; the fields of ``ochibot versus --json``. Only the AI's locks are counted.

    cut_off: locks whose field hadn't settled when a round or the run ended; they don't count as pieces. given_up:
    misplaced pairs whose target the pilot gave up. contradictions, contradicted: see ``Counts``.
    """

    rounds: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    best_chain: int = 0
    frames: int = 0
    stopped_by: str = ""
    rounds_detail: list[dict[str, object]] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return self.ordered("wins")


class Versus:
    """Plays rounds until ``rounds`` are over or ``stop`` is called; the game itself begins the next one at START.

    The loop presses nothing for the person's seat: ``console``, a ``Screen`` or somebody's RetroArch, adds the buttons
    that the person holds (tests pass another console). ``on_round`` is called at each round's end, once its locks are
    counted.
    """

    def __init__(
        self,
        console: PlayedConsole,
        person: AnySeat,
        ai: AnySeatPlayer,
        *,
        on_round: Callable[[Round], None] | None = None,
        on_frame: Callable[[Versus], None] | None = None,
    ) -> None:
        self.console = console
        self.person = person
        self.ai = ai
        self.result = VersusResult()
        self._on_round = on_round
        self._on_frame = on_frame
        self._stop = ""
        self._shown = watches(ai.player) and isinstance(ai.seat, Facing)
        if isinstance(ai.seat, Facing) and self._shown:
            ai.seat.face(person)

    def stop(self, why: str) -> None:
        """Ends the run after the current frame; an unfinished round doesn't count."""
        self._stop = why

    def run(self, rounds: int | None = None, *, joins: bool = False) -> None:
        """Plays from the first spawn of a round, where the game must be. Raises ContradictionError when the game breaks
        the rules.

        ``joins``: the game is anywhere in play, and the AI begins with its next piece.
        """
        result = self.result
        try:
            result.stopped_by = self._loop(rounds, joins)
        except ContradictionError:
            result.stopped_by = "contradiction"
            raise
        except OchibotError:
            result.stopped_by = "error"
            raise
        finally:
            self.ai.abandon()
            self._count()

    def _loop(self, rounds: int | None, joins: bool) -> str:
        ai, result = self.ai, self.result
        lost = loser_of(self.person, ai.seat)
        if not joins and not lost() and (ai.seat.in_hand() or not ai.seat.ready()):
            ai.spawn()
        over, began = bool(lost()), 0
        pads = [Button.NONE, Button.NONE]
        while not self._stop:
            if rounds is not None and result.rounds >= rounds:
                return "rounds"
            self.console.step(*pads)
            result.frames += 1
            if self._shown:
                self.person.update()
            pads[ai.seat.number - 1] = ai.frame()
            loser = lost()
            if loser and not over:
                self._end_round(loser, result.frames - began)
            elif over and not loser:
                began = result.frames
            over = bool(loser)
            if self._on_frame is not None:
                self._on_frame(self)
        return self._stop

    def _end_round(self, loser: int, frames: int) -> None:
        ai, result = self.ai, self.result
        before = result.pieces
        if loser == ai.seat.number:
            ai.game_over()
        # the AI's pair may still be falling, if the AI has won
        ai.abandon()
        self._count()
        tell_end(ai.player, "lost" if loser == ai.seat.number else "won")
        played = Round(
            1 if loser == ai.seat.number else 2, frames, result.pieces - before, (self.person.score(), ai.seat.score())
        )
        result.rounds += 1
        result.wins[played.winner - 1] += 1
        result.rounds_detail.append(asdict(played))
        if self._on_round is not None:
            self._on_round(played)

    def _count(self) -> None:
        self.result.set_counts(self.ai.tally)
        self.result.best_chain = self.ai.tally.best_chain
