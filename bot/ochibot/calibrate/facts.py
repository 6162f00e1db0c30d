"""What is learnt, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from ochibot.calibrate.grid import Grid
from ochibot.calibrate.signs import OverByte, SignByte
from ochibot.calibrate.turning import Turning


@dataclass(frozen=True)
class Basis:
    """Where the piece is, and the field. control_delay: frames from a piece's appearance to the first press answered.

    state: the first piece under control over an empty field. x, y: offset and step. top: raw y where pieces appear.
    decoys: copies that were told apart by poking (offset of their first cell).
    """

    x: tuple[int, int]
    y: tuple[int, int]
    control_delay: int
    columns: tuple[int, ...]
    grid: Grid
    twins: tuple[Grid, ...]
    floor_y: int
    top: int
    cell_y: int
    visible: int
    spawn_column: int
    decoys: tuple[int, ...]
    followers: tuple[int, int]
    """How many other bytes followed x and y when they were poked."""
    cells: tuple[tuple[int, int], ...] = ((0, 0), (0, 1))
    """The first piece's cells as it was dropped: (column, row) from its left and its lowest cell."""
    first: tuple[int, ...] = ()
    """Buttons that are tapped with every piece before all else, so that it stands upright."""


@dataclass(frozen=True)
class Stance:
    """How a piece stands. symbols: raw orientation to up, right, down, left (where the partner is, seen from the axis).

    denotes: the half that x and y are of. near_row: the row, from the floor, of that half of a piece as it appears.
    clockwise, counter: buttons. trials: drops that were looked at.
    """

    turning: Turning
    symbols: dict[int, str]
    denotes: str
    near_row: int
    start: str
    clockwise: str | None
    counter: str | None
    trials: int
    state: bytes
    ways: tuple[str, ...] = ()
    """How it stands after 0 to 3 taps of ``turning.button``: the partner's side, seen from the axis."""
    partner: tuple[int, int] | None = None
    """Offsets of x and y of the half that ``x`` and ``y`` don't denote, where no byte says how the piece stands."""

    @property
    def told(self) -> bool:
        """Whether RAM tells how the piece stands."""
        return self.turning.place is not None or self.partner is not None


@dataclass(frozen=True)
class Shape:
    """A cell's code: its bits that say the kind, and those that tell of equal neighbours."""

    mask: int
    links: int
    colors: tuple[int, ...]
    pieces: int


@dataclass(frozen=True)
class Moments:
    """The signs of a new piece, of control and of the end.

    kind: ``is`` (the spawn byte has its values) or ``changes`` (it isn't what it was a frame ago). control: values of
    the spawn byte, or of the byte at ``control_at``.
    """

    spawn: SignByte | None
    control: tuple[int, ...]
    over: OverByte | None
    watched: int
    kind: str = "is"
    control_at: int | None = None


@dataclass(frozen=True)
class Timing:
    """Frames, as measured; None: not seen. fall: per row; soft: per row with DOWN held. lock: on the floor before it
    locks, untouched; lock_soft: with DOWN held. to_spawn: from the lock to the next piece on an empty field.
    """

    fall: int | None = None
    soft: int | None = None
    lock: int | None = None
    lock_soft: int | None = None
    lock_moved: int | None = None
    """With a move to the side and back every few frames: longer than ``lock`` when moves reset it."""
    repeat_first: int | None = None
    repeat: int | None = None
    to_spawn: int | None = None
    control: int | None = None


@dataclass(frozen=True)
class Kicks:
    """What happens when a turn isn't free. None: not seen."""

    wall: bool | None = None
    floor: bool | None = None
    quick_turn: bool | None = None


@dataclass(frozen=True)
class Above:
    """The rows above those that show. hidden_rows: how many keep cells, 0 or 1. hidden_clear: whether a cell there
    counts for a group; None: not seen. ceiling: ``vanish`` where a half above the hidden row is lost, else ``solid``.
    """

    hidden_rows: int
    ceiling: str
    hidden_clear: bool | None = None


@dataclass(frozen=True)
class Look:
    """Where the picture shows the field: left and top of the upper left visible cell, size of a cell, pixels."""

    left: int = 0
    top: int = 0
    cell: int = 0
    tries: int = 0
    extra: dict[str, int] = field(default_factory=dict)
