"""Compares what only games with needles have: the needle's button and byte, nuisance, and what ignitions are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final

import numpy as np

from ochibot.console import Button
from ochibot.experiments.checking.entries import Entries, address_of
from ochibot.experiments.checking.field import Cells
from ochibot.experiments.checking.scenes import Reading
from ochibot.experiments.checking.values import Values
from ochibot.experiments.digits import FORMS
from ochibot.experiments.effects import Poker
from ochibot.experiments.ignitions import Fallen, Igniter, Ignition, needle_codes, needle_moments, nuisance_falls
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import score_entry
from ochibot.experiments.moments import known_places
from ochibot.experiments.needles import sets_off
from ochibot.experiments.rig import Bytes
from ochibot.experiments.score import Score
from ochibot.nyaa.rules.grid import NUISANCE, Grid
from ochibot.nyaa.rules.pair import NyaaState
from ochibot.nyaa.rules.profile import IdleNeedle, Rules, Ruleset
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import KINDS, Kind
from ochibot.wording import counted

AMOUNTS: Final = (3, 5)
"""How many pieces of nuisance are made to fall, in one experiment each."""

NEAR: Final = 48
"""Bytes up to this far from the map's address are tried as well."""

FEWEST: Final = 4
"""With fewer fields ignited, nothing is said of what ignitions are worth."""

SCALES: Final = (1, 10, 100)
"""How many points one of the number in RAM may be."""

IDLE: Final[tuple[IdleNeedle, ...]] = ("block", "vanish")
"""The values that ``place`` supports of the rule ``idle_needle``: what becomes of a needle that lights nothing."""


