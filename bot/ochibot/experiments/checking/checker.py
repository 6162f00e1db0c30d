"""Checks a map and rules on a running game: learns the game, and compares entry by entry.

The order: through the menus to the first piece (by the map's mode and spawn sign, or else by the search that explores
any game), the experiments of ``learn``, the comparison, and finally a game played with all proposals applied. Nothing
stops at the first contradiction.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ochibot.console import Button, HostedConsole
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
from ochibot.experiments.basis import ground_of
from ochibot.experiments.checking.entries import Entries, table_of
from ochibot.experiments.checking.field import EMPTY, Cells
from ochibot.experiments.checking.needles import NeedleEntries
from ochibot.experiments.checking.rules import RulesEntries
from ochibot.experiments.checking.scenes import Fall, Reading, Truth, watch_falls
from ochibot.experiments.checking.signs import Announced, learnt_signs
from ochibot.experiments.checking.values import Values, measured_times
from ochibot.experiments.documented import SINGLE, hints_of
from ochibot.experiments.effects import Poker, group
from ochibot.experiments.known import Ground
from ochibot.experiments.learn import begin, learn_pair
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import COLORS, color_names
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.stance import standing, upright_state
from ochibot.games.protocols import AnySeat
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.players import open_player
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.fits import Symbols
from ochibot.ramtools.proposals import patched_map, patched_rules
from ochibot.wording import counted

FAMILIES: Final = ("puyo", "nyaa")
"""The families whose maps can be checked."""

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
    """Checks one map on one running console. ``title`` must be made from a game table, for a family of ``FAMILIES``.

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
        if title.family.name not in FAMILIES:
            raise UsageError(
                f"there are no experiments for games of the family {title.family.name}, only for "
                f"{' and '.join(FAMILIES)}: play it with the map, `ochibot play GAME --map FILE --pieces 30`, which "
                "stops at the first contradiction"
            )
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
        learnt, spawned = self._learnt(state, power_on)
        ground = ground_of(self.rig, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
        self._compare(learnt, ground)
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
        """Does the experiments. ``state``: a savestate of play; None: the menus are searched. Raises CalibrationError."""
        with tempfile.TemporaryDirectory() as folder:
            book = Notebook(Path(folder), "check", lambda what, _: self.tell(what))
            hints = hints_of(self.map, self.rig)
            route, basis = begin(self.rig, book, state, hints)
            learnt = learn_pair(self.rig, book, route, basis, self.map)
            for name, why in book.failed.items():
                if not name.startswith("NEXT"):
                    self.report.notes.append(f"{name}: {why}")
        return learnt

    # comparing

    def _compare(self, learnt: Learnt, ground: Ground) -> None:
        report, rig = self.report, self.rig
        self.tell("comparing")
        reading = Reading(self.map, rig, self.table.codes)
        poker = Poker(ground, learnt.near, learnt.far, learnt.stance.near_row == 0)
        codes = self._names(learnt)
        names = {word: codes[code] for code, word in color_names(learnt).items() if code in codes}
        truth = Truth(learnt, rig, self.table.codes, names)
        announced = Announced(self.title, reading, self.rules)
        also = [kind for kind, word in codes.items() if word == "nuisance"]
        falls = watch_falls(ground, truth, announced.frames, also)
        self._signs(learnt, falls)
        lies = {value: word.name.lower() for value, word in self.table.orientations.items()}
        entries = Entries(reading, truth, report, lies, rig.offset)
        entries.place(falls)
        cells = Cells(reading, truth, report, ground, codes)
        cells.compare(falls)
        self._colors(entries, truth, falls, len(learnt.following))
        self._buttons(learnt, ground)
        values = Values(self.title, reading, report)
        values.others(falls, doubted=self._blind)
        report.measured = measured_times(learnt)
        if self.title.family.name == "puyo" and learnt.size is not None:
            rams = self._scored(poker, learnt.size)
            values.score(learnt.score, truth.data["entries"].get("score"), rams, self.rules.score_unit)
            RulesEntries(self.rules, learnt, poker, report).compare()
        if self.title.family.name == "nyaa":
            NeedleEntries(self.title, self.rules, learnt, poker, entries, values, cells, codes).compare()
        values.timing(falls)
        self._judged(learnt, values)
        if self._blind:
            self._drop_the_rest()

    def _names(self, learnt: Learnt) -> dict[int, str]:
        """The symbol of each kind of cell that is known. Colours are called what the map calls them, if it can tell."""
        kinds = learnt.shape.colors
        field, axis = table_of(self.map, "field", {}), table_of(self.map, "axis", {})
        near = {kind: learnt.near.values.get(kind, -1) for kind in kinds}
        ways: list[Callable[[int], str | None]] = [
            lambda kind: self._form("axis").of(near[kind]),
            lambda kind: self._form("field").of(kind),
            *(lambda kind, low=low: axis.get(near[kind] >> low) for low in range(8)),  # type: ignore[misc]
            *(lambda kind, low=low: field.get(kind >> low) for low in range(8)),  # type: ignore[misc]
        ]
        for way in ways:
            told = {kind: way(kind) for kind in kinds}
            if set(told.values()) <= set(COLORS) and len(set(told.values())) == len(told):
                names = {kind: str(word) for kind, word in told.items()}
                break
        else:
            self.report.notes.append(
                "no table named the colours: they are called red, green, … in the order of their bytes"
            )
            names = dict(zip(sorted(kinds), COLORS, strict=False))
        sorts = learnt.sort.nuisance if learnt.sort is not None else ()
        sorts = learnt.needles.nuisance if learnt.needles is not None else sorts
        if len(sorts) == 1:
            names[sorts[0]] = "nuisance"
        return {learnt.basis.grid.empty & learnt.shape.mask: EMPTY, **names}

    def _form(self, name: str) -> Symbols:
        entry = self.map.entries.get(name)
        mask = 0xFF if entry is None or entry.mask is None else entry.mask
        return Symbols(table_of(self.map, name, {}), mask, 0 if entry is None else entry.shift)

    def _colors(self, entries: Entries, truth: Truth, falls: Sequence[Fall], ahead: int) -> None:
        """Compares the colours of the falling pair and of NEXT, as long as pieces fall, and as they are announced."""
        table, tables = (
            table_of(self.map, "field", {}),
            str(getattr(self.map.entries.get("field"), "table", None) or "colors"),
        )
        prefixes = ["", *(f"next{number if number > 1 else ''}_" for number in range(1, 4))]
        for number, prefix in enumerate(prefixes):
            for name in (f"{prefix}axis", f"{prefix}partner"):
                if name not in self.map.entries and number > 1:
                    continue
                if number > ahead:
                    if name in self.map.entries:
                        entries.missing(name)
                    continue
                told: list[tuple[Bytes, str]] = []
                for fall in falls:
                    end = truth.reading.symbol(name, fall.end)
                    spawn = fall.spawn
                    shown = (
                        [fall.end] if spawn is None or truth.reading.symbol(name, spawn) != end else [spawn, fall.end]
                    )
                    told += [(ram, str(end)) for ram in shown]
                    for scene in fall.scenes:
                        if scene.moving:
                            told.append((scene.ram, str(truth.reading.symbol(name, scene.ram))))
                entries.colors(name, told, table, tables)

    def _buttons(self, learnt: Learnt, ground: Ground) -> None:
        """Compares the buttons that turn a pair."""
        stance, report = learnt.stance, self.report
        said = {action.name.lower(): button for action, button in self.table.buttons.items()}
        turn, back = said["rotate_cw"], said["rotate_ccw"]
        if not stance.readable:
            report.notes.append("buttons: not checked, RAM doesn't show how a pair lies")
            return
        names = {stance.clockwise: "rotate_cw", stance.counter: "rotate_ccw"}
        forward = names[str(stance.turning.button.name).lower()]
        ways = {stance.ways[1]: forward, stance.ways[3]: "rotate_ccw" if forward == "rotate_cw" else "rotate_cw"}
        upright = upright_state(ground, ground.state)
        told = {}
        for button in (turn, back):
            ram = self.rig.after(upright, ground.driver.tap.pads(button) + [0] * 4)
            told[button] = ways.get(standing(ground, stance, ram) or "")
        if told[turn] == "rotate_cw" and told[back] == "rotate_ccw":
            report.holds.append("game.buttons")
            return
        found = {name: Button[word.upper()] for word, name in names.items() if word is not None}
        seen = ", ".join(f"{str(button.name).lower()} turns by {name}" for name, button in found.items())
        mend = ", ".join(f"{name}: {str(button.name).lower()}" for name, button in found.items())
        exchanged = found == {"rotate_cw": back, "rotate_ccw": turn}
        report.findings.append(
            Finding(
                "game.buttons",
                (),
                f"{turn.name} turns clockwise and {back.name} the other way".lower() + " by the game's table",
                seen,
                "exchange rotate_cw and rotate_ccw" if exchanged else mend,
                buttons=found,
            )
        )

    def _scored(self, poker: Poker, size: int) -> list[Bytes]:
        """RAM before the first lock, and after locks that clear groups of different sizes."""
        ground = poker.ground
        self.rig.load(ground.state)
        rams = [self.rig.snap()]
        for count in (size, size + 1, size + 2):
            try:
                kinds = ground.colors
                painted = {**ground.painted(group(ground, count)), **poker.pokes(kinds[0], kinds[2])}
                fallen = ground.driver.fall(ground.state, column=ground.columns[0], pokes=painted, pad=0, most=6000)
                rams.append(fallen.ram)
            except CalibrationError:
                continue
        return rams

    def _signs(self, learnt: Learnt, falls: Sequence[Fall]) -> None:
        """Reports whether the map announces each piece once; if not, proposes signs that do."""
        known = [name for name in ("spawning", *self.table.spawn_signs) if name in self.map.entries]
        announces = sum(fall.spawn is not None for fall in falls)
        if falls and announces == len(falls):
            self.report.holds += known[:1]
            return
        self._blind = True
        self.report.holds.clear()
        self.report.findings.append(learnt_signs(learnt, self.rig, self.map, announces, len(falls), known))
        if learnt.route.buttons:
            taps = counted(len(learnt.route.buttons), "tap")
            self.report.notes.append(
                f"play was reached by {taps}, without the map's mode: {', '.join(learnt.route.buttons)}"
            )

    def _judged(self, learnt: Learnt, values: Values) -> None:
        """Adds the verdicts on entries that only a documented map names."""
        known = {*self.report.holds, *(name for finding in self.report.findings for name in finding.entries)}
        for name, seen, _, verdict in learnt.judged:
            if name in known or name in SINGLE:
                continue
            if verdict == "confirmed":
                self.report.holds.append(name)
            elif verdict == "CONTRADICTED":
                values.leave_out(name, "its byte doesn't do what its name says", seen)

    def _drop_the_rest(self) -> None:
        """Proposes to drop the entries that no experiment confirmed: they may be as wrong as the map's spawn sign."""
        given = {name for finding in self.report.findings for name in finding.entries}
        rest = [name for name in self.map.entries if name not in given and name not in self.report.holds]
        if rest:
            self.report.findings.append(
                Finding(
                    "other entries",
                    (),
                    f"nothing has confirmed {', '.join(rest)}, and the sign of a spawn isn't where the map has it",
                    "their bytes were not looked for",
                    "leave them out: null",
                    entries=dict.fromkeys(rest),
                )
            )

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
