"""What is drawn of a stranger: plain values, each with a dull default. Equal specs are equal games."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import Any

from tests.strangers.maker.fields import FieldForm
from tests.strangers.maker.formula import Formula
from tests.strangers.maker.numbers import NumberForm

_FORM = FieldForm()
_NUMBER = NumberForm("little", 3)
_FORMULA = Formula()


@dataclass(frozen=True)
class Spec:
    """A stranger. Times are in frames. Columns and rows count from 0, rows from the top with the hidden ones."""

    seed: int = 0
    kind: str = "family"
    rules: str = "pairs"

    # the rules
    width: int = 6
    height: int = 13
    hidden: int = 1
    ceiling: int = 0
    """Rows above the field in which all but the piece's first cell may be; cells that lock there are lost."""
    colors: int = 4
    clear_size: int = 4
    hidden_clear: bool = False
    kicks: bool = True
    quick_turn: bool = False
    boxed: bool = False
    """Whether pairs turn within a box of 2 x 2 cells, whose lower left cell is the place of the piece."""
    chain_power: tuple[int, ...] = (0, 8, 16, 32, 64, 128, 256, 512, 999)
    color_bonus: tuple[int, ...] = (0, 0, 3, 6, 12, 24, 48)
    group_bonus: tuple[int, ...] = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
    bonus_per_step: bool = False
    max_multiplier: int = 999
    points_unit: int = 10
    drop_points: int = 0
    piece_points: int = 0
    """Points for each piece that locks."""
    nuisance: bool = False
    recolor: bool = False
    """Whether a press changes a single tile's colour."""
    diagonals: bool = True
    """Whether lines of triplets may be diagonal."""
    shapes: str = "tetrominoes"
    """tetrominoes, few (five of them), or trominoes (two among them)."""
    spawn: tuple[int, int, int] = (2, 1, 0)
    """Column, row and orientation (0 up, 1 right, 2 down, 3 left) in which pieces appear."""
    begin: str = "empty"
    """What is in the field at the start: empty, seeds, heap or rows."""

    # the pad
    poll: int = 1
    debounce: bool = False
    repeat_after: int = 16
    repeat_every: int = 4
    """0: no auto-repeat."""
    soft: int = 8
    """How many times faster a piece falls while DOWN is held; 0: DOWN does nothing."""
    drop: str = ""
    """The button that drops at once: up, a, b or select."""
    turns: str = "both"
    """both, one (A and B turn the same way), a (only A turns), b, or up."""
    clockwise: bool = True
    """Whether A turns clockwise."""
    fresh_down: bool = False
    """Whether DOWN counts only when it was pressed after the piece appeared."""
    pause: str = "start"
    """start, select or nothing."""
    hold: bool = False

    # times
    gravity: int = 30
    gravity_least: int = 6
    pieces_per_level: int = 20
    faster: int = 0
    grace: int = 0
    lock: int = 4
    bounce: int = 0
    announce: int = 8
    fall: int = 0
    """Frames of each row that cells fall; 0: they are down at once."""
    pop: int = 20

    # the field
    field: FieldForm = _FORM
    area: str = "main"
    landing: str = "field"
    """What a piece lands by: field, heights or mirror."""
    mirror: str = ""
    """shown: the rules have a field of their own, and the one that is shown is copied from it."""
    mirror_form: FieldForm = _FORM
    copy: str = ""
    """A copy of the field that nothing reads: exact, late or picture."""
    inside: bool = False
    """Whether the falling piece is written into the field."""
    codes: str = "plain"
    empty: int = 0
    """The code of nothing; -1: any."""
    rest: bool = False
    junk: bool = False
    links: str = "none"

    # the piece
    place: str = "axis"
    """axis, halves, cell or pointer."""
    cell: int = 1
    """1, or pixels of a cell."""
    origin: tuple[int, int] = (0, 0)
    row_extra: int = 0
    """Cells by which a row is longer than the field where the place is the number of a cell."""
    count_up: bool = False
    """Whether y counts from the floor up."""
    sub: str = "timer"
    """How a piece sinks: timer, fraction or pixels."""
    orientation: str = "byte"
    """byte, or codes (it is told by the piece's own codes)."""
    sides: tuple[int, int, int, int] = (0, 1, 2, 3)
    piece_codes: str = "field"
    """field (as in the field), plain, any, nibbles or index."""
    late_place: bool = False
    """Whether the place is written only when the piece begins to answer."""
    angle: bool = False
    """Whether a byte runs after the orientation, in small steps."""
    tested: bool = False
    """Whether the last place that was tried lies in RAM."""
    next: int = 1
    next_form: str = "bytes"
    """bytes, nibbles, index or ring."""
    bag: bool = False

    # the score
    score: NumberForm = _NUMBER
    cap: int = 0
    rolls: int = 0
    """Points by which the shown score follows in each frame; 0: at once."""
    beside: bool = False
    """Whether a constant stands beside the score."""
    gain: bool = False
    """Whether the points of the last step lie in RAM."""
    high: bool = False
    play_clock: bool = False
    """Whether minutes and seconds of play are counted in digits."""

    # phases
    phase: str = "byte"
    """byte, bits, pointer, timer (only timers tell) or coarse (announced and falling look the same)."""

    # others
    opponent: bool = False
    twins: bool = False
    """Whether the opponent's bytes stand at a constant distance from the player's."""
    points_each: int = 0
    """Points of a chain that send one nuisance to the other seat; 0: none is sent."""
    offset: bool = False
    """Whether one's own chain first takes away what waits for oneself."""
    garbage: int = 0
    """A row of garbage, or an obstacle, comes after about so many pieces; 0: never."""
    stir: str = "menu"
    """When the random numbers run on: menu, always or never."""
    demo: bool = False
    decor: bool = False
    menu: str = "none"
    """none, cursor, select or options."""
    entry: bool = False
    """Whether a name is asked for after a game."""
    entry_first: bool = False
    """Whether a name is asked for before play."""
    boot: int = 24
    """Frames until the title."""
    ready: int = 20
    """Frames between the menu and play."""
    curtain: bool = False
    """Whether the field fills up when the game is over."""
    over: int = 60
    over_by_itself: bool = False
    copies_of_clock: int = 1

    formula: Formula = _FORMULA
    """What the score has that the published formula doesn't."""

    def words(self) -> str:
        """What is drawn, in words."""
        from tests.strangers.maker.mechanisms import MECHANISMS

        plain = Spec()
        head = (
            f"stranger {self.kind} {self.seed}: {self.rules}, {self.width} columns, {self.height - self.hidden} rows"
            f"{f' and {self.hidden} hidden' if self.hidden else ''}, {self.colors} colours, {self.clear_size} clear"
        )
        lines = [head]
        lines += [f"  {one.name}: {one.doc}" for one in MECHANISMS if one.holds(self)]
        other = [
            f"{one.name}={getattr(self, one.name)!r}"
            for one in fields(self)
            if getattr(self, one.name) != getattr(plain, one.name) and one.name not in ("seed", "kind", "rules")
        ]
        return "\n".join([*lines, f"  ({', '.join(other)})"])

    def __repr__(self) -> str:
        # from these words a game's image and its layout in RAM are drawn. A game without a formula of its own, or whose
        # pairs don't turn within a box, has those that it had before there were such games
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        if self.formula == _FORMULA:
            del said["formula"]
        if not self.boxed:
            del said["boxed"]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in said.items())})"

    def __str__(self) -> str:
        return self.words()

    @property
    def mechanisms(self) -> frozenset[str]:
        """The names of the mechanisms that this game has."""
        from tests.strangers.maker.mechanisms import MECHANISMS

        return frozenset(one.name for one in MECHANISMS if one.holds(self))

    def as_dict(self) -> dict[str, Any]:
        """All values, for reports."""
        return asdict(self)

    def image(self) -> bytes:
        """Bytes that stand for the cartridge: equal for equal specs only."""
        text = repr(self).encode()
        head = b"NES\x1a\x01\x00" + (b"\x02" if self.area == "cart" else b"\x00") + bytes(9)
        body = hashlib.sha256(text).digest() + text
        return head + body.ljust(0x4000, b"\xff")