class NeedleEntries:
    """Compares needles, nuisance and ignitions. Findings go into the report."""

    def __init__(
        self,
        title: Any,
        rules: Rules,
        learnt: Learnt,
        poker: Poker,
        entries: Entries,
        values: Values,
        cells: Cells,
        codes: Mapping[int, str],
    ) -> None:
        """cells: how the map's field is read. codes: the symbol of each kind of cell that is known."""
        self.table = title.table
        self.rules = rules
        self.learnt = learnt
        self.poker = poker
        self.entries = entries
        self.reading: Reading = entries.reading
        self.report: Report = entries.report
        self.values = values
        self.cells = cells
        self.codes = dict(codes)

    def compare(self) -> None:
        """Compares all of it; only needles if no nuisance falls and too few fields can be ignited."""
        needles = self.learnt.needles
        if needles is None:
            self.report.notes.append("needles: not checked, no button makes any")
            return
        self._button(needles.button)
        told = needle_moments(self.poker, needles.button, self.poker.ground.turning.button)
        learnt = self.entries.truth.data["entries"]["needle"]
        self.entries.number("needle", told, learnt, "its byte is the same for needles and blocks")
        found = needle_codes(self.poker, needles.button)
        if found:
            self.cells.more({byte: f"{self.codes[kind]}_needle" for byte, kind in found.items()}, "field's needles")
        pending = self._nuisance()
        numbers = {kind: self.table.codes[word] for kind, word in self.codes.items()}
        spawn = NyaaState(self.table.spawn.x, self.table.spawn.y, self.table.spawn.orientation)
        done = Igniter(self.poker, needles.button, self.rules, numbers, spawn, pending).ignite()
        whole = [one for one in done if one.seen is not None]
        if len(whole) < FEWEST:
            self.report.notes.append("attack, score: not checked, too few fields that were written could be ignited")
            return
        rules = self._explained(whole)
        if rules is not None:
            self._worth(whole, rules)

    def _button(self, found: Button) -> None:
        said = {action.name.lower(): button for action, button in self.table.buttons.items()}["needle"]
        if said is found or sets_off(self.poker, said):
            return
        word, name = str(said.name).lower(), str(found.name).lower()
        self.report.findings.append(
            Finding(
                "game.buttons.needle",
                (),
                f"{word} turns the pair into needles by the game's table",
                f"after {word} a block of the pair's colour stays below the pair; after {name} it goes",
                f"buttons: {{needle: {name}}}",
                buttons={"needle": found},
            )
        )

    # nuisance

    def _nuisance(self) -> int | None:
        """Compares ``pending`` and ``fallen``. Returns the offset of ``pending``; None when no nuisance falls."""
        address = address_of(self.reading.map, "pending")
        rig = self.poker.ground.rig
        if address is None:
            self.report.notes.append("nuisance: not checked, the map has no single byte that counts what is pending")
            return None
        said = rig.offset(address)
        found = next((at for at in self._near(said) if nuisance_falls(self.poker, at, AMOUNTS[0]) is not None), None)
        falls = [] if found is None else [nuisance_falls(self.poker, found, amount) for amount in AMOUNTS]
        seen: list[Fallen] = [fall for fall in falls if fall is not None]
        if found is None or len(seen) < len(AMOUNTS):
            self.report.notes.append(
                f"pending: not checked, nothing fell when a number was written there ({address:04X}) or within "
                f"{NEAR} bytes of it; where nuisance falls in games of two alone, check a map of such a game"
            )
            return None
        right = rig.address(found)
        if found == said:
            self.report.holds.append("pending")
        else:
            self.report.findings.append(
                Finding(
                    "pending",
                    (address, right),
                    "nothing falls when a number is written there",
                    f"{AMOUNTS[0]} pieces of nuisance fall when {AMOUNTS[0]} is written to {right:04X}",
                    f"address: {right:#06x}",
                    entries={"pending": {"address": right, "source": "calibrated"}},
                )
            )
        self.cells.more({seen[0].code: "nuisance"}, "field's nuisance")
        self.codes[seen[0].code & self.poker.ground.mask] = "nuisance"
        quiet = self.poker.ground.drop().ram
        self._count("fallen", [*(fall.ram for fall in seen), quiet], [*AMOUNTS, 0])
        return found

    def _near(self, said: int) -> Iterator[int]:
        """Yields the map's offset, then those around it, the nearest first, without those of known entries."""
        ground = self.poker.ground
        others = known_places(ground, self.learnt)
        yield said
        for away in range(1, NEAR + 1):
            yield from (at for at in (said - away, said + away) if 0 <= at < ground.rig.size and at not in others)

    # rules

    def _explained(self, done: Sequence[Ignition]) -> Rules | None:
        """Finds rules that explain all outcomes, and reports them. Tries the given rules first; None if no rules do."""
        given = self.rules
        tried = [replace(given, idle_needle=idle, nuisance_pops=pops) for idle, pops in product(IDLE, (True, False))]
        found = next(
            (rules for rules in (given, *tried) if all(one.outcome(rules).grid == one.seen for one in done)), None
        )
        if found is None:
            wrong = next(one for one in done if one.outcome(given).grid != one.seen)
            self.report.findings.append(
                Finding(
                    "rules",
                    (),
                    "a field that was ignited came out otherwise than by the rules",
                    f"{_flat(wrong.grid)} became {_flat(wrong.seen)}, by the rules {_flat(wrong.outcome(given).grid)}",
                    None,
                )
            )
            return None
        sure = {"idle_needle": True, "nuisance_pops": any(NUISANCE in one.grid.codes for one in done)}
        for name, known in sure.items():
            value = getattr(found, name)
            if value != getattr(given, name):
                shown = str(value).lower()
                seen = f"{len(done)} fields that were ignited came out as by {name}: {shown}"
                self._rule(name, str(getattr(given, name)).lower(), seen, shown, value)
            elif known:
                self.report.holds.append(f"rules.{name}")
        return found

    def _rule(self, name: str, said: str, seen: str, shown: str, value: Any) -> None:
        says = f"the rules say {name}: {said}"
        self.report.findings.append(Finding(f"rules.{name}", (), says, seen, f"{name}: {shown}", rules={name: value}))

    def _worth(self, done: Sequence[Ignition], given: Rules) -> None:
        """Finds the ruleset that fits, and compares the map's attack, tails and score with it."""
        rulesets = [given.ruleset, *(each for each in Ruleset if each is not given.ruleset)]
        ways = [replace(given, ruleset=ruleset) for ruleset in rulesets]
        rules = next((way for way in ways if self._agrees(done, way)), None)
        rules = rules or next((way for way in ways if self._somewhere(done, way)), None)
        if rules is None:
            self.report.notes.append("attack, score: not checked, no bytes of RAM count what ignitions are worth")
            return
        outcomes = [one.outcome(rules) for one in done]
        if rules.ruleset is not given.ruleset:
            by_given = ", ".join(str(one.outcome(given).attack) for one in done)
            seen = (
                f"attacks were worth {', '.join(str(one.attack) for one in outcomes)}, as by {rules.ruleset.value}; "
                f"by {given.ruleset.value} they would be {by_given}"
            )
            self._rule("ruleset", given.ruleset.value, seen, rules.ruleset.value, rules.ruleset)
        else:
            self.report.holds.append("rules.ruleset")
        # the later lock, of blocks, makes no attack: so bytes that count the round's total don't fit
        rams = [one.after for one in done] + [one.later for one in done]
        nothing = [0] * len(done)
        self._count("attack", rams, [one.attack for one in outcomes] + nothing)
        self._count("tails", rams, [one.t for one in outcomes] + nothing)
        score = self._score(done, [rules.attack.score_each * one.attack for one in outcomes])
        if score is None:
            if "score" in self.reading:
                self.values.leave_out("score", "no number in RAM grows with the attack", "fields were ignited")
            return
        patch = score_entry(score, self.poker.ground.rig.address)
        self.values.score(score, patch, [done[0].before, *(one.after for one in done)])

    def _agrees(self, done: Sequence[Ignition], rules: Rules) -> bool:
        """Whether the map's attack equals the rules' attack, or the map's score rises in proportion to it."""
        attacks = [one.outcome(rules).attack for one in done]
        if [self.reading.value("attack", one.after) for one in done] == attacks:
            return True
        reads = [(self.reading.value("score", one.before), self.reading.value("score", one.after)) for one in done]
        rises = [0 if None in pair else pair[1] - pair[0] for pair in reads]  # type: ignore[operator]
        share = next(((rise, attack) for rise, attack in zip(rises, attacks, strict=True) if attack), None)
        if share is None or share[0] <= 0:
            return False
        return all(rise * share[1] == attack * share[0] for rise, attack in zip(rises, attacks, strict=True))

    def _somewhere(self, done: Sequence[Ignition], rules: Rules) -> bool:
        attacks = [one.outcome(rules).attack for one in done]
        points = [rules.attack.score_each * attack for attack in attacks]
        found = places_of([one.after for one in done], attacks)
        return next(found, None) is not None or self._score(done, points) is not None

    def _score(self, done: Sequence[Ignition], wanted: Sequence[int]) -> Score | None:
        """The number that rises by ``wanted`` with the ignitions and that the next lock keeps; None if none does.

        Bytes that the next lock resets count the attack, or a part of it.
        """
        points = np.array(wanted)[:, None]
        if len(set(wanted)) < 2:
            return None
        score, near = self.learnt.score, self._said("score")
        if score is not None and [score.value(one.after) - score.value(one.before) for one in done] == list(wanted):
            return score
        for form in FORMS:
            befores, afters, laters = (
                np.stack([form.read(getattr(one, name)) for one in done]) for name in ("before", "after", "later")
            )
            kept = ((befores >= 0) & (afters >= 0) & (afters == laters)).all(axis=0)
            for scale in SCALES:
                places = np.flatnonzero((((afters - befores) * scale == points) & kept).all(axis=0)).tolist()
                if places:
                    return Score(min(places, key=lambda at: abs(at - near)), form, scale, kept=False)
        return None

    def _said(self, name: str) -> int:
        entry = self.reading.map.entries.get(name)
        addresses = [] if entry is None else entry.byte_addresses()
        return self.poker.ground.rig.offset(min(addresses)) if addresses else 0

    def _count(self, name: str, rams: Sequence[Bytes], wanted: Sequence[int]) -> None:
        """Reports whether an entry reads ``wanted[i]`` in ``rams[i]``, and if not, the nearest bytes that do."""
        entry = self.reading.map.entries.get(name)
        if entry is None:
            return
        reads = [self.reading.value(name, ram) for ram in rams]
        if reads == list(wanted):
            self.report.holds.append(name)
            return
        old = self._said(name)
        number = next(at for at, value in enumerate(wanted) if reads[at] != value)
        says = f"it reads {reads[number]} where it must be {wanted[number]}"
        seen = f"it must have been {', '.join(map(str, wanted))} after {counted(len(wanted), 'lock')}"
        places = sorted(places_of(rams, wanted), key=lambda one: (one[1].name != entry.type, abs(one[0] - old)))
        if not places or len(set(wanted)) < 2:
            self.values.leave_out(name, says, seen)
            return
        address, kind = self.poker.ground.rig.address(places[0][0]), places[0][1]
        patch = {"address": address, "type": kind.name, "source": "calibrated"}
        where = (self.poker.ground.rig.address(old), address)
        mend = f"address: {address:#06x}, type: {kind.name}"
        self.report.findings.append(Finding(name, where, says, seen, mend, entries={name: patch}))


def places_of(rams: Sequence[Bytes], values: Sequence[int]) -> Iterator[tuple[int, Kind]]:
    """(offset, kind) of all numbers of one, two or four bytes that have ``values[i]`` in ``rams[i]``."""
    for kind in (KINDS["u16be"], KINDS["u16le"], KINDS["u8"], KINDS["u32be"]):
        whole = np.stack([kind.everywhere(Image(0, ram)) for ram in rams])
        yield from ((int(at), kind) for at in np.flatnonzero((whole == np.array(values)[:, None]).all(axis=0)))


def _flat(grid: Grid | None) -> str:
    """A grid in one line, without its empty rows."""
    return "an unknown field" if grid is None else "/".join(str(grid).split("\n")).lstrip("./") or "empty"
