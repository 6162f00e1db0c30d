"""The player for matches (kind ``versus``).

It builds like the player ``chain``, and compares both sides before each lock: the nuisance that waits or is on its way,
and the chains that each side can set off now or with its visible pairs. Then it does the first of these that applies:

1. *Answer*: much nuisance is due. In games with offset, it sets off the smallest chain that cancels all of it, or else
the largest chain. While the rival's chain still runs there, it makes the largest chain that can be set off before the
nuisance falls. Without offset, it sets off its largest chain before nuisance buries it, and while the rival's chain
runs, it first uses a pair that makes its own chain larger. 2. *Kill*: a chain sends more than the rival can
answer in time, and enough to fill its third column. 3. *Attack*: a chain sends enough to be worth it. In games where
nuisance beyond one batch is lost, one full batch is enough. 4. *Harass*: a small chain buries the rival's trigger and
spares the player's own. 5. *Make room*: the field is crowded, so it sets off its best chain. 6. *Build*: it avoids
locks after which the nuisance that is due would end the game, if there are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final, Unpack

from ochibot.falling.player import FromFile
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS
from ochibot.puyo.rules.nuisance import with_nuisance
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.draw import Draw, fallen, palette
from ochibot.puyo.search.chain.player import ChainJudgement, ChainPlayer
from ochibot.puyo.search.chain.safety import Keeper
from ochibot.puyo.search.chain.search import SEEN, ChainBudget, can_search, seen_pairs
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.search.placements import known_pairs, locked
from ochibot.puyo.search.twoply import Decision
from ochibot.puyo.search.versus.config import VersusConfig
from ochibot.puyo.search.versus.outlook import PIECE_FRAMES, TURN_FRAMES, Intent, Outlook, Position, Scout, ScoutedLock

_LOCKS: Final = lock_order()
_NEVER: Final = 1e9
_NO_CHAIN: Final = 99
"""More steps than any chain has."""
_COUNTER: Final = {
    "later": 1.0,
    "promise": 0.9,
    "patience": 1.2,
    "trigger": _NO_CHAIN,
    "least": 0,
    "crowded": ROWS * COLUMNS,
    "presses": 0.0,
}
"""The builder's numbers while the rival's chain runs: only the points count that a chain makes in time."""
_COUNTER_FUTURES: Final = 6
"""How many futures are searched then."""
_LASTS: Final = 0.5
"""A chain that cancels the rival's attack is set off at once if it leaves this share of the chain in reach."""
_FULL: Final = 74
"""About how many puyos a field holds at most when a chain is set off."""
_USUAL: Final = 1.25
"""About how many times the least points of so many steps a chain gives."""
_FALLS: Final = 6
"""How many random falls of the nuisance due are tried."""
_STEADY: Final = 0.66
"""The share of these falls after which the next pair must still be able to set off its chain."""


