"""What a coach says about Puyo Puyo (``ochibot.falling.advice.Adviser``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

import numpy as np

from ochibot.data import data_path
from ochibot.falling.advice import DEADLY, NOTE, STONE, WARNING, Danger, Reach
from ochibot.puyo.chance import Chance
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.draw import futures_of, palette
from ochibot.puyo.search.chain.layout import ROOTS
from ochibot.puyo.search.chain.safety import Keeper
from ochibot.puyo.search.chain.search import SEEN, BeamSearch, Floats, can_search, plan_of, seen_pairs
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import known_pairs
from ochibot.puyo.search.twoply import Decision
from ochibot.puyo.search.versus.outlook import Outlook, Scout
from ochibot.wording import counted

_ROOTS: Final = {lock: number for number, lock in enumerate(lock_order())}
_NODES: Final = 8_000
"""About how many boards are examined to say what places build towards."""
_HEAVY: Final = 6
"""Less nuisance than this is no danger: one row."""
_NEAR_END: Final = 3
"""With so few free rows in the third column, the end is near."""


class PuyoAdviser:
    """Says what placements lead to and what is dangerous. An instance has its own scratch memory: use one per thread.

    Chains that are built towards are those of the search of the player ``chain``: the mean, over random futures, of the
    best chain in reach at its end. Their steps are those that so many points stand for at least.
    """

    player = "chain"
    match_player = "versus"
    again: ClassVar[Mapping[str, int]] = {"nodes": 8_000}

    def __init__(self, rules: Rules) -> None:
        """Raises ConfigError for rules that the search can't play by."""
        self.rules = rules
        self._config = load_chain_player(data_path("configs/players/chain.yaml"))
        self._own, self._other = Scout(self._config, rules), Scout(self._config, rules)
        self._keeper = Keeper(rules)
        self._chance = Chance(rules)
        self._search: BeamSearch | None = None

    def prepare(self) -> None:
        """Loads (or compiles) the kernels."""
        self._keeper.prepare()

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns are visible."""
        return self.rules.visible_rows, COLUMNS

    def rows(self, snapshot: Snapshot) -> list[list[int]]:
        """The visible rows' codes."""
        codes = snapshot.field.codes[(ROWS - self.rules.visible_rows) * COLUMNS :]
        plain = [STONE if code == NUISANCE else code for code in codes]
        return [plain[at : at + COLUMNS] for at in range(0, len(plain), COLUMNS)]

    def row_of(self, y: int) -> int:
        """The index of a row among the visible ones."""
        return y - (ROWS - self.rules.visible_rows)

    def reaches(self, snapshot: Snapshot) -> Floats | None:
        """For each first lock, by its index in the order of locks, the points of the chain that it builds towards; None
        where the search can't begin.
        """
        pairs = seen_pairs(snapshot)
        if not pairs or not can_search(snapshot):
            return None
        plan = plan_of(_NODES, len(pairs))
        if self._search is None or self._search.width != plan.width:
            self._search = BeamSearch(self.rules, self._config.vector(), plan.width)
        search = self._search
        search.colors(palette(snapshot.field, pairs, snapshot.colors))
        search.look(snapshot.field, snapshot.state, pairs)
        if not search.depth:
            return np.zeros(ROOTS)
        futures = futures_of(snapshot, pairs, max(0, plan.plies - search.depth), plan.futures, 0)
        total = np.zeros(ROOTS)
        for drawn in futures:
            fired = np.zeros(ROOTS)
            last = search.follow(search.seen[search.depth - 1], drawn, 1.0, fired)
            np.maximum.at(fired, last.roots[: last.count], last.reach[: last.count])
            total += fired
        mean: Floats = total / len(futures)
        return mean

    def effects(self, snapshot: Snapshot, decisions: Sequence[Decision]) -> list[tuple[str, str]]:
        """For each decision: the chain that it sets off, and the one that it builds towards."""
        reaches = self.reaches(snapshot)
        found = []
        for decision in decisions:
            now = self._chain(snapshot, decision.outcome.chain, decision.outcome.score)
            lock = decision.placement
            root = _ROOTS.get((lock.x, lock.orientation))
            steps = 0 if reaches is None or root is None else self._own.steps(int(reaches[root]))
            found.append(
                (now, f"towards about a {steps}-chain" if steps > 1 and not decision.outcome.game_over else "")
            )
        return found

    def _chain(self, snapshot: Snapshot, steps: int, points: int) -> str:
        if not steps:
            return ""
        sent = self._nuisance(snapshot, points) if snapshot.rival is not None else 0
        return f"{steps}-chain, {points:,} points" + (f", {sent} nuisance" if sent else "")

    def _nuisance(self, snapshot: Snapshot, points: int) -> int:
        return points // max(1, self.rules.nuisance.points_at(snapshot.frame))

    def fire(self, snapshot: Snapshot, decision: Decision) -> str:
        """Whether to set off a chain now."""
        outcome = decision.outcome
        if outcome.chain:
            return f"set it off now: {self._chain(snapshot, outcome.chain, outcome.score)}"
        own = self._outlook(snapshot)
        best = None if own is None else own.best
        if best is None or self._own.steps(best.points) < 2:
            return ""
        return f"don't set off the {self._own.steps(best.points)}-chain yet"

    def _outlook(self, snapshot: Snapshot) -> Outlook | None:
        pairs = seen_pairs(snapshot)
        if not pairs or not can_search(snapshot):
            return None
        colors = palette(snapshot.field, pairs, snapshot.colors)
        return self._own.look(snapshot.field, snapshot.state, pairs, colors)

    def in_reach(self, snapshot: Snapshot) -> Reach | None:
        """The best chain that the visible pairs can set off. Its steps are the most that its points stand for at
        least.
        """
        own = self._outlook(snapshot)
        if own is None:
            return None
        return Reach(self._own.steps(own.sure), own.sure, self._nuisance(snapshot, own.sure))

    def chance(self, snapshot: Snapshot) -> float | None:
        """The chance of winning the match."""
        return self._chance.chance(snapshot)

    def dangers(self, snapshot: Snapshot) -> list[Danger]:
        """What threatens this side: its own high field, nuisance above it or on its way, the other side's chains."""
        found = []
        free = self._own.free(snapshot.field)
        if free <= _NEAR_END:
            text = f"your third column has {counted(free, 'free row')}"
            found.append(Danger(text, DEADLY if free <= 1 else WARNING))
        rival = snapshot.rival
        if rival is None:
            return found
        deadly = max(1, self._own.deadly(snapshot.field))
        if snapshot.waiting:
            text = f"{snapshot.waiting} nuisance above your field"
            found.append(Danger(text, self._grave(snapshot.waiting, deadly)))
        if rival.coming and rival.frames:
            text = f"the other side's chain sends {rival.coming}"
            found.append(Danger(text, self._grave(snapshot.waiting + rival.coming, deadly), rival.frames))
            return found
        amount, sooner = self._threat(snapshot, rival)
        if amount >= _HEAVY:
            text = f"the other side can send {amount} {'at once' if sooner else 'with its next pairs'}"
            found.append(Danger(text, WARNING if amount >= deadly else NOTE))
        return found

    @staticmethod
    def _grave(amount: int, deadly: int) -> int:
        return DEADLY if amount >= deadly else WARNING if amount >= COLUMNS else NOTE

    def _threat(self, snapshot: Snapshot, rival: Rival) -> tuple[int, bool]:
        """(the most nuisance that the other side's visible pairs can send; whether the first of them does)."""
        pairs = known_pairs(rival.pairs, SEEN)
        if not pairs or not rival.field.is_settled():
            return 0, False
        colors = palette(rival.field, pairs, snapshot.colors)
        seen = self._other.look(rival.field, self.rules.spawn, pairs, colors)
        at_once = 0 if seen.best is None else seen.best.points
        sooner = at_once >= seen.later
        amount = self._nuisance(snapshot, max(at_once, seen.later))
        offset = rival.waiting if self.rules.nuisance.offset else 0
        return max(0, amount - offset), sooner
