"""What a coach says about Pochi & Nyaa (``ochibot.falling.advice.Adviser``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from ochibot.data import data_path
from ochibot.falling.advice import DEADLY, NOTE, STONE, WARNING, Danger, Reach
from ochibot.nyaa.chance import Chance
from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, ROWS, Grid
from ochibot.nyaa.rules.lock import heights
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.player import load_nyaa_player
from ochibot.nyaa.search.twoply import Decision, NyaaPlayer, as_it_will_lie
from ochibot.wording import counted

_NEAR_END: Final = 3
"""With so few free rows in the middle column, the end is near."""


class NyaaAdviser:
    """Says what placements lead to and what is dangerous. An instance has its own scratch memory: use one per thread.

    The attack in reach is the value of the best single needle that could light a grid, by the metric ``best``.
    """

    player = match_player = "nyaa_beam"
    again: ClassVar[Mapping[str, int]] = {}

    def __init__(self, rules: Rules) -> None:
        """Raises ConfigError for rules that the search can't play by."""
        self.rules = rules
        self._chance = Chance(rules)
        self._scout = NyaaPlayer(load_nyaa_player(data_path("configs/players/nyaa.yaml")), rules)

    def prepare(self) -> None:
        """Loads (or compiles) the kernels."""
        self._scout.prepare()

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns are visible."""
        return ROWS, COLUMNS

    def rows(self, snapshot: Snapshot) -> list[list[int]]:
        """The rows' codes."""
        plain = [STONE if code == NUISANCE else code for code in snapshot.grid.codes]
        return [plain[at : at + COLUMNS] for at in range(0, len(plain), COLUMNS)]

    def row_of(self, y: int) -> int:
        """The index of a row; y counts from the floor."""
        return ROWS - y

    def _best(self, snapshot: Snapshot, grid: Grid) -> int:
        """The attack of the best needle on a grid."""
        return self._scout.measure(replace(snapshot, grid=grid, opponent=None, pending=0)).metrics["best"]

    def effects(self, snapshot: Snapshot, decisions: Sequence[Decision]) -> list[tuple[str, str]]:
        """For each decision: the attack that it makes, and the one in reach afterwards."""
        found = []
        for decision in decisions:
            outcome = decision.outcome
            best = 0 if outcome.over else self._best(snapshot, outcome.grid)
            found.append((self._attack(outcome.attack), f"an attack of {best} in reach" if best else ""))
        return found

    def _attack(self, attack: int) -> str:
        return f"attack {attack}, {attack * self.rules.attack.nuisance_each} nuisance" if attack else ""

    def fire(self, snapshot: Snapshot, decision: Decision) -> str:
        """Whether to light needles now."""
        if decision.outcome.attack:
            return f"light it now: {self._attack(decision.outcome.attack)}"
        best = self._best(snapshot, snapshot.grid)
        return f"don't light the {best} yet" if best else ""

    def in_reach(self, snapshot: Snapshot) -> Reach:
        """The attack of the best needle on the grid."""
        best = self._best(snapshot, snapshot.grid)
        return Reach(0, best, best * self.rules.attack.nuisance_each)

    def chance(self, snapshot: Snapshot) -> float | None:
        """The chance of winning the match."""
        return self._chance.chance(snapshot)

    def dangers(self, snapshot: Snapshot) -> list[Danger]:
        """What threatens this side: its own high middle column, nuisance above it, the other side's best needle."""
        found = []
        column, row = self.rules.over_cell
        free = row - heights(snapshot.grid)[column - 1] - 1
        if free <= _NEAR_END:
            text = f"your middle column has {counted(max(0, free), 'free row')}"
            found.append(Danger(text, DEADLY if free <= 0 else WARNING))
        deadly = COLUMNS * max(1, free + 1)
        if snapshot.pending:
            grave = DEADLY if snapshot.pending >= deadly else WARNING if snapshot.pending >= COLUMNS else NOTE
            found.append(Danger(f"{snapshot.pending} nuisance above your grid", grave))
        if snapshot.opponent is None:
            return found
        other, coming = snapshot.opponent.burnt_out(self.rules)
        if coming:
            grave = DEADLY if snapshot.pending + coming >= deadly else WARNING if coming >= COLUMNS else NOTE
            found.append(Danger(f"{coming} nuisance comes when their ignition ends", grave))
        if (sent := self._threat(snapshot, other)) >= COLUMNS:
            found.append(Danger(f"the other side can send {sent}", WARNING if sent >= deadly else NOTE))
        return found

    def _threat(self, snapshot: Snapshot, other: Opponent) -> int:
        """The nuisance that the other side's falling pair can send as needles."""
        grid = as_it_will_lie(other.grid)
        theirs = replace(snapshot, grid=grid, pair=other.pair or snapshot.pair, opponent=None, pending=0)
        value = self._scout.measure(theirs).metrics["best" if other.pair is None else "ready"]
        sent = value * self.rules.attack.nuisance_each
        return max(0, sent - other.pending) if self.rules.attack.offset else sent
