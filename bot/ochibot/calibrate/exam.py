"""The exam: plays the game from the files that were written, and compares every lock with what they predict."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ochibot.calibrate.known import Ground
from ochibot.calibrate.learnt import Learnt
from ochibot.calibrate.stance import OPPOSITE
from ochibot.errors import CalibrationError, GameError, OchibotError
from ochibot.play.endless import Endless
from ochibot.session import open_session
from ochibot.wording import counted

MOST_GAMES = 6
ENOUGH = 0.99
"""The share of pieces that must agree with the predictions; with fewer, the files are drafts."""

OFFSETS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
"""(column, row from the floor) of the partner, seen from the axis."""


@dataclass(frozen=True)
class Exam:
    """How an exam went. kind: ``play`` compares every cell and the score, ``landing`` only where pieces come to rest.

    broke: the first difference or error, in words; empty when there was none. from_menu: whether the game was started
    through its menu, rather than from a savestate.
    """

    kind: str
    pieces: int
    agreed: int
    broke: str = ""
    from_menu: bool = True

    @property
    def agreement(self) -> float:
        """The share of pieces that agreed; 0 where none were played."""
        return self.agreed / self.pieces if self.pieces else 0.0

    @property
    def passed(self) -> bool:
        """Whether the files can be used."""
        return self.kind == "play" and self.agreement >= ENOUGH


def examine(
    game: Path,
    rom: Path,
    pieces: int,
    *,
    system: Path | None = None,
    core: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exam:
    """Plays ``pieces`` pieces with the written files, in at most MOST_GAMES games.

    Raises GameError when a game breaks off before its first piece.
    """
    played = agreed = 0
    broke = ""
    for seed in range(1, MOST_GAMES + 1):
        before = played
        with open_session(game, rom=rom, system=system, core=core, seed=seed) as session:
            session.console.keep_video(False)

            def piece(run: Endless, before: int = before) -> None:
                if progress is not None:
                    progress(before + run.player.tally.pieces)

            run = session.endless(None, keep_going=True, on_piece=piece)
            try:
                session.wait()
                session.reach(run.player.seat)
                run.run(pieces=pieces - played)
            except GameError as error:
                if not run.player.tally.pieces:
                    raise
                broke = broke or str(error)
            tally = run.player.tally
            faults = tally.misplaced + tally.disagreements + (tally.pieces - tally.compared)
            if faults and not broke:
                broke = (
                    f"{counted(tally.misplaced, 'piece')} landed elsewhere, {tally.disagreements} led to something else"
                )
            played += tally.pieces
            agreed += tally.pieces - faults
        if played >= pieces or played == before:
            break
    return Exam("play", played, agreed, broke)


def examine_versus(game: Path, rom: Path, pieces: int, *, system: Path | None = None, core: str | None = None) -> Exam:
    """Plays a round of two bots with the written files. It ends at the latest when each has played ``pieces``."""
    with open_session(game, rom=rom, system=system, core=core, seed=1) as session:
        session.console.keep_video(False)
        result = session.battle(games=1, max_pieces=pieces)
    faults = result.misplaced + result.disagreements + (result.pieces - result.compared)
    broke = f"{counted(faults, 'piece')} did something else" if faults else result.stopped_by
    return Exam("play", result.pieces, result.pieces - faults, broke if faults else "")


def examine_landings(ground: Ground, learnt: Learnt, pieces: int = 60) -> Exam:
    """Plays pieces and predicts only where their halves come to rest, for games whose rules aren't known."""
    dice = random.Random(2)
    stance = learnt.stance
    words = list(stance.ways)
    played = agreed = 0
    broke = ""
    state = ground.state
    paint = ground.painted()
    while played < pieces:
        lab = ground.lab
        lab.load(state)
        if played % 4 == 0:
            lab.poke(paint)
            state = lab.save()
        before = ground.cells(lab.snap())
        taps = dice.randrange(4) if words else 0
        word = words[taps] if words else stance.start
        across, _ = OFFSETS[word if stance.denotes == "axis" else OPPOSITE[word]]
        column = dice.randrange(max(0, -across), ground.grid.columns - max(0, across))
        heights = [sum(c == number for c, _ in before) for number in range(ground.grid.columns)]
        if max(heights) > ground.visible - 4:
            state = ground.state
            continue
        try:
            fallen = ground.driver.fall(
                state, column=ground.columns[column], turns=(int(stance.turning.button),) * taps
            )
        except CalibrationError as error:
            broke = broke or str(error)
            break
        if across:
            wanted = {(column, heights[column]), (column + across, heights[column + across])}
        else:
            wanted = {(column, heights[column]), (column, heights[column] + 1)}
        after = ground.cells(fallen.ram)
        played += 1
        if set(after) == set(before) | wanted or len(after) < len(before) + 2:
            agreed += 1
        elif not broke:
            broke = f"a piece was to land on {sorted(wanted)}, and {sorted(set(after) - set(before))} were seen"
        state = fallen.state
    return Exam("landing", played, agreed, broke)


def why_not(error: OchibotError) -> str:
    """An error's message as one line."""
    return " ".join(str(error).split())