class VersusPlayer(FromFile):
    """The player; the module's text explains how it decides. Use one per thread.

    With a budget of nodes, equal snapshots get equal decisions.
    """

    watches = True

    def __init__(
        self,
        config: VersusConfig,
        rules: Rules,
        seed: int | None = None,
        **budget: Unpack[ChainBudget],
    ) -> None:
        """Takes the arguments of ``ChainPlayer``. Raises ConfigError for rules whose ``clear_size`` isn't four."""
        self.config = config
        self.rules = rules
        budget["nodes"] = budget.get("nodes") or config.nodes

        self._races = rules.nuisance.excess == "discard"
        racing = config.racing
        update: dict[str, Any] = {"trigger": _NO_CHAIN, "least": _NO_CHAIN, "crowded": ROWS * COLUMNS}
        if self._races:
            update |= {"later": racing.later, "promise": racing.promise, "standing": racing.standing}
        builder = config.builder.model_copy(update={"deciding": config.builder.deciding.model_copy(update=update)})
        ahead = (racing.plies, racing.futures) if self._races else None
        self._alone = ChainPlayer(config.builder, rules, seed, **budget)
        self._builder = ChainPlayer(builder, rules, seed, **budget, ahead=ahead, tidy=config.fighting.tidy)
        counter = config.builder.model_copy(update={"deciding": config.builder.deciding.model_copy(update=_COUNTER)})
        self._counter = ChainPlayer(counter, rules, seed, **budget)
        self._own, self._other = Scout(config.builder, rules), Scout(config.builder, rules)
        self._keeper = Keeper(rules)

    def prepare(self) -> None:
        """Loads (or compiles) the kernels, so that the first decision is quick."""
        self._builder.prepare()

    def judge(self, snapshot: Snapshot, decision: Decision) -> ChainJudgement:
        """The builder's opinion of the field after the decision. May be called from another thread."""
        return self._builder.judge(snapshot, decision)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision; None when there is no lock. Without a position, it plays as its builder does alone."""
        position = self.position(snapshot)
        if position is None:
            return self._alone.choose(snapshot)
        plan = self.plan(position)
        if plan.root is not None and (made := self._made(snapshot, plan.root)) is not None:
            return made
        return self._counter_in_time(position) if plan.in_time else self._build(position)

    def position(self, snapshot: Snapshot) -> Position | None:
        """The position before a lock; None without a rival, for items, when puyos float, when the pair is outside the
        field, and when all locks end the game.
        """
        rival = snapshot.rival
        pairs = seen_pairs(snapshot)
        if rival is None or not pairs or not can_search(snapshot):
            return None
        theirs = known_pairs(rival.pairs, SEEN)
        colors = palette(snapshot.field, (*pairs, *theirs), snapshot.colors)
        own = self._own.look(snapshot.field, snapshot.state, pairs, colors, self._keeper.reached(snapshot))
        if not own.locks:
            return None
        nothing = Outlook((), 0, -1, 0)
        seen = rival.field.is_settled() and theirs
        other = self._other.look(rival.field, self.rules.spawn, theirs, colors) if seen else nothing
        arrives = rival.frames <= PIECE_FRAMES
        due = snapshot.waiting + (rival.coming if arrives else 0)
        later = 0 if arrives else rival.coming
        each = max(1, self.rules.nuisance.points_at(snapshot.frame))
        return Position(snapshot, rival, each, due, later, own, other, colors)

    def plan(self, position: Position) -> Intent:
        """The first plan of the module's text that applies to the position."""
        fighting = self.config.fighting
        heavy = position.due + position.later >= fighting.heavy
        if heavy and (plan := self._answer(position)) is not None:
            return plan
        return self._attack(position) or Intent("build")

    def _sends(self, position: Position, points: int) -> int:
        """How much nuisance a chain of ``points`` points sends. With offset, it first cancels the nuisance that is to
        fall on the player. A result of -n means that n of this nuisance is left.
        """
        made = points // position.each
        if not self.rules.nuisance.offset:
            return made
        return made - position.due - position.later

    def _lives(self, position: Position, lock: ScoutedLock) -> bool:
        """Whether the player survives the nuisance that falls after a lock."""
        due = position.due
        if lock.points and position.later and self._own.frames(lock.points) >= position.rival.frames:
            due += position.later
        if self.rules.nuisance.offset:
            due = max(0, due - lock.points // position.each)
        return self._own.free(self._own.under(lock.field, due)) > 0

    def _can(self, position: Position, root: int) -> bool:
        """Whether the lock with this root exists and the player survives the nuisance that falls after it."""
        return any(lock.root == root and self._lives(position, lock) for lock in position.own.locks)

    def _firing(self, position: Position) -> list[ScoutedLock]:
        """The locks that set off a chain and that the player survives."""
        return [lock for lock in position.own.locks if lock.points and self._lives(position, lock)]

    def _answer(self, position: Position) -> Intent | None:
        """The answer to much nuisance, whether it is due now or on its way; None when it is better not to
        answer yet.
        """
        own, fighting = position.own, self.config.fighting
        firing = self._firing(position)
        if position.due == 0 and self.rules.nuisance.offset:
            return self._answer_in_time(position, firing)
        best = max(firing, key=lambda lock: (lock.points, lock.worth), default=None)
        waits = position.due == 0 and position.rival.frames > 2 * PIECE_FRAMES
        points = 0 if best is None else best.points
        # the nuisance on its way falls after the next lock at the earliest
        if position.due == 0 and own.later > points and self._can(position, own.later_root):
            return Intent("a larger chain first", own.later_root)
        if best is None:
            return None
        total = position.due + position.later
        if self.rules.nuisance.offset:
            enough = [lock for lock in firing if lock.points // position.each >= total]
            if enough:
                if self._sends(position, best.points) >= self._deadly(position):
                    return Intent("counter", best.root)
                return Intent("offset", max(enough, key=lambda lock: lock.worth).root)
            worse = points // position.each < min(fighting.heavy, total)
            return None if worse and self._survives_building(position) else Intent("offset what it can", best.root)
        if waits:
            return None
        # it answers only if the nuisance, which falls now or with the next lock, would bury its own chain
        lost = self._left(position, total) < fighting.spare
        small = points // position.each < fighting.heavy
        return Intent("before it is buried", best.root) if lost and not small else None

    def _answer_in_time(self, position: Position, firing: Sequence[ScoutedLock]) -> Intent:
        """The answer to a chain that still runs, in games with offset: one that kills, or a small one that cancels all
        and leaves the large one; else the largest that can be made in time.
        """
        best = max(firing, key=lambda lock: (lock.points, lock.worth), default=None)
        if best is not None:
            deadly = self._deadly(position) + self._reply(position, best.points)
            if self._sends(position, best.points) >= deadly:
                return Intent("counter", best.root)
        enough = [lock for lock in firing if lock.points // position.each >= position.later]
        if enough and position.own.reach:
            kept = self._own.reach([lock.field for lock in enough], position.colors).tolist()
            spare = [lock for lock, left in zip(enough, kept, strict=True) if left >= _LASTS * position.own.reach]
            if spare:
                return Intent("offset", max(spare, key=lambda lock: lock.worth).root)
        return Intent("counter in time", in_time=True)

    def _counter_in_time(self, position: Position) -> Decision | None:
        """The decision that makes the largest chain before the rival's nuisance falls."""
        snapshot = position.snapshot
        self._counter.hurry(1 + position.rival.frames // TURN_FRAMES, _COUNTER_FUTURES)
        return self._counter.choose(snapshot)

    def _left(self, position: Position, count: int) -> float:
        """The share of the chain in reach on the player's own field that survives ``count`` nuisance puyos.

        It is the share that is left of the square root of the points; 1 if no chain is in reach.
        """
        field = position.snapshot.field
        before, after = self._own.reach([field, self._own.under(field, count)], position.colors).tolist()
        return float((after / before) ** 0.5) if before else 1.0

    def _survives_building(self, position: Position) -> bool:
        return any(self._lives(position, lock) for lock in position.own.locks if not lock.points)

    def _deadly(self, position: Position) -> int:
        """How much nuisance must be sent now to count as deadly for the rival (``Fighting.kill``); at least 1."""
        room = self._other.deadly(position.rival.field) - position.rival.waiting
        return max(1, round(room * self.config.fighting.kill))

    def _steady(self, position: Position, worth: float) -> bool:
        """Whether the next pair's chain still sends ``worth`` nuisance after the nuisance due has fallen.

        It must do so after the share ``_STEADY`` of some random falls. In games where no nuisance is lost, the answer
        is no whenever nuisance is due.
        """
        due = min(position.due, self.rules.nuisance.most_per_fall)
        if not due:
            return True
        if not self._races:
            return False
        own, rules = position.own, self.rules
        if position.snapshot.next_pair.is_unknown:
            return False
        (field,) = (lock.field for lock in own.locks if lock.root == own.later_root)
        room = [rules.kept_rows - int(height) for height in field.heights()]
        draw, good = Draw(due), 0
        for at in range(_FALLS):
            falls = [int(x == at) for x in range(COLUMNS)] if due == 1 else fallen(due, draw)
            under = with_nuisance(field, [min(falls[x], room[x]) for x in range(COLUMNS)])
            seen = self._own.look(under, rules.spawn, [position.snapshot.next_pair], position.colors)
            good += seen.best is not None and self._sends(position, seen.best.points) >= worth
        return good >= _STEADY * _FALLS

    def aim(self, position: Position) -> float:
        """The most points of a chain that count for the builder: ``surplus`` times those of one batch, or of a deadly
        attack (at least six nuisance puyos) if these are fewer. No limit in games where all nuisance falls in the end.
        """
        if not self._races:
            return inf
        wanted = min(self.rules.nuisance.most_per_fall, max(COLUMNS, self._deadly(position)))
        return self.config.racing.surplus * wanted * position.each

    def _reply(self, position: Position, points: int) -> int:
        """How much nuisance the rival is expected to cancel when the player sets off a chain of ``points`` points; 0 in
        games without offset.

        The rival goes on building while this chain runs, once its own chain has ended. What it may reach is estimated
        from the chains that its field has in reach, and from the number of its puyos.
        """
        if not self.rules.nuisance.offset:
            return 0
        fighting, rival, other = self.config.fighting, position.rival, position.other
        frames = self._own.frames(points) - rival.frames
        if frames <= 0:
            return 0
        reply = max(fighting.reply * other.sure, fighting.later_reply * other.reach)
        if fighting.growth or fighting.per_step:
            codes = rival.field.codes
            locks = min(frames // TURN_FRAMES, (_FULL - rival.field.count()) // 2)
            reply = self._own.grown(int(reply), fighting.growth * max(0, locks - SEEN))
            if fighting.per_step:
                built = rival.field.count() - codes.count(NUISANCE) + 2 * max(0, locks)
                reply = max(reply, _USUAL * self._own.grown(0, built / fighting.per_step))
        return int(reply / position.each)

    def _attack(self, position: Position) -> Intent | None:
        firing = self._firing(position)
        fighting, nuisance = self.config.fighting, self.rules.nuisance
        deadly = self._deadly(position)
        at_once = nuisance.most_per_fall if nuisance.excess == "discard" else _NEVER
        sends = {lock.root: self._sends(position, lock.points) for lock in firing}
        replies = {lock.root: self._reply(position, lock.points) for lock in firing}
        killing = [lock for lock in firing if sends[lock.root] >= deadly + replies[lock.root] and deadly <= at_once]
        if killing:
            return Intent("kill", max(killing, key=lambda lock: lock.worth).root)

        def worth(reply: int) -> float:
            return min(min(fighting.worth, fighting.press * deadly) + reply, deadly + reply, at_once)

        worthy = [lock for lock in firing if sends[lock.root] >= worth(replies[lock.root])]
        if worthy:
            return Intent("attack", max(worthy, key=lambda lock: lock.worth).root)
        # nuisance that is due falls with this lock, and may bury the next pair's chain
        wanted = worth(self._reply(position, position.own.later))
        coming = self._sends(position, position.own.later) >= wanted and self._can(position, position.own.later_root)
        if coming and self._steady(position, wanted):
            return Intent("the next pair attacks", position.own.later_root)
        if (lock := self._harassing(position, firing, sends)) is not None:
            return Intent("harass", lock.root)
        if firing and position.snapshot.field.count() >= fighting.crowded:
            best = max(firing, key=lambda lock: (lock.points, lock.worth))
            sooner = position.own.later <= best.points
            if sooner and sends[best.root] > 0:
                return Intent("make room", best.root)
        return None

    def _harassing(
        self, position: Position, firing: Sequence[ScoutedLock], sends: dict[int, int]
    ) -> ScoutedLock | None:
        """A lock whose small attack buries the rival's chain in reach and leaves the player's own; None if there is
        none.
        """
        fighting = self.config.fighting
        small = [lock for lock in firing if 0 < sends[lock.root] <= self.rules.nuisance.most_per_fall]
        if not small or not position.other.reach:
            return None
        field, colors = position.rival.field, position.colors
        before = int(self._other.reach([field], colors)[0])
        if not before:
            return None
        buried = self._other.reach([self._other.under(field, sends[lock.root]) for lock in small], colors)
        kept = self._own.reach([position.snapshot.field, *(lock.field for lock in small)], colors)
        most, least = fighting.harass**2 * before, fighting.spare**2 * max(int(kept[0]), position.own.reach)
        fit = [
            lock
            for lock, theirs, own in zip(small, buried.tolist(), kept[1:].tolist(), strict=True)
            if theirs <= most and own >= least
        ]
        return max(fit, key=lambda lock: lock.worth, default=None)

    def _build(self, position: Position) -> Decision | None:
        """The builder's decision. If the player wouldn't survive it, a lock that the player does survive, if there is
        one.
        """
        snapshot = position.snapshot
        living = [lock for lock in position.own.locks if self._lives(position, lock)]
        if self._races:
            self._builder.race(self.aim(position), *self._falling(position))
        decision = self._builder.choose(snapshot)
        if decision is None or len(living) == len(position.own.locks) or not living:
            return decision
        allowed = sum(1 << lock.root for lock in living)
        if self._keeper.allows(allowed, decision.placement):
            return decision
        return self._keeper.choose(snapshot, allowed)

    def _falling(self, position: Position) -> tuple[int, int]:
        """(how much nuisance the player knows will fall on it at once; after how many locks)."""
        most = self.rules.nuisance.most_per_fall
        if position.due:
            return min(position.due, most), 1
        return min(position.later, most), 1 + position.rival.frames // PIECE_FRAMES

    def _made(self, snapshot: Snapshot, root: int) -> Decision | None:
        found = locked(snapshot, _LOCKS[root], self.rules)
        return None if found is None else Decision(found[0], float(found[1].score), found[1], self._own.nodes)
