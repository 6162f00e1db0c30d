"""Results of the experiments, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Drawn, Grid
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Numbered, Rig
from ochibot.experiments.setting import Setting
from ochibot.experiments.signs import OverByte, SignByte
from ochibot.experiments.turning import Turning
from ochibot.experiments.views import View


@dataclass(frozen=True)
class Basis:
    """Where the piece is, and where the field is.

    x, y: the byte's offset, and what one step to the right or down adds to it. control_delay: frames from a piece's
    appearance to the first press that it answers. columns: raw x of each column. grid: the field. floor_y: raw y on
    the floor; top: raw y where pieces appear; cell_y: what a row upwards adds to raw y. visible: rows from the floor
    to the top; appears: rows from the floor to the lowest cell of an upright piece that has just appeared. decoys:
    first cells of copies that pieces don't land on. place: the field as landings showed it; setting: how it is set;
    tap: how buttons are tapped.
    """

    x: tuple[int, int]
    y: tuple[int, int]
    control_delay: int
    columns: tuple[int, ...]
    grid: Grid
    place: Field
    setting: Setting
    tap: Tap
    floor_y: int
    top: int
    cell_y: int
    visible: int
    spawn_column: int
    decoys: tuple[int, ...]
    followers: tuple[int, int]
    """How many other bytes follow x, and how many follow y, when these are poked."""
    cells: tuple[tuple[int, int], ...] = ((0, 0), (0, 1))
    """The cells of the first dropped piece: (column, row), counted from its leftmost and its lowest cell."""
    first: tuple[int, ...] = ()
    """Buttons that are tapped first for every piece, so that it stands upright."""
    appears: int = 0
    view: View | None = None
    """How the field's cells are read, if they aren't bytes at equal distances."""
    drawn: Drawn | None = None
    """Where the game draws a piece that has just appeared into the field; None if it doesn't."""
    number: Numbered | None = None
    """The byte of which x and y are read; None if they are bytes of their own."""


@dataclass(frozen=True)
class Stance:
    """How a piece stands. symbols: maps raw orientation to the partner's side of the axis: up, right, down or left.

    denotes: the half whose position x and y give (``axis`` or ``partner``), or ``box``: the left column and the lower
    row of a piece that turns within a box. Of such a piece, the half that is below in ``ways[0]`` is called the axis.
    near_row: the row above the floor in which that half (or the axis) lands when the piece drops as it appears. start:
    how a piece stands as it appears. clockwise, counter: buttons that turn, None if there is none. trials: how many
    drops showed this. state: a savestate of a piece whose halves differ.
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
    """The partner's side of the axis after 0 to 3 taps of ``turning.button``."""
    partner: tuple[int, int] | None = None
    """Offsets of the other half's x and y, in games that keep these but no orientation byte; otherwise None."""
    mask: int = 0xFF
    """The bits of a cell that depend on the piece."""

    @property
    def readable(self) -> bool:
        """Whether RAM shows how the piece stands."""
        return self.turning.place is not None or self.partner is not None


@dataclass(frozen=True)
class Shape:
    """What the bits of a cell's byte mean. mask: the bits of the kind; links: the bits that change beside equal cells.

    colors: the kinds seen in ``pieces`` pieces.
    """

    mask: int
    links: int
    colors: tuple[int, ...]
    pieces: int


@dataclass(frozen=True)
class Moments:
    """How RAM shows that a new piece is there, that it answers the pad (control), and that the game is over.

    kind: a new piece is there when the spawn byte ``is`` one of its values, or ``changes`` from one frame to the next.
    control: values during which presses are answered: of the spawn byte, or of the byte at ``control_at``. watched:
    from how many pieces these signs were learnt.
    """

    spawn: SignByte | None
    control: tuple[int, ...]
    over: OverByte | None
    watched: int
    kind: str = "is"
    control_at: int | None = None


@dataclass(frozen=True)
class Strange:
    """Cells that came into the field by themselves. codes: their kinds, and how often each was seen. falls: after how
    many of the ``pieces`` that were watched some came. plane: where they are, as bytes from the view's first plane, if
    they have a plane that no piece has cells in.
    """

    codes: dict[int, int]
    falls: int
    pieces: int
    plane: int | None = None


@dataclass(frozen=True)
class Arrival:
    """When the first piece comes. wait: frames from the end of the last tap, in which no sign of a piece counts; 0 if
    there is none before the first piece's. at_once: whether it comes while the last button may still be held.
    """

    wait: int = 0
    at_once: bool = False


@dataclass(frozen=True)
class Timing:
    """Measured frames; None: not seen.

    fall: per row; soft: per row with DOWN held. lock: how long an untouched piece lies on the floor before it
    locks; lock_soft: the same with DOWN held. repeat_first, repeat: from the first move of a held button to the second,
    and between later ones. to_spawn: from the lock until the next piece appears. control: from then to the first
    press answered.
    """

    fall: int | None = None
    soft: int | None = None
    lock: int | None = None
    lock_soft: int | None = None
    lock_moved: int | None = None
    """As ``lock``, but for a piece that is moved to and fro. It is longer when moves reset the lock delay."""
    repeat_first: int | None = None
    repeat: int | None = None
    to_spawn: int | None = None
    control: int | None = None


@dataclass(frozen=True)
class Kicks:
    """Whether a blocked turn pushes the piece off a wall or off the floor, and whether two taps swap its halves in a
    shaft (quick turn). None: not seen.
    """

    wall: bool | None = None
    floor: bool | None = None
    quick_turn: bool | None = None


@dataclass(frozen=True)
class Rows:
    """Rows of the field, counted from the floor. kept: those that keep cells; grouping: those that count for groups."""

    kept: int
    grouping: int


@dataclass(frozen=True)
class Above:
    """The rows above the visible ones. hidden_rows: how many of them keep cells. hidden_clear: whether those
    cells count for groups; None: not seen. ceiling: ``vanish`` where a half above these rows is lost, else ``solid``.
    apart: where such a row is if it isn't above the others: the offset of its first cell, and what a column adds.
    """

    hidden_rows: int
    ceiling: str
    hidden_clear: bool | None = None
    apart: tuple[int, int] | None = None
    ceiling_seen: bool = False
    """Whether the ceiling was tried. Otherwise it is taken from the field's height."""


@dataclass(frozen=True)
class Look:
    """Where the picture shows the field, in pixels: left and top of the upper left visible cell, and a cell's size."""

    left: int = 0
    top: int = 0
    cell: int = 0


def driver_of(rig: Rig, basis: Basis) -> Driver:
    """A driver that steers pieces as they were found to be steered. The rig then looks at the field as it was found."""
    rig.look(basis.view)
    driver = Driver(rig, Place(*basis.x), Place(*basis.y), basis.first, basis.tap)
    driver.control_delay = basis.control_delay
    driver.drawn = basis.drawn
    return driver
