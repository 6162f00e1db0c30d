"""Checks a seat's phase, state, menu options and score, and the times in the game file."""

from __future__ import annotations

from typing import Any

from ochibot.ramtools.bench import Bench
from ochibot.ramtools.evidence import Evidence
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.image import Image
from ochibot.ramtools.reading import Paper
from ochibot.ramtools.scores import find_score
from ochibot.wording import counted


class ValueFits:
    """Checks values whose meaning stands in the title's table or its game file. Findings go into the report."""

    def __init__(self, title: Any, paper: Paper, report: Report) -> None:
        self.title = title
        self.table = title.table
        self.paper = paper
        self.map = paper.map
        self.report = report

    def others(self, evidence: Evidence, *, doubted: bool = False) -> None:
        """Checks phase, state and menu options.

        ``doubted``: other addresses are wrong, so an entry that always reads 0 isn't confirmed.
        """
        table, map_ = self.table, self.map
        wanted: dict[str, list[tuple[Any, set[int]]]] = {}
        spawns = [sample.spawn for sample in evidence.samples]
        falls = [image for sample in evidence.samples for image in (sample.start, sample.rest)]
        # a map with its own signs doesn't use the table's phases; the signs work: they led this check into the game
        signs = map_.signs.given()
        if "phase" in map_.entries and signs:
            if not doubted:
                self.report.holds.append("phase")
        elif "phase" in map_.entries:
            phases = table.phases
            wanted["phase"] = [(image, {phases.spawn}) for image in spawns] + [
                (image, {phases.control}) for image in falls
            ]
        if "state" in map_.entries and table.playing is not None:
            wanted["state"] = [(image, {table.playing}) for image in spawns + falls]
        for name, choice in table.options.items():
            if name in map_.entries:
                wanted[name] = [(image, set(choice.values)) for image in spawns]
        for name, cases in wanted.items():
            wrong = next(
                (
                    (self.paper.value(name, image), values)
                    for image, values in cases
                    if self.paper.value(name, image) not in values
                ),
                None,
            )
            if wrong is None:
                if not doubted or any(self.paper.value(name, image) for image, _ in cases):
                    self.report.holds.append(name)
                continue
            entry: Any = map_.entries[name]
            self.report.findings.append(
                Finding(
                    name,
                    tuple(entry.byte_addresses()[:1]),
                    f"it reads {wrong[0]} where it must be {' or '.join(map(str, sorted(wrong[1])))}",
                    "at a spawn, under control or at rest",
                    f"{name}: null, the game is played without it",
                    entries={name: None},
                )
            )

    def find_score(self, bench: Bench, evidence: Evidence, state: bytes) -> bool:
        """Seeks the score elsewhere, because the map's doesn't rise with the steps of a chain.

        If it is found, the bench reads that score from now on, and the report gets a finding. Returns whether it was.
        """
        entry: Any = self.map.entries.get("score")
        found = find_score(bench, state, evidence.samples, entry.type if entry is not None else "u24le")
        if found is None:
            return False
        bench.score, bench.score_scale = found.read, found.scale
        patch = found.patch()
        told = [f"{name}: {value:#06x}" if name == "address" else f"{name}: {value}" for name, value in patch.items()]
        old = None if entry is None else min(entry.byte_addresses(), default=None)
        self.report.findings.append(
            Finding(
                "score",
                tuple(each for each in (old, found.address) if each is not None),
                "its bytes don't rise with the steps of a chain",
                f"those at {found.address:04X} do, and with nothing else",
                ", ".join(told),
                entries={"score": {**patch, "source": "calibrated"}},
            )
        )
        return True

    def timing(self, images: list[Image]) -> None:
        """Compares the times in the game file with those measured. ``images``: RAM in play, which holds the level."""
        said: Any = getattr(getattr(getattr(self.title, "made", None), "said", None), "timing", None) or {}
        versus = self.map.mode is not None and self.map.mode == self.table.modes.get(self.table.versus)
        for measured, frames in self.report.measured.items():
            name = "fall_versus" if measured == "fall" and versus and "fall_versus" in said else measured
            if name not in said:
                continue
            listed = isinstance(said[name], tuple | list)
            place = self._level(images, len(said[name])) if listed else 0
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
                    f"the game file says {known} frames{at}",
                    f"it was {counted(frames, 'frame')}",
                    f"timing: {{{name}: {mended}}}"
                    + (" (of other levels nothing was measured)" if listed and len(mended) > 1 else ""),
                    timing={name: mended},
                )
            )

    def _level(self, images: list[Image], levels: int) -> int:
        """The level played, from 0 to ``levels`` - 1, as the map reads it; 0, the lowest, when the map can't tell."""
        if "level" not in self.paper or "level" not in self.report.holds or not images:
            return 0
        choice = self.table.options.get("level")
        level = self.paper.value("level", images[0]) - (min(choice.values) if choice is not None else 0)
        return level if 0 <= level < levels else 0
