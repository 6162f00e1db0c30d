"""Compares values whose meaning is in the title's table or its game file: the phase, the menu's, the score, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ochibot.experiments.checking.entries import in_words, plain
from ochibot.experiments.checking.scenes import Fall, Reading
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.rig import Bytes
from ochibot.experiments.score import UNIT, Score
from ochibot.ramtools.findings import Finding, Report
from ochibot.wording import counted

TIMES: Final = {"auto_repeat_first": "repeat_first", "auto_repeat": "repeat", "fall": "fall", "soft_drop": "soft"}
"""The name in a game file of each time that was measured."""


def measured_times(learnt: Learnt) -> dict[str, int]:
    """The measured times in frames, by their names under ``timing`` in game files.

    A pair stands on the floor one frame longer than the lock delay, which counts from the frame after it landed.
    """
    timing = learnt.timing
    if timing is None:
        return {}
    found = {"spawn_delay": timing.control, **{name: getattr(timing, word) for name, word in TIMES.items()}}
    found["lock_delay"] = None if timing.lock is None else timing.lock - 1
    return {name: frames for name, frames in found.items() if frames is not None}


class Values:
    """Compares single values. Findings go into the report."""

    def __init__(self, title: Any, reading: Reading, report: Report) -> None:
        self.title = title
        self.table = title.table
        self.reading = reading
        self.map = reading.map
        self.report = report

    def others(self, falls: Sequence[Fall], *, doubted: bool = False) -> None:
        """Compares phase, state and menu options.

        ``doubted``: other addresses are wrong, so an entry that always reads 0 isn't confirmed.
        """
        table, map_ = self.table, self.map
        wanted: dict[str, list[tuple[Bytes, set[int]]]] = {}
        spawns = [fall.spawn for fall in falls if fall.spawn is not None]
        moving = [scene.ram for fall in falls for scene in fall.scenes if scene.moving]
        # a map with its own signs doesn't use the table's phases; the signs work: they led this check into the game
        if "phase" in map_.entries and map_.signs.given():
            if not doubted:
                self.report.holds.append("phase")
        elif "phase" in map_.entries:
            phases = table.phases
            wanted["phase"] = [(ram, {phases.spawn}) for ram in spawns] + [(ram, {phases.control}) for ram in moving]
        if "state" in map_.entries and table.playing is not None:
            wanted["state"] = [(ram, {table.playing}) for ram in spawns + moving]
        for name, choice in table.options.items():
            if name in map_.entries:
                wanted[name] = [(ram, set(choice.values)) for ram in spawns or moving]
        for name, cases in wanted.items():
            reads = [(self.reading.value(name, ram), values) for ram, values in cases]
            wrong = next(((value, values) for value, values in reads if value not in values), None)
            if wrong is not None:
                seen = "at a spawn, or while a pair was under control"
                says = f"it reads {wrong[0]} where it must be {' or '.join(map(str, sorted(wrong[1])))}"
                self.leave_out(name, says, seen)
            elif not doubted or any(value for value, _ in reads):
                self.report.holds.append(name)

    def leave_out(self, name: str, says: str, seen: str) -> None:
        """Reports an entry that is wrong, and that a game can be played without."""
        entry = self.map.entries[name]
        mend = f"{name}: null, the game is played without it"
        where = tuple(entry.byte_addresses()[:1])
        self.report.findings.append(Finding(name, where, says, seen, mend, entries={name: None}))

    def score(
        self,
        learnt: Score | None,
        patch: Mapping[str, Any] | None,
        rams: Sequence[Bytes],
        unit: int = UNIT,
        own: int = UNIT,
    ) -> None:
        """Compares the score. patch: the learnt entry. rams: RAM after locks of different worth. unit: the
        rules' points for a cell, for which the learnt score has ``own``.
        """
        entry = self.map.entries.get("score")
        if entry is None or learnt is None or patch is None:
            why = "the map has none" if entry is None else "no number in RAM grows as a score does"
            self.report.notes.append(f"score: not checked, {why}")
            return
        points = [learnt.value(ram) * unit // own for ram in rams]
        reads = [self.reading.value("score", ram) for ram in rams]
        rises = [None if read is None or reads[0] is None else read - reads[0] for read in reads]
        wanted = [value - points[0] for value in points]
        if rises == wanted and reads[0] == points[0]:
            self.report.holds.append("score")
            return
        old = min(entry.byte_addresses(), default=0)
        number = next((at for at in range(len(rams)) if rises[at] != wanted[at]), 0)
        says = f"it rose by {rises[number]} where it must rise by {wanted[number]}"
        seen = f"it must have risen by {', '.join(map(str, wanted[1:]))}"
        ratio = next(((rise, want) for rise, want in zip(rises, wanted, strict=True) if rise and want), None)
        if ratio is not None and all(
            rise is not None and rise * ratio[1] == want * ratio[0] for rise, want in zip(rises, wanted, strict=True)
        ):
            scale, rest = divmod(entry.scale * ratio[1], ratio[0])
            mend: dict[str, Any] = (
                {"scale": scale} if not rest else {"scale": entry.scale * ratio[1], "divide": ratio[0]}
            )
            where: tuple[int, ...] = (old,)
        else:
            mend = {word: value for word, value in patch.items() if word not in ("note", "source")}
            share = Fraction(int(patch.get("scale", 1)) * unit, own)
            mend |= {"scale": share.numerator, **({"divide": share.denominator} if share.denominator > 1 else {})}
            where = old, int(patch["address"])
        entries = {"score": {**plain(mend), "source": "calibrated"}}
        self.report.findings.append(Finding("score", where, says, seen, ", ".join(in_words(mend)), entries=entries))

    def timing(self, falls: Sequence[Fall]) -> None:
        """Compares the times in the game file with those measured, at the level that is played."""
        said: Any = getattr(getattr(getattr(self.title, "made", None), "said", None), "timing", None) or {}
        versus = self.map.mode is not None and self.map.mode == self.table.modes.get(self.table.versus)
        for measured, frames in self.report.measured.items():
            name = "fall_versus" if measured == "fall" and versus and "fall_versus" in said else measured
            if name not in said:
                continue
            listed = isinstance(said[name], tuple | list)
            place = self._level(falls, len(said[name])) if listed else 0
            known = said[name][place] if listed else said[name]
            if known == frames:
                self.report.holds.append(f"game.timing.{name}")
                continue
            at = f" at level {place + 1}" if listed else ""
            mended: Any = [*said[name][:place], frames, *said[name][place + 1 :]] if listed else frames
            self.report.findings.append(
                Finding(
                    f"game.timing.{name}",
                    (),
                    f"the game file says {counted(known, 'frame')}{at}",
                    f"it was {counted(frames, 'frame')}",
                    f"timing: {{{name}: {mended}}}"
                    + (" (of other levels nothing was measured)" if listed and len(mended) > 1 else ""),
                    timing={name: mended},
                )
            )

    def _level(self, falls: Sequence[Fall], levels: int) -> int:
        """The level played, from 0 to ``levels`` - 1, as the map reads it; 0, the lowest, when the map can't tell."""
        if "level" not in self.reading or "level" not in self.report.holds or not falls:
            return 0
        choice = self.table.options.get("level")
        level = (self.reading.value("level", falls[0].end) or 0) - (min(choice.values) if choice is not None else 0)
        return level if 0 <= level < levels else 0
