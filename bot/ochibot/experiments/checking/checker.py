"""Checks a map and rules on a running game: learns the game, and compares entry by entry.

The order: through the menus to the first piece (by the map's mode and spawn sign, or else by the search that explores
any game), the experiments of ``learn``, the comparison, and finally a game played with all proposals applied. Nothing
stops at the first contradiction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Final

from ochibot.console import HostedConsole
from ochibot.errors import (
    CalibrationError,
    ConfigError,
    ContradictionError,
    GameError,
    MapError,
    OchibotError,
    StalledError,
    UsageError,
)
from ochibot.experiments.checking.compare import Comparison
from ochibot.experiments.checking.pieces import PieceEntries
from ochibot.experiments.documented import hints_of
from ochibot.experiments.draft import draft
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig
from ochibot.games.filed.families import Piece, find_kind, is_family
from ochibot.games.protocols import AnySeat
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.players import open_player
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.proposals import patched_map, patched_rules
from ochibot.wording import counted

FAMILIES: Final = ("puyo", "nyaa")
"""The families whose maps are checked entry by entry. Of others, a family's ``Kind.piece`` says what can be checked."""

EXAM: Final = 50
"""How many pieces are played in the game that ends the check."""

CONTROL: Final = 240
"""The most frames from a spawn until the piece answers the pad."""


class _Stoppable(Rig):
    """A rig that can be stopped from outside at every frame."""

    def __init__(self, console: HostedConsole, port: int, stopped: Callable[[], None]) -> None:
        super().__init__(console, port)
        self._stopped = stopped

    def step(self, pad: int = 0) -> None:
        self._stopped()
        super().step(pad)


def piece_of(title: Any) -> Piece:
    """The entries of the piece in a title's family from outside. Raises UsageError for a family without them."""
    family = title.family.name
    piece = find_kind(family).piece if is_family(family) and hasattr(title, "table") else None
    if piece is None:
        raise UsageError(
            f"the experiments are for games of the families {' and '.join(FAMILIES)}, and of families from outside "
            f"that name their piece's entries; {title.name} is of the family {family}: play it with the map, "
            f"`ochibot play {title.name} --map FILE --pieces 30`, which stops at the first contradiction and names its "
            "bytes, and look at them with `ochibot ram watch --map FILE`"
        )
    return piece


@dataclass
class Checked:
    """What a check found: the report, and the map and rules with all proposals applied (unchanged if none)."""

    report: Report
    ram_map: RamMap
    rules: Any


def with_buttons(title: Any, findings: Sequence[Finding]) -> Any:
    """The title with the buttons that the findings propose."""
    actions = {action.name.lower(): action for action in title.table.buttons}
    buttons = {actions[name]: button for finding in findings for name, button in finding.buttons.items()}
    if not buttons:
        return title
    other = copy(title)
    other.table = replace(title.table, buttons={**title.table.buttons, **buttons})
    return other


