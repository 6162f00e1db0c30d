"""Compares rules of the family puyo with what locks were worth, and how pieces turned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat
from typing import Any, Final

from ochibot.errors import CalibrationError
from ochibot.experiments.chains import long_chain
from ochibot.experiments.effects import Poker
from ochibot.experiments.formula import MOST_STEPS, Formula, Trial
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.score import UNIT
from ochibot.puyo.rules.profile import Rules
from ochibot.ramtools.findings import Finding, Report
from ochibot.wording import counted

COUNTS: Final = range(2, 12)


def units(rules: Rules, formula: Formula, size: int) -> tuple[int, int]:
    """What is worth as much by the rules as by the learnt formula: a cell; or a group, where cells alone aren't."""
    if not (rules.general or formula.other_form):
        return rules.score_unit, formula.unit
    return rules.step_score(1, [size], 1), formula.points(size, Trial(1, (size,), 1, 0))


class RulesEntries:
    """Compares rules one by one. Findings go into the report."""

    def __init__(self, rules: Rules, learnt: Learnt, poker: Poker, report: Report) -> None:
        self.rules = rules
        self.learnt = learnt
        self.poker = poker
        self.report = report
        formula = learnt.formula
        self.size = learnt.size or 0
        self.unit = UNIT if formula is None else formula.unit
        # what a lock was worth, in units of a cell by the rules
        self.worth = {name: points // UNIT for name, points in (formula.seen if formula is not None else ())}

    def compare(self) -> None:
        """Compares turns, and what chains, groups, colours and rows with Down are worth."""
        self._turns()
        self._kicks()
        if self.learnt.formula is None or self.learnt.score is None:
            self.report.notes.append("rules of the score: not checked, no number in RAM grows as a score does")
            return
        formula = self.learnt.formula
        if formula.doubt:
            self.report.notes.append(f"rules of the score: not checked, {formula.doubt}")
            return
        said, own = units(self.rules, formula, self.size)
        self._drop_bonus(formula.drop_bonus * said // own)
        self._all_clear(formula, said, own)
        if self.rules.general or formula.other_form:
            self._whole(formula, said, own)
            return
        rules = replace(self.rules, chain_power=tuple(self._chain_power()))
        self._bonus(rules, "group_bonus", "group", "groups", range(self.size + 1, 12))
        self._bonus(rules, "color_bonus", "colours", "colours", range(2, 6))

    def _turns(self) -> None:
        turns = "box" if self.learnt.stance.denotes == "box" else "axis"
        if turns == self.rules.turns:
            # an axis is what rules that say nothing of turns mean
            self.report.holds += ["rules.turns"] if turns == "box" else []
            return
        stays = {"axis": "a half that stays in its place", "box": "a box of 2 x 2 cells"}
        self._tell(
            "rules.turns",
            f"the rules say turns: {self.rules.turns}",
            f"a pair turns {'around' if turns == 'axis' else 'within'} {stays[turns]}",
            f"turns: {turns}",
            {"turns": turns, **({"quick_turn": False} if turns == "box" else {})},
        )

    def _kicks(self) -> None:
        kicks = self.learnt.kicks
        what = None if kicks is None else kicks.wall
        if what is None:
            self.report.notes.append("kicks: not checked, no turn at a wall could be seen")
        elif what is self.rules.kicks:
            self.report.holds.append("rules.kicks")
        else:
            moved = "moves off the wall" if what else "doesn't turn"
            self._tell(
                "rules.kicks",
                f"the rules say kicks: {str(not what).lower()}",
                f"an upright pair beside a wall that is turned towards it {moved}",
                f"kicks: {str(what).lower()}",
                {"kicks": what},
            )

    def _whole(self, formula: Formula, said: int, own: int) -> None:
        """Compares what steps are worth, where a formula has parts beside the published ones."""
        size = self.size
        tried = [Trial(step, (count,), 1, 0) for step in range(1, len(formula.chain_power) + 1) for count in COUNTS]
        tried += [Trial(step, (size + one, size), 1, 0) for step in (1, 2) for one in range(3)]
        tried += [Trial(1, (size,) * many, many, 0) for many in formula.color_bonus]
        tried += [Trial(step, (size,) * many, 1, 0) for step in (1, 2) for many in (2, 3)]
        for one in tried:
            if one.groups[0] < size:
                continue
            by_rules = self.rules.step_score(one.step, [*one.groups], one.colors)
            seen = formula.points(size, one) * said // own
            if by_rules != seen:
                what = f"step {one.step} with groups of {_list(one.groups)}"
                self._tell(
                    "rules.score",
                    f"{what} is worth {counted(by_rules, 'point')} by the rules",
                    f"it is worth {counted(seen, 'point')}",
                    "the entries of score: as `ochibot calibrate` writes them",
                    {},
                )
                return
        self.report.holds.append("rules.score")

    def _tell(self, about: str, says: str, seen: str, mend: str, rules: dict[str, Any]) -> None:
        self.report.findings.append(Finding(about, (), says, seen, mend, rules=rules))

    def _drop_bonus(self, bonus: int) -> None:
        said = self.rules.drop_bonus
        if bonus == said:
            self.report.holds.append("rules.drop_bonus")
            return
        self._tell(
            "rules.score.drop_bonus",
            f"a row with Down held is worth {counted(said, 'point')} by the rules",
            f"it was worth {counted(bonus, 'point')}",
            f"drop_bonus: {bonus}",
            {"score": {"drop_bonus": bonus}},
        )

    def _all_clear(self, formula: Formula, said: int, own: int) -> None:
        """Compares what an emptied field is worth at once, and after a longer chain, as far as that was seen."""
        rules = self.rules
        if formula.all_clear is None or rules.all_clear_paid != "now":
            return
        per = formula.all_clear_per or rules.all_clear_per
        if per == "step" and not formula.all_clear_per:
            return
        seen: dict[str, Any] = {"all_clear_bonus": formula.all_clear * said // own}
        if any((*seen.values(), rules.all_clear_bonus)):
            seen |= {"all_clear_when": "lowest_row" if formula.lowest_row else "empty", "all_clear_per": per}
            told = {name: getattr(rules, name) for name in seen}
            if seen == told:
                self.report.holds.append("rules.all_clear_bonus")
                return
            words = [", ".join(f"{name}: {value}" for name, value in one.items()) for one in (told, seen)]
            about = "rules.score.all_clear_bonus"
            self._tell(about, f"the rules say {words[0]}", f"what was seen is {words[1]}", words[1], {"score": seen})

    def _chain_power(self) -> list[int]:
        """Compares the powers of a chain's steps. Returns the powers by the rules, with those that were seen."""
        rules, score = self.rules, self.learnt.score
        assert score is not None
        try:
            rises = long_chain(self.poker, score, self.size, MOST_STEPS)
            seen = [rise // (self.unit * self.size) for rise in rises]
        except CalibrationError as error:
            chains = [self.worth[f"group {self.size}"]] if f"group {self.size}" in self.worth else []
            while f"chain {len(chains) + 1}" in self.worth:
                chains.append(self.worth[f"chain {len(chains) + 1}"])
            seen = [(now - before) // self.size for before, now in zip([0, *chains], chains, strict=False)]
            self.report.notes.append(f"chains: only {counted(len(seen), 'step')} compared: {error}")
        table = [*rules.chain_power, *repeat(rules.chain_power[-1], MOST_STEPS)][: max(1, len(seen))]
        power = [
            said if max(1, min(said, rules.max_multiplier)) == found else found
            for said, found in zip(table, seen, strict=False)
        ]
        if power == table[: len(power)]:
            self.report.holds += ["rules.chain_power"] if seen else []
            return table
        wrong = next(step for step, (said, found) in enumerate(zip(table, power, strict=False)) if said != found)
        whole = [*power, *rules.chain_power[len(power) :]]
        while len(whole) > 1 and whole[-1] == whole[-2]:
            whole.pop()
        self._tell(
            "rules.score.chain_power",
            f"step {wrong + 1} of a chain is worth {table[wrong]} by the rules",
            f"the steps of a chain of {len(seen)} were worth {_list(seen)}",
            f"chain_power: [{_list(whole)}]",
            {"score": {"chain_power": whole}},
        )
        return whole

    def _bonus(self, rules: Rules, table: str, event: str, many: str, numbers: Iterable[int]) -> None:
        """Compares a table of bonuses with the locks whose names begin with ``event``. rules: with the chain's powers
        as they were seen.
        """
        said: tuple[int, ...] = getattr(rules, table)
        groups = {number: [number] if event == "group" else [self.size] * number for number in numbers}
        seen = {
            number: self.worth[f"{event} {number}"] // sum(sizes)
            for number, sizes in groups.items()
            if f"{event} {number}" in self.worth
        }
        wanted = {}
        for number in seen:
            colors = 1 if event == "group" else number
            wanted[number] = rules.step_score(1, groups[number], colors) // (rules.score_unit * sum(groups[number]))
        wrong = {number: found for number, found in seen.items() if wanted[number] != found}
        if not wrong:
            self.report.holds += [f"rules.{table}"] if seen else []
            return
        most = max(len(said) - 1, *wrong)
        mended = [said[min(number, len(said) - 1)] for number in range(most + 1)]
        for number, found in wrong.items():
            mended[number] += found - wanted[number]
        self._tell(
            f"rules.score.{table}",
            f"{many} of {_list(seen)} multiply by {_list(wanted.values())} by the rules",
            f"they multiplied by {_list(seen.values())}",
            f"{table}: [{_list(mended)}]",
            {"score": {table: mended}},
        )


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
