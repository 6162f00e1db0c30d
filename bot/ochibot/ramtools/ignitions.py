"""Checks ignitions by experiment, in games of the family nyaa: what pops, the attack, and where RAM counts it.

Blocks are written into the live field, and a pair of needles falls beside them. The rules predict the outcome of each
experiment. The bytes that agree with the predictions in all experiments are the attack and the score.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np

from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, Grid, cell_of
from ochibot.nyaa.rules.lock import Outcome, place
from ochibot.nyaa.rules.motion import cells_of, dropped
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement
from ochibot.nyaa.rules.profile import IdleNeedle, Rules, Ruleset
from ochibot.ramtools.bench import Bench
from ochibot.ramtools.counts import places_of, report_count
from ochibot.ramtools.findings import Finding
from ochibot.ramtools.image import Image
from ochibot.ramtools.kinds import KINDS
from ochibot.ramtools.needles import Needles
from ochibot.ramtools.reading import Paper
from ochibot.ramtools.scores import ScoreForm, digit_rows

FIELDS: Final = 8
"""How many fields with different attacks or tails are ignited."""

MOST_DRAWN: Final = 400
"""How many random fields are drawn at most, to find FIELDS with different attacks or tails."""

IDLE: Final[tuple[IdleNeedle, ...]] = ("block", "vanish")
"""The values that ``place`` supports of the rule ``idle_needle``: what becomes of a needle that lights nothing."""


@dataclass(frozen=True, eq=False)
class Ignition:
    """One experiment. grid: before the lock. pair, placement: what locked. before, after: RAM when the pair answered
    the pad, and at the next spawn. later: RAM at the spawn after that, when another pair has locked as blocks. seen:
    the field in ``after``; None when a byte has no meaning in a field.
    """

    grid: Grid
    pair: Pair
    placement: Placement
    before: Image
    after: Image
    later: Image
    seen: Grid | None

    def outcome(self, rules: Rules) -> Outcome:
        """The outcome that the rules predict."""
        return place(self.grid, self.pair, self.placement, rules)


class Ignitions:
    """Checks the rules of ignitions, and the entries ``attack``, ``tails`` and ``score``."""

    def __init__(self, needles: Needles, paper: Paper, codes: Mapping[str, int], pending: int | None) -> None:
        """``codes``: the family's numbers for what can lie in a cell. ``pending``: the address of the byte that counts
        pending nuisance; None when no nuisance was seen to fall.
        """
        self.pending = pending
        self.needles = needles
        self.bench: Bench = needles.bench
        self.paper = paper
        self.report = self.bench.report
        self.codes = codes
        self.names = {number: name for name, number in codes.items()}

    def run(self, state: bytes) -> list[Ignition]:
        """Runs all checks, from a state in which a pair of two colours answers the pad. Returns the experiments."""
        done = list(self._ignite(state))
        whole = [each for each in done if each.seen is not None]
        if len(whole) < FIELDS // 2:
            self.report.notes.append("attack, score: not checked, too few fields that were written could be ignited")
            return done
        rules = self._rules(whole)
        if rules is not None:
            self._numbers(whole, rules)
        return done

    # the experiments

    def grid_of(self, image: Image) -> Grid | None:
        """The field in an image of RAM; None when a byte has no meaning in a field."""
        cells = self.bench.grid.read(image)
        symbols = [self.bench.colors.cell.of(int(byte)) for byte in cells.reshape(-1)]
        codes = [self.codes.get(symbol or "", 255) for symbol in symbols]
        return Grid(bytes(codes)) if max(codes) <= NUISANCE else None

    def _ignite(self, state: bytes) -> Iterator[Ignition]:
        drops = self.bench.lab
        drops.load(state)
        begin = drops.lab.look()
        clear, pair = self.grid_of(begin), self._pair(begin)
        if clear is None or pair is None:
            return
        for number, (grid, placement) in enumerate(self._fields(clear, pair)):
            drops.load(state)
            before = drops.lab.look()
            for cell, code in enumerate(grid.codes):
                if code != clear.codes[cell]:
                    row, column = divmod(cell, COLUMNS)
                    self.bench.put([(column + 1, row + self.bench.grid.top)], self.names[code])
            if self.pending is not None and number % 2 and place(grid, pair, placement, self.bench.rules).attack > 1:
                # an attack cancels pending nuisance first, so bytes that count what is sent don't fit the attack
                drops.lab.poke(self.pending, 1)
            here = drops.lab.save()
            drop = drops.drop_after(here, self.needles.button)
            if drop.spawned:
                drops.to_control()
                later = drops.drop(None, 0).end
                yield Ignition(grid, pair, placement, before, drop.end, later, self.grid_of(drop.end))

    def _pair(self, image: Image) -> Pair | None:
        colors = [self.codes.get(symbol or "", 0) for symbol in self.bench.colors.of_pair(image)]
        return Pair(*colors) if all(colors) else None

    def _fields(self, clear: Grid, pair: Pair) -> Iterator[tuple[Grid, Placement]]:
        """Yields random fields, each with the pair's placement. By the rules, none has a tie, lost halves or game over.

        Stops at FIELDS different results (attack and tails), or after MOST_DRAWN draws. Results may repeat only in the
        second half of the draws. Attacks below 4 are skipped until there are FIELDS // 2 different results.
        """
        dice = random.Random(1)
        spawn = self.bench.spawn
        seen: set[tuple[int, int]] = set()
        for number in range(MOST_DRAWN):
            grid = self._drawn(clear, pair, dice)
            rest = dropped(cells_of(grid), NyaaState(spawn.x, spawn.y, spawn.orientation, True))
            placement = Placement(*rest)
            found = place(grid, pair, placement, self.bench.rules)
            worth = found.attack, found.t
            if found.tied or found.over or found.lost or (worth in seen and number < MOST_DRAWN // 2):
                continue
            if len(seen) < FIELDS // 2 and found.attack < 4:
                continue
            seen.add(worth)
            yield grid, placement
            if len(seen) == FIELDS:
                return

    def _drawn(self, clear: Grid, pair: Pair, dice: random.Random) -> Grid:
        """A field with random heaps, mostly of the axis's colour, in the empty columns other than the spawn column."""
        kinds = [pair.axis] * 6 + [pair.partner, *([NUISANCE] if self.pending is not None else [])]
        grid = clear
        for x in range(1, COLUMNS + 1):
            if x != self.bench.spawn.x and not grid.block(cell_of(x, 1)):
                for y in range(1, dice.randint(1, 5)):
                    grid = grid.with_block(cell_of(x, y), dice.choice(kinds))
        return grid

    # the rules

    def _rules(self, done: Sequence[Ignition]) -> Rules | None:
        """Finds rules that explain all outcomes, and reports them. Tries the given rules first; None if no rules do."""
        given: Rules = self.bench.rules
        tried = [replace(given, idle_needle=idle, nuisance_pops=pops) for idle, pops in product(IDLE, (True, False))]
        found = next((rules for rules in (given, *tried) if self._explains(done, rules)), None)
        if found is None:
            wrong = next(each for each in done if each.outcome(given).grid != each.seen)
            self.report.findings.append(
                Finding(
                    "rules",
                    (self.bench.grid.address,),
                    "a field that was ignited came out otherwise than by the rules",
                    f"{_flat(wrong.grid)} became {_flat(wrong.seen)}, by the rules {_flat(wrong.outcome(given).grid)}",
                    None,
                )
            )
            return None
        told = {"idle_needle": True, "nuisance_pops": any(NUISANCE in each.grid.codes for each in done)}
        for name, sure in told.items():
            value = getattr(found, name)
            if value != getattr(given, name):
                shown = str(value).lower()
                self.report.findings.append(
                    Finding(
                        f"rules.{name}",
                        (),
                        f"the rules say {name}: {str(getattr(given, name)).lower()}",
                        f"{len(done)} fields that were ignited came out as by {name}: {shown}",
                        f"{name}: {shown}",
                        rules={name: value},
                    )
                )
            elif sure:
                self.report.holds.append(f"rules.{name}")
        return found

    @staticmethod
    def _explains(done: Sequence[Ignition], rules: Rules) -> bool:
        return all(each.outcome(rules).grid == each.seen for each in done)

    # attack, tails, score

    def _numbers(self, done: Sequence[Ignition], given: Rules) -> None:
        """Finds the ruleset that fits, and checks the map's attack, tails and score against it."""
        rulesets = [given.ruleset, *(each for each in Ruleset if each is not given.ruleset)]
        ways = [replace(given, ruleset=ruleset) for ruleset in rulesets]
        said = next((rules for rules in ways if self._agrees(done, rules)), None)
        rules = said or next((rules for rules in ways if self._somewhere(done, rules)), None)
        if rules is None:
            self.report.notes.append("attack, score: not checked, no bytes of RAM count what ignitions are worth")
            return
        if rules.ruleset is not given.ruleset:
            self.report.findings.append(
                Finding(
                    "rules.ruleset",
                    (),
                    f"the rules say ruleset: {given.ruleset.value}",
                    f"attacks were worth {', '.join(str(each.outcome(rules).attack) for each in done)}, as by "
                    f"{rules.ruleset.value}; by {given.ruleset.value} they would be "
                    f"{', '.join(str(each.outcome(given).attack) for each in done)}",
                    f"ruleset: {rules.ruleset.value}",
                    rules={"ruleset": rules.ruleset},
                )
            )
        else:
            self.report.holds.append("rules.ruleset")
        outcomes = [each.outcome(rules) for each in done]
        # the later lock, of blocks, makes no attack: so bytes that count the round's total don't fit
        images = [each.after for each in done] + [each.later for each in done]
        nothing = [0] * len(done)
        report_count(self.paper, self.report, "attack", images, [each.attack for each in outcomes] + nothing)
        report_count(self.paper, self.report, "tails", images, [each.t for each in outcomes] + nothing)
        self._score(done, [rules.attack.score_each * each.attack for each in outcomes])

    def _agrees(self, done: Sequence[Ignition], rules: Rules) -> bool:
        """Whether the map's attack equals the rules' attack, or the map's score rises in proportion to it."""
        attacks = [each.outcome(rules).attack for each in done]
        if "attack" in self.paper and [self.paper.value("attack", each.after) for each in done] == attacks:
            return True
        return "score" in self.paper and self._ratio(done, attacks) is not None

    def _somewhere(self, done: Sequence[Ignition], rules: Rules) -> bool:
        outcomes = [each.outcome(rules) for each in done]
        attacks = [each.attack for each in outcomes]
        points = [rules.attack.score_each * attack for attack in attacks]
        return bool(places_of([each.after for each in done], attacks)) or self._search(done, points) is not None

    def _ratio(self, done: Sequence[Ignition], wanted: Sequence[int]) -> tuple[int, int] | None:
        """(rise of the map's score, wanted rise) in one experiment; None unless their ratio is the same in all."""
        rises = self._rises(done)
        share = next(((rise, points) for rise, points in zip(rises, wanted, strict=True) if points), None)
        if share is None or share[0] <= 0:
            return None
        same = all(rise * share[1] == points * share[0] for rise, points in zip(rises, wanted, strict=True))
        return share if same else None

    def _rises(self, done: Sequence[Ignition]) -> list[int]:
        return [self.paper.value("score", each.after) - self.paper.value("score", each.before) for each in done]

    def _score(self, done: Sequence[Ignition], wanted: Sequence[int]) -> None:
        entry: Any = self.paper.map.entries.get("score")
        if entry is None:
            self.report.notes.append("score: not checked, the map has none")
            return
        share = self._ratio(done, wanted)
        old = min(entry.byte_addresses(), default=0)
        if share is not None and share[0] == share[1]:
            self.report.holds.append("score")
            return
        rises = self._rises(done)
        says = f"it rose by {rises[0]} where it must rise by {wanted[0]}"
        seen = f"it must have risen by {', '.join(map(str, wanted))}"
        if share is not None:
            scale, rest = divmod(entry.scale * share[1], share[0])
            patch = {"scale": scale} if not rest else {"scale": entry.scale * share[1], "divide": share[0]}
            mend = ", ".join(f"{name}: {value}" for name, value in patch.items())
            patch = {**patch, "source": "calibrated"}
            self.report.findings.append(Finding("score", (old,), says, seen, mend, entries={"score": patch}))
            return
        form = self._search(done, wanted)
        if form is None:
            drop = "score: null, the game is played without it"
            self.report.findings.append(Finding("score", (old,), says, seen, drop, entries={"score": None}))
            return
        patch = form.patch()
        mend = ", ".join(
            f"{name}: {value:#06x}" if name == "address" else f"{name}: {value}" for name, value in patch.items()
        )
        patch = {**patch, "source": "calibrated"}
        self.report.findings.append(Finding("score", (old, form.address), says, seen, mend, entries={"score": patch}))

    def _search(self, done: Sequence[Ignition], wanted: Sequence[int]) -> ScoreForm | None:
        """Finds a number in RAM, or a row of digits, that rose by ``wanted[i]`` in each ignition ``done[i]``.

        It must have kept its value at the next lock. None if there is none, or if all wanted rises are equal.
        """
        if len(set(wanted)) < 2:
            return None
        entry: Any = self.paper.map.entries.get("score")
        first = KINDS.get(getattr(entry, "type", ""), KINDS["u32be"])
        near = min(entry.byte_addresses(), default=0) if entry is not None else 0
        points = np.array(wanted)[:, None]
        for kind in (first, *(each for each in KINDS.values() if each.width >= 2 and each != first)):
            ends = [kind.everywhere(each.after) for each in done]
            rises = np.stack([end - kind.everywhere(each.before) for end, each in zip(ends, done, strict=True)])
            # bytes that the next lock resets aren't the score: they count the attack or a part of it
            kept = np.stack([end == kind.everywhere(each.later) for end, each in zip(ends, done, strict=True)])
            for scale in dict.fromkeys((getattr(entry, "scale", 1), 1, 10, 100)):
                places = np.flatnonzero(((rises * scale == points) & kept).all(axis=0)).tolist()
                if places:
                    at = min(places, key=lambda place: abs(done[0].before.base + place - near))
                    return ScoreForm(done[0].before.base + at, scale, kind)
        before, after = [each.before for each in done], [each.after for each in done]
        return digit_rows(before, after, [each.later for each in done], wanted)


def _flat(grid: Grid | None) -> str:
    """A grid in one line, without its empty rows."""
    return "an unknown field" if grid is None else "/".join(str(grid).split("\n")).lstrip("./") or "empty"