class Checker:
    """Checks one map on one running console. ``title`` must be made from a game table.

    ``tell`` shows what is being done; ``stopped`` is called at every frame and may raise to end the check. Raises
    UsageError for a family without experiments.
    """

    def __init__(
        self,
        title: Any,
        ram_map: RamMap,
        console: HostedConsole,
        rules: Any,
        *,
        options: Mapping[str, int] | None = None,
        tell: Callable[[str], None] = lambda _: None,
        stopped: Callable[[], None] = lambda: None,
    ) -> None:
        self.piece = None
        if title.family.name not in FAMILIES:
            self.piece = piece_of(title)
        self.title = title
        self.table = title.table
        self.map = ram_map
        self.console = console
        self.rules = rules
        self.options = dict(options or {})
        self.report = Report()
        self.tell = tell
        self._stopped = stopped
        self.rig: Rig = _Stoppable(console, ram_map.seat - 1, stopped)
        self._blind = False

    def run(self, *, pieces: int = EXAM, state: bytes | None = None) -> Checked:
        """Runs the whole check. ``state``: a savestate of play (None: goes through the menus).

        Raises GameError when play isn't reached, or nothing falls there in pairs.
        """
        self.rig.step()
        power_on = self.rig.save()
        if self.piece is not None:
            return self._check_piece(self.piece, state, pieces)
        learnt, spawned = self._learnt(state, power_on)
        self.tell("comparing")
        Comparison(self.title, self.map, self.rules, self.rig, learnt, self.report, blind=self._blind).run()
        self.report.unchecked = self._unchecked()
        return self._exam(spawned, pieces)

    def _check_piece(self, piece: Piece, state: bytes | None, pieces: int) -> Checked:
        """Checks what can be found out about a game of any family. Raises GameError when play isn't reached."""
        spawned, control = self._reach(state)
        book = Notebook(None, "check", lambda what, _: self.tell(what))
        try:
            route, bases = begin(self.rig, book, control, hints_of(self.map, self.rig))
            self.tell("playing")
            made, _ = draft(self.rig, route, bases.first(), "the rules aren't looked at")
            self.tell("comparing")
            PieceEntries(self.map, piece, self.rig, made, self.report).compare()
        except CalibrationError as error:
            raise GameError(f"{error}: the map can't be checked; play it with `ochibot play GAME --map FILE`") from None
        self.report.unchecked = self._unchecked()
        return self._exam(spawned, pieces)

    # learning

    def _learnt(self, state: bytes | None, power_on: bytes) -> tuple[Learnt, bytes]:
        """Learns the game from its first piece. Returns what was learnt, and a savestate in which play begins.

        If the map's mode or its sign of a spawn doesn't hold, the menus are searched.
        """
        failed: OchibotError
        try:
            spawned, control = self._reach(state)
            learnt = self._experiments(control)
            self.report.holds += [name for name in ("mode",) if name in self.map.entries and state is None]
            return learnt, spawned
        except (GameError, CalibrationError) as error:
            failed = error
        if state is None and self.map.seat != 1:
            raise GameError(
                f"{failed}; the way to a game of two can't be found without the map: give a savestate of its first "
                "pair with --from-state"
            )
        self._blind = True
        self.tell("looking for a way to play")
        try:
            if state is not None:
                learnt = self._experiments(state)
            else:
                self.rig.load(power_on)
                learnt = self._experiments(None)
        except CalibrationError as error:
            raise GameError(f"{failed}; {error}") from None
        return learnt, learnt.route.state

    def _reach(self, state: bytes | None) -> tuple[bytes, bytes]:
        """Goes through the menus, or loads ``state``. Returns savestates: of the spawn, and with the piece under
        control. Raises GameError.
        """
        seat: AnySeat = self.title.seat(self.map, self.console.ram, self.rules)
        if state is not None:
            self.rig.load(state)
            seat.resync()
        else:
            self.tell("going through the menus")
            modes = self.table.modes.items()
            mode = next((name for name, value in modes if value == self.map.mode), self.title.solo_mode)
            self.title.reach(self.console, seat, mode, self.options)
        spawned = self.rig.save()
        for _ in range(CONTROL):
            if seat.ready():
                return spawned, self.rig.save()
            self.rig.step()
            seat.update()
        raise GameError(f"the sign of a spawn has stayed for {CONTROL} frames: it means something else")

    def _experiments(self, state: bytes | None) -> Learnt:
        """Does the experiments. ``state``: a savestate of play; None: the menus are searched."""
        book = Notebook(None, "check", lambda what, _: self.tell(what))
        route, bases = begin(self.rig, book, state, hints_of(self.map, self.rig))
        learnt = learn_pair(self.rig, book, route, bases, self.map)
        for name, why in book.failed.items():
            if not name.startswith("NEXT"):
                self.report.notes.append(f"{name}: {why}")
        return learnt

    def _unchecked(self) -> list[str]:
        looked = {*self.report.holds, *(name for finding in self.report.findings for name in finding.entries)}
        looked |= {finding.about for finding in self.report.findings}
        return [name for name in self.map.entries if name not in looked]

    # the exam

    def _exam(self, spawned: bytes, pieces: int) -> Checked:
        report = self.report
        fixed, rules = self.map, self.rules
        title = with_buttons(self.title, report.findings)
        try:
            fixed = patched_map(self.map, report.findings, report.holds)
            rules = patched_rules(self.rules, report.findings)
        except OchibotError as error:
            report.notes.append(str(error))
        if pieces:
            self.tell(f"playing {counted(pieces, 'piece')} with the proposals")
            report.exam = self._play(title, fixed, rules, spawned, pieces)
        report.frames = self.rig.frames
        return Checked(report, fixed, rules)

    def _play(self, title: Any, ram_map: RamMap, rules: Any, spawned: bytes, pieces: int) -> dict[str, object]:
        """Plays ``pieces`` pieces from the first spawn on. Returns the game's counts by name, such as ``agreement``."""
        self.rig.load(spawned)
        told: dict[str, object] = {"pieces": 0, "agreement": None}
        try:
            seat: AnySeat = title.seat(ram_map, self.console.ram, rules)
            seat.resync()
            hands: Any = SeatPlayer(seat, open_player(None, self.title, rules), speed_of(10), keep_going=True)
            hands.spawn()
            run = Endless(self.console, hands, seed=None, speed=10, on_frame=lambda _: self._stopped())
            run.run(pieces=pieces)
        except (ContradictionError, GameError, StalledError, MapError, ConfigError) as error:
            return {**told, "stopped_by": str(error)}
        tally = hands.tally
        told = {
            "pieces": tally.pieces,
            "agreement": tally.agreement,
            "misplaced": tally.misplaced,
            "disagreements": tally.disagreements,
            "contradictions": tally.contradictions,
            "stopped_by": run.stopped_by,
        }
        if hands.last_disagreement is not None:
            told["last_disagreement"] = hands.last_disagreement
        return told
