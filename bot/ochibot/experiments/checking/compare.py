"""Compares all entries of a map, the rules and the buttons with what the experiments learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.basis import ground_of
from ochibot.experiments.checking.entries import Entries, bits_of, table_of
from ochibot.experiments.checking.field import EMPTY, Cells
from ochibot.experiments.checking.needles import NeedleEntries
from ochibot.experiments.checking.rules import RulesEntries, units
from ochibot.experiments.checking.scenes import Fall, Reading, Truth, watch_falls
from ochibot.experiments.checking.signs import Announced, learnt_signs
from ochibot.experiments.checking.values import Values, measured_times
from ochibot.experiments.documented import SINGLE
from ochibot.experiments.effects import Poker, group
from ochibot.experiments.known import Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import COLORS, color_names
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.score import UNIT
from ochibot.experiments.stance import standing, upright_state
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.kinds import Symbols
from ochibot.wording import counted


class Comparison:
    """One comparison. Findings, and the names of what is right, go into the report.

    blind: the map's mode or sign of a spawn was wrong already.
    """

    def __init__(
        self, title: Any, ram_map: RamMap, rules: Any, rig: Rig, learnt: Learnt, report: Report, *, blind: bool
    ) -> None:
        self.title = title
        self.table = title.table
        self.map = ram_map
        self.rules = rules
        self.rig = rig
        self.learnt = learnt
        self.report = report
        self.ground: Ground = ground_of(rig, learnt.stance.state, learnt.basis, learnt.stance, learnt.shape)
        self._blind = blind

    def run(self) -> None:
        """Compares everything."""
        learnt, report, rig, ground = self.learnt, self.report, self.rig, self.ground
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
            said, own = self.rules.score_unit, UNIT
            if learnt.formula is not None:
                said, own = units(self.rules, learnt.formula, learnt.size)
            values.score(learnt.score, truth.data["entries"].get("score"), rams, said, own)
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
            *(lambda kind, low=low: axis.get(near[kind] >> low) for low in range(8)),
            *(lambda kind, low=low: field.get(kind >> low) for low in range(8)),
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
        return Symbols(table_of(self.map, name, {}), *bits_of(self.map, name))

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
                rams.append(poker.lock(group(ground, count), 0, ground.colors[0], ground.colors[2], pad=0).ram)
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
