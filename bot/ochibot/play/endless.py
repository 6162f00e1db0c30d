"""Plays Endless Mode, one player at one seat, until a limit is reached, the game is over or somebody stops it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from ochibot.console import Button, PlayedConsole
from ochibot.errors import ContradictionError, OchibotError, StalledError
from ochibot.falling.player import tell_end
from ochibot.play.agreement import COUNTED, Counts
from ochibot.play.seat import AnySeatPlayer

STALL_FRAMES = 3600
"""Frames without a new pair after which the game counts as stopped (a minute; the longest chain takes less)."""


@dataclass(kw_only=True)
class Result(Counts):
    """The result of a run; the fields of ``ochibot play --json``. ``agreement`` is over all pieces, 0 to 1; None
    without pieces.

    cut_off: 1 if a pair had locked when the run was stopped and its field hadn't settled; it doesn't count as a piece.
    best_chain: the longest chain; in Pochi & Nyaa the best attack. given_up: misplaced pairs whose target the pilot
    gave up, because it couldn't be reached any more, or not in a sensible number of presses. logic_overruns,
    sprite_overflows: the cartridge's own counters of frames that took too long or had too many sprites in a line; None
    when the map has no such entries. contradictions, contradicted: see ``Counts``.
    """

    frames: int
    seconds: float
    frames_per_second: float
    score: int
    level: int
    best_chain: int
    game_over: bool
    game_overs: int
    stopped_by: str
    ram_sha256: str
    core: str
    rom_sha1: str
    seed: int | None
    speed: int
    logic_overruns: int | None
    sprite_overflows: int | None

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        own = asdict(self)
        last = {name: own.pop(name) for name in ("cut_off", "given_up", "contradicted")}
        counts = {name: own.pop(name) for name in COUNTED if name not in last}
        return {**counts, "agreement": self.agreement, **own, **last}


class Endless:
    """Runs the frame loop of one seat. ``run`` may be called once; ``result`` may be called at any time.

    ``on_frame`` is called after each frame (recorders, windows), ``on_piece`` at each spawn. ``restart`` is called at a
    game over and must bring the game to a first spawn again; without it a game over ends the run.
    """

    def __init__(
        self,
        console: PlayedConsole,
        seat_player: AnySeatPlayer,
        *,
        seed: int | None,
        speed: int,
        on_piece: Callable[[Endless], None] | None = None,
        on_frame: Callable[[Button], None] | None = None,
        restart: Callable[[], None] | None = None,
    ) -> None:
        self.console = console
        self.player = seat_player
        self.seed = seed
        self.speed = speed
        self.frames = 0
        self.stopped_by = ""
        self._stop = ""
        self.game_over = False
        self.game_overs = 0
        self._restart = restart
        self._on_piece = on_piece
        self._on_frame = on_frame
        self._began = time.perf_counter()
        self._ended: float | None = None

    def run(self, *, pieces: int | None = None, frames: int | None = None) -> None:
        """Plays until ``pieces`` have locked, ``frames`` have passed, or the game is over.

        The game must be at a spawn (as ``reach`` leaves it). Raises ContradictionError when the game contradicts the
        rules, StalledError when it stops dealing pairs without being over. ``stop`` ends the run as a limit does.
        """
        self._began = time.perf_counter()
        try:
            self.stopped_by = self._loop(pieces, frames)
        except ContradictionError:
            self.stopped_by = "contradiction"
            raise
        except StalledError:
            self.stopped_by = "stall"
            raise
        except OchibotError:
            self.stopped_by = "error"
            raise
        finally:
            self._ended = time.perf_counter()
            self.player.abandon(locked=self.stopped_by == "stall")

    def stop(self, why: str) -> None:
        """Ends the run after the current frame. May be called from a signal handler or another thread."""
        self._stop = why

    def _loop(self, pieces: int | None, frames: int | None) -> str:
        console, player, tally = self.console, self.player, self.player.tally
        seat = player.seat
        if seat.spawned:
            player.spawn()
            self._report_piece()
        port = seat.number - 1
        idle = (Button.NONE,) * port
        since_spawn = 0
        pad = Button.NONE
        while True:
            if self._stop:
                return self._stop
            if frames is not None and self.frames >= frames:
                return "frames"
            if port:
                console.step(*idle, pad)
            else:
                console.step(pad)
            self.frames += 1
            since_spawn += 1
            pad = player.frame()
            if self._on_frame is not None:
                self._on_frame(pad)
            if seat.spawned:
                since_spawn = 0
                self._report_piece()
                if pieces is not None and tally.pieces >= pieces:
                    return "pieces"
            elif since_spawn & 7 == 0 and player.game_over():
                self.game_overs += 1
                tell_end(player.player, "over")
                if self._restart is None or (pieces is not None and tally.pieces >= pieces):
                    self.game_over = True
                    return "game over"
                self._restart()
                player.spawn()
                since_spawn, pad = 0, Button.NONE
            elif since_spawn > STALL_FRAMES:
                raise StalledError(
                    f"no new pair has come for {STALL_FRAMES} frames: the game is paused, over, or the map's spawn "
                    "flag doesn't fit this ROM"
                )

    def _report_piece(self) -> None:
        if self._on_piece is not None:
            self._on_piece(self)

    def result(self) -> Result:
        """The result so far."""
        tally, console = self.player.tally, self.console
        seconds = (self._ended or time.perf_counter()) - self._began
        return Result(
            **tally.counts(),
            frames=self.frames,
            seconds=round(seconds, 3),
            frames_per_second=round(self.frames / seconds, 1) if seconds else 0.0,
            score=self.player.seat.score(),
            level=self.player.seat.level(),
            best_chain=tally.best_chain,
            game_over=self.game_over,
            game_overs=self.game_overs,
            stopped_by=self.stopped_by,
            ram_sha256=hashlib.sha256(console.ram.snapshot()).hexdigest(),
            core=f"{console.core_name} {console.core_version}",
            rom_sha1=console.rom.sha1,
            seed=self.seed,
            speed=self.speed,
            logic_overruns=self.player.seat.counter("overruns"),
            sprite_overflows=self.player.seat.counter("sprite_overflows"),
        )
