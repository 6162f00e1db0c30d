"""Rules profiles: what differs between the games of the family. Plain data; ``ochibot.puyo.rules.file`` reads them from
YAML.

Every profile uses the frame of ``ochibot.puyo.rules.field``, 14 rows of 6 columns, from its floor up::

    y = 13 .. floor     visible rows: they group, link and clear
    above them          hidden rows: they hold puyos, which group only when ``hidden_clear`` is set
    above them          with ``ceiling: vanish`` one row where the partner may be; what locks there is removed
    the rest up to y=0  solid
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import ROWS
from ochibot.puyo.rules.pair import PairState

Ceiling = Literal["solid", "vanish"]
Excess = Literal["discard", "queue"]
FullColumns = Literal["lose", "skip"]
GroupBonusPer = Literal["group", "step", "excess"]
AllClearPaid = Literal["now", "next_chain"]
AllClearWhen = Literal["empty", "lowest_row"]
AllClearPer = Literal["lock", "step"]
Multiplier = Literal["sum", "product"]
Turns = Literal["axis", "box"]

FRAMES_PER_SECOND: Final = 60

SPAWN_COLUMN: Final = 3
MAX_CLEAR_SIZE: Final = 6

TABLE_STEPS: Final = 24
"""The number of steps in a *score table*, which the kernels use; TABLE_SIZES is the number of group sizes. The last
step and the last size stand for all larger ones. The other constants are the indices at which the table's parts begin.
Its parts are the chain power by step (from index 0), the colour bonus by number of colours, the group bonus by size,
the limit of their sum, the points per unit, and how the group bonus is taken (see PER_EXCESS). Then follow numbers that
only kernels of the general formula read (``Rules.general``). The first five are 1 or 0: whether the bonuses are
multiplied instead of added, whether the multiplier multiplies the extra points, whether it multiplies those for
further groups, whether the points for a step that leaves something empty are for the lowest row instead of the field,
and whether they are times the step's number. Then come these points, the extra points for a further group and for a
cell beyond ``clear_size``, those by size and by step, and those for a nuisance puyo."""
TABLE_SIZES: Final = 24
TABLE_COLOR_BONUS: Final = TABLE_STEPS
TABLE_GROUP_BONUS: Final = TABLE_COLOR_BONUS + 7
TABLE_LIMIT: Final = TABLE_GROUP_BONUS + TABLE_SIZES
TABLE_UNIT: Final = TABLE_LIMIT + 1
TABLE_PER_STEP: Final = TABLE_UNIT + 1
TABLE_PRODUCT: Final = TABLE_PER_STEP + 1
TABLE_MULTIPLIED: Final = TABLE_PRODUCT + 1
TABLE_GROUPS_MULTIPLIED: Final = TABLE_MULTIPLIED + 1
TABLE_EMPTIED_ROW: Final = TABLE_GROUPS_MULTIPLIED + 1
TABLE_EMPTIED_TIMES: Final = TABLE_EMPTIED_ROW + 1
TABLE_EMPTIED: Final = TABLE_EMPTIED_TIMES + 1
TABLE_PER_GROUP: Final = TABLE_EMPTIED + 1
TABLE_PER_CELL: Final = TABLE_PER_GROUP + 1
TABLE_BY_SIZE: Final = TABLE_PER_CELL + 1
TABLE_BY_STEP: Final = TABLE_BY_SIZE + TABLE_SIZES
TABLE_PER_NUISANCE: Final = TABLE_BY_STEP + TABLE_STEPS

PER_EXCESS: Final = 2
"""The table's last number where the group bonus goes by what all groups of a step have beyond ``clear_size``. It is 1
where the bonus goes by all cells of a step, 0 where each group has a bonus of its own."""


@dataclass(frozen=True, slots=True)
class Margin:
    """Margin time: after a while nuisance becomes cheaper, so that no round lasts for ever.

    seconds: from a round's first spawn to the first change. every: seconds from one change to the next. most: how many
    changes there are. The first change takes away a quarter of the points that make one nuisance puyo. Each later
    change sets them to half of their value before the previous change. They are rounded down, and at least 1.
    """

    seconds: int
    every: int
    most: int

    def points_at(self, frame: int, points: int) -> int:
        """The points that make one nuisance puyo after ``frame`` frames of a round (60 per second).

        ``points``: how many make one at first.
        """
        late = frame - self.seconds * FRAMES_PER_SECOND
        changes = min(self.most, late // (self.every * FRAMES_PER_SECOND) + 1) if late >= 0 else 0
        before, now = 2 * points, points
        for number in range(changes):
            if now <= 1:
                break
            before, now = now, before // 2 if number else points * 3 // 4
        return max(now, 1)


@dataclass(frozen=True, slots=True)
class Nuisance:
    """How nuisance is sent and falls.

    points_each: points that make one nuisance puyo (0: none is sent). most_per_fall: how many fall at once. excess:
    whether the rest is lost or waits. offset: whether a player's points first cancel the player's waiting nuisance.
    all_clear_points: added to the points of the next chain after the field became empty. full_columns: whether a puyo
    whose column is full is lost, or the column is skipped. margin: None when the points per nuisance puyo never change.
    unannounced: whether nuisance also falls that no entry of a map tells of, any number in any columns; forecasts then
    allow it.
    """

    points_each: int
    most_per_fall: int
    excess: Excess
    offset: bool
    all_clear_points: int
    full_columns: FullColumns = "lose"
    margin: Margin | None = None
    unannounced: bool = False

    def points_at(self, frame: int) -> int:
        """Points that make one nuisance puyo after ``frame`` frames of a round."""
        return self.points_each if self.margin is None else self.margin.points_at(frame, self.points_each)


@dataclass(frozen=True, slots=True)
class Extra:
    """Points of a chain's step beside ``score_unit`` for each puyo. All are shown points.

    per_cell: for each puyo beyond ``clear_size``. by_size: for a group by its size, from 0. Both are counted as
    ``group_bonus_per`` says: for each group, for all puyos of a step together, or for what its groups have in all
    beyond ``clear_size``. by_step: by step of a chain, from the first one. The last number of a table holds for all
    that is larger. multiplied: whether the step's multiplier multiplies these points, too. per_group: for each further
    group of a step. groups_multiplied: whether the multiplier multiplies those. per_nuisance: for each nuisance puyo
    that a step takes along; the multiplier never multiplies them.
    """

    per_cell: int = 0
    by_size: tuple[int, ...] = (0,)
    by_step: tuple[int, ...] = (0,)
    multiplied: bool = False
    per_group: int = 0
    groups_multiplied: bool = False
    per_nuisance: int = 0

    @property
    def any(self) -> bool:
        """Whether there are such points."""
        return self.alone or self.per_group > 0 or self.per_nuisance > 0

    @property
    def alone(self) -> bool:
        """Whether a single group may get such points."""
        return self.per_cell > 0 or any(self.by_size) or any(self.by_step)


@dataclass(frozen=True, slots=True)
class ItemRules:
    """Whether the game has items (see ``ochibot.puyo.sim.dealer``). In a game with items, every
    ``interval``-th piece is an item by default.
    """

    allowed: bool
    interval: int


class Geometry(NamedTuple):
    """The numbers that the kernels are specialised for.

    All rows are counted from the floor. visible: rows on the screen. grouping: rows whose puyos group. kept: rows that
    hold puyos. moving: rows where the halves of a pair may be. pext: whether to use the processor's instructions for
    gathering and scattering bits (the results are the same). general: see ``Rules.general``. box: whether
    pairs turn within a box. The spawn's row is ``visible - 1``.
    """

    visible: int
    grouping: int
    kept: int
    moving: int
    clear_size: int
    kicks: bool
    quick_turn: bool
    pext: bool = False
    general: bool = False
    box: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game's rules, as its rules file has them (``ochibot.puyo.rules.file.load_rules``).

    - visible_rows, hidden_rows, ceiling: see the module's text.
    - hidden_clear: whether hidden puyos group.
    - clear_size: 2..6 puyos make a group that clears.
    - turns: what stays in its place when a pair turns. ``axis``: the axis, and the partner goes around it. ``box``: a
      box of 2 x 2 cells; a lying pair is its bottom row, a standing pair its left column.
    - kicks: whether a blocked rotation moves the pair: the axis away from what is in the partner's way, a box one
      column to the left.
    - quick_turn: whether an upright pair that has no room to rotate on either side turns over instead (a real game
      asks for two presses).
    - chain_power: by step; the last number holds for all later steps.
    - color_bonus: by the number of colours, from 0.
    - group_bonus: by size, from 0; the last number holds for all larger groups.
    - group_bonus_per: ``group`` adds up the bonuses of a step's groups; ``step`` takes one bonus for all coloured
      puyos that the step clears; ``excess`` takes one bonus by what its groups have in all beyond ``clear_size``, so
      two groups of 5 count like one of 6.
    - multiplier: whether a step's multiplier is the sum of its bonuses, or their product (where a bonus of 0 counts as
      1). max_multiplier: the multiplier's limit. It is at least 1. score_unit: shown points per puyo, times the
      multiplier. extra: points beside these.
    - drop_bonus: shown points per row that a piece sinks with Down held (``Match.lock`` takes the number of rows).
    - all_clear_bonus: shown points for a lock that clears and leaves the field empty. These points never send nuisance.
    - all_clear_paid: whether these points come with that lock, or with the next lock that has a chain. A big puyo
      that only removes puyos is no chain. Points not yet paid when the game ends are lost.
    - all_clear_when: whether they are for an empty field, or for a lowest row that is empty when a step's puyos have
      vanished and nothing has fallen yet. The latter are points of the step, so they send nuisance.
    - all_clear_per: whether they are the same for each lock, or times the number of the chain's step that leaves the
      field (or the lowest row) empty. The latter are points of that step, too.
    - kept_top, moving_top (computed): y of the highest row that holds puyos, and of the highest in which halves can be.
    """

    name: str
    visible_rows: int
    hidden_rows: int
    ceiling: Ceiling
    hidden_clear: bool
    clear_size: int
    kicks: bool
    quick_turn: bool
    chain_power: tuple[int, ...]
    color_bonus: tuple[int, ...]
    group_bonus: tuple[int, ...]
    max_multiplier: int
    score_unit: int
    score_cap: int
    drop_bonus: int
    all_clear_bonus: int
    nuisance: Nuisance
    items: ItemRules
    group_bonus_per: GroupBonusPer = "group"
    all_clear_paid: AllClearPaid = "now"
    all_clear_when: AllClearWhen = "empty"
    all_clear_per: AllClearPer = "lock"
    multiplier: Multiplier = "sum"
    extra: Extra = Extra()
    turns: Turns = "axis"
    kept_top: int = field(init=False, repr=False, compare=False)
    moving_top: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises ConfigError when the rows don't fit the frame or a table has a wrong length."""
        object.__setattr__(self, "kept_top", ROWS - self.kept_rows)
        object.__setattr__(self, "moving_top", ROWS - self.moving_rows)
        if self.visible_rows < 4 or self.hidden_rows < 0:
            raise ConfigError(f"rules {self.name}: there must be at least 4 visible rows")
        if self.moving_rows > ROWS:
            raise ConfigError(
                f"rules {self.name}: {self.moving_rows} rows are too many: {ROWS} fit, the ceiling's included"
            )
        if self.moving_rows == self.visible_rows:
            raise ConfigError(f"rules {self.name}: a pair appears half above the visible rows: give it a row there")
        if not 2 <= self.clear_size <= MAX_CLEAR_SIZE:
            raise ConfigError(f"rules {self.name}: clear_size is {self.clear_size}: choose 2 to {MAX_CLEAR_SIZE}")
        for name, table, least, most in (
            ("chain_power", self.chain_power, 1, TABLE_STEPS),
            ("color_bonus", self.color_bonus, 7, 7),
            ("group_bonus", self.group_bonus, 2, TABLE_SIZES),
            ("extra.by_size", self.extra.by_size, 1, TABLE_SIZES),
            ("extra.by_step", self.extra.by_step, 1, TABLE_STEPS),
        ):
            if not least <= len(table) <= most:
                raise ConfigError(f"rules {self.name}: {name} needs {least} to {most} numbers")
        for said, of_step in (
            ("all_clear_when: lowest_row", self.all_clear_when == "lowest_row"),
            ("all_clear_per: step", self.all_clear_per == "step"),
        ):
            if of_step and self.all_clear_paid != "now":
                raise ConfigError(f"rules {self.name}: {said} is paid at once: say all_clear_paid: now")
        if self.turns == "box" and self.quick_turn:
            raise ConfigError(
                f"rules {self.name}: a pair that turns within a box has no quick turn: say quick_turn: false"
            )
        if self.score_unit == 0 and not self.extra.alone:
            raise ConfigError(f"rules {self.name}: unit is 0 and extra gives no points for a single group")

    @property
    def kept_rows(self) -> int:
        """Rows that hold puyos, from the floor."""
        return self.visible_rows + self.hidden_rows

    @property
    def moving_rows(self) -> int:
        """Rows in which halves can be, from the floor."""
        return self.kept_rows + (self.ceiling == "vanish")

    @property
    def grouping_rows(self) -> int:
        """Rows whose puyos group, from the floor."""
        return self.kept_rows if self.hidden_clear else self.visible_rows

    @property
    def spawn(self) -> PairState:
        """Where pieces appear: the axis in the third column of the first visible row, the partner above."""
        return PairState(SPAWN_COLUMN, ROWS - self.visible_rows, Orientation.UP)

    @property
    def all_clear_now(self) -> int:
        """Shown points that a lock gets at once for emptying the field."""
        return self.all_clear_bonus if self.all_clear_paid == "now" and not self.emptied_bonus else 0

    @property
    def emptied_bonus(self) -> int:
        """Shown points of a step whose puyos leave the field or the lowest row empty, as parts of the step's points."""
        of_step = self.all_clear_when == "lowest_row" or self.all_clear_per == "step"
        return self.all_clear_bonus if of_step else 0

    @property
    def general(self) -> bool:
        """Whether a step's points need the general formula, which the published games don't have."""
        return self.extra.any or self.multiplier == "product" or self.emptied_bonus > 0

    @property
    def all_clear_later(self) -> int:
        """Shown points that the next chain gets because an earlier lock emptied the field."""
        return self.all_clear_bonus if self.all_clear_paid == "next_chain" else 0

    def geometry(self, pext: bool = False) -> Geometry:
        """The numbers that the kernels are specialised for."""
        return Geometry(
            self.visible_rows,
            self.grouping_rows,
            self.kept_rows,
            self.moving_rows,
            self.clear_size,
            self.kicks,
            self.quick_turn,
            pext,
            self.general,
            self.turns == "box",
        )

    def step_score(self, step: int, groups: list[int], colors: int, *, emptied: bool = False, nuisance: int = 0) -> int:
        """Shown points of one step (1, 2, …) of a chain that clears groups of these sizes in ``colors`` colours.

        ``emptied``: whether they leave empty what ``all_clear_when`` says. ``nuisance``: how many nuisance puyos they
        take along.
        """
        beyond = sum(size - self.clear_size for size in groups)
        sizes = {"step": [sum(groups)], "excess": [self.clear_size + beyond]}.get(self.group_bonus_per, groups)
        bonuses = (
            _at(self.chain_power, step - 1),
            self.color_bonus[colors],
            sum(_at(self.group_bonus, size) for size in sizes),
        )
        times = sum(bonuses) if self.multiplier == "sum" else prod(max(bonus, 1) for bonus in bonuses)
        times = min(max(times, 1), self.max_multiplier)
        extra = self.extra.per_cell * sum(size - self.clear_size for size in sizes)
        extra += sum(_at(self.extra.by_size, size) for size in sizes) + _at(self.extra.by_step, step - 1)
        points = self.score_unit * sum(groups) * times + extra * (times if self.extra.multiplied else 1)
        points += self.extra.per_nuisance * nuisance
        points += self.extra.per_group * (len(groups) - 1) * (times if self.extra.groups_multiplied else 1)
        return points + (self.emptied_bonus * (step if self.all_clear_per == "step" else 1) if emptied else 0)


def _at(table: tuple[int, ...], number: int) -> int:
    return table[min(number, len(table) - 1)]


def score_table(rules: Rules) -> npt.NDArray[np.int64]:
    """The score table (see ``TABLE_STEPS``) of a profile."""
    extra = rules.extra
    power = _whole(rules.chain_power, TABLE_STEPS)
    sizes = [0, *_whole(rules.group_bonus, TABLE_SIZES)[1:]]
    last = rules.max_multiplier, rules.score_unit, {"step": 1, "excess": PER_EXCESS}.get(rules.group_bonus_per, 0)
    row, times = rules.all_clear_when == "lowest_row", rules.all_clear_per == "step"
    general = rules.multiplier == "product", extra.multiplied, extra.groups_multiplied, row, times
    points = rules.emptied_bonus, extra.per_group, extra.per_cell
    tables = *_whole(extra.by_size, TABLE_SIZES), *_whole(extra.by_step, TABLE_STEPS)
    whole = *power, *rules.color_bonus, *sizes, *last, *general, *points, *tables, extra.per_nuisance
    return np.array(whole, np.int64)


def _whole(table: tuple[int, ...], length: int) -> tuple[int, ...]:
    return table + table[-1:] * (length - len(table))
