"""A board as *codes* (imports numba): six words, held in the processor's registers.

The cell codes 0..7 (empty, six colours, nuisance) have three bits, so a board has three planes. ``codes`` is a tuple
``a, b, c, d, e, f``: first the west words of the planes of bits 0, 1 and 2, then their east words. (In memory, west and
east words alternate.) Falling moves six words, however many colours there are. Groups are found for all colours at
once, by comparing the codes of neighbours.

Rows 14 and 15 of a plane and columns 7 and 8 are always empty. Shifting a word by one row can therefore carry a cell
into the next column, but only into a row that never holds a colour.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import any_cell, around, leftward, plane, rightward, words
from ochibot.puyo.kernels.bits import FLOOR, FOUR, GUARD, LANE, ONE, THREE, TWO, ZERO, U, floats, grown, holes
from ochibot.puyo.kernels.special import (
    clear_size,
    grouping_east,
    grouping_west,
    kept_east,
    kept_west,
    loses_rows,
    pdep,
    pext,
    uses_pext,
)
from ochibot.puyo.rules.field import COLORS

_ALL: Final = 0xFFFF_FFFF_FFFF_FFFF
_LANES: Final = tuple(U(LANE << U(16 * x)) for x in range(4))
# For colour c (from 0, its code is c + 1): all ones where the code's bit k is 1.
COLOR_BITS: Final = np.array(
    [[_ALL if (c + 1) >> k & 1 else 0 for c in range(len(COLORS))] for k in range(3)], np.uint64
)


@inlined
def load(boards: Any, at: Any) -> Any:
    """Reads the codes of the board that begins at index ``at``; its words are laid out as in ``Field.planes``."""
    return boards[at], boards[at + 2], boards[at + 4], boards[at + 1], boards[at + 3], boards[at + 5]


@inlined
def save(codes: Any, board: Any) -> None:
    """Writes codes to an array that is laid out like ``Field.planes``."""
    for k in range(3):
        board[2 * k] = codes[k]
        board[2 * k + 1] = codes[k + 3]


@inlined
def puyos(codes: Any) -> Any:
    """The plane of all puyos: (west, east)."""
    a, b, c, d, e, f = codes
    return a | b | c, d | e | f


@inlined
def nuisance(codes: Any) -> Any:
    """The plane of the nuisance puyos: (west, east)."""
    a, b, c, d, e, f = codes
    return a & b & c, d & e & f


@inlined
def has_nuisance(codes: Any) -> Any:
    """Whether there are nuisance puyos."""
    west, east = nuisance(codes)
    return (west | east) != ZERO


@inlined
def color_plane(codes: Any, k: Any) -> Any:
    """The plane of the cells of colour ``k``, from 0: (west, east)."""
    a, b, c, d, e, f = codes
    return (
        ~((a ^ COLOR_BITS[0, k]) | (b ^ COLOR_BITS[1, k]) | (c ^ COLOR_BITS[2, k])),
        ~((d ^ COLOR_BITS[0, k]) | (e ^ COLOR_BITS[1, k]) | (f ^ COLOR_BITS[2, k])),
    )


@inlined
def add(codes: Any, color: Any, west: Any, east: Any) -> Any:
    """The codes after the empty cells ``west``, ``east`` are filled with puyos of one colour (from 0)."""
    a, b, c, d, e, f = codes
    in_0, in_1, in_2 = COLOR_BITS[0, color], COLOR_BITS[1, color], COLOR_BITS[2, color]
    return (
        a | (west & in_0),
        b | (west & in_1),
        c | (west & in_2),
        d | (east & in_0),
        e | (east & in_1),
        f | (east & in_2),
    )


@inlined
def kept_only(codes: Any, west: Any, east: Any) -> Any:
    """Keeps the codes of the cells in ``west`` and ``east``, and empties all other cells."""
    a, b, c, d, e, f = codes
    return a & west, b & west, c & west, d & east, e & east, f & east


@inlined
def vectors(codes: Any) -> Any:
    """The three planes of ``codes``, each as a vector."""
    a, b, c, d, e, f = codes
    return plane(a, d), plane(b, e), plane(c, f)


@inlined
def codes_of(planes: Any) -> Any:
    """The inverse of ``vectors``: the codes of three planes, each given as a vector."""
    (a, d), (b, e), (c, f) = words(planes[0]), words(planes[1]), words(planes[2])
    return a, b, c, d, e, f


@inlined
def added(planes: Any, color: Any, cells: Any) -> Any:
    """The three planes after the empty cells ``cells`` are filled with one colour (from 0); all are vectors."""
    a, b, c = planes
    return a | (cells & COLOR_BITS[0, color]), b | (cells & COLOR_BITS[1, color]), c | (cells & COLOR_BITS[2, color])


@inlined
def alike(planes: Any) -> Any:
    """Three vectors: coloured cells with the same colour to their right, those with the same colour above, and all
    coloured cells.

    ::

        RRGo      #...      ....      ###.
        BRGo  ->  ....      .##.      ###.
    """
    a, b, c = planes
    colored = (a ^ b) | (b ^ c)  # an empty cell is 0, nuisance 7: only a colour's bits differ
    right = ~((a ^ leftward(a)) | (b ^ leftward(b)) | (c ^ leftward(c))) & colored
    up = ~((a ^ (a >> ONE)) | (b ^ (b >> ONE)) | (c ^ (c >> ONE))) & colored
    return right, up, colored


@inlined
def linked(g: Any, right: Any, up: Any) -> Any:
    """The links that ``alike`` finds, limited to rows in which puyos form groups."""
    west, east = grouping_west(g), grouping_east(g)
    return right & plane(west, east), up & plane(west & (west >> ONE), east & (east >> ONE))


@inlined
def _cores(g: Any, right: Any, up: Any) -> Any:
    """Four vectors: cells with three linked neighbours, cells with two or more, cells linked to their left neighbour,
    cells linked to the one below.

    Where groups of three clear, the first two vectors both hold the cells with two or more linked neighbours. Where
    groups of two clear, both hold the cells with one or more.
    """
    left, down = rightward(right), up << ONE
    beside, both = left | right, left & right
    along, through = up | down, up & down
    two = both | through | (beside & along)
    three = (both & along) | (through & beside)
    if clear_size(g) == TWO:
        three = two = beside | along
    elif clear_size(g) == THREE:
        three = two
    return three, two, left, down


@inlined
def may_clear(g: Any, right: Any, up: Any) -> Any:
    """Whether there is a group of four or more (or of two or three, where those clear), given the links.

    Such a group has a cell with three neighbours, or two linked cells that have two each::

        ##....      ##....        ...#..
        .##..#  ->  .##...        ..###.
        .....#      ......        ......
    """
    three, two, _, _ = _cores(g, right, up)
    return any_cell(three | (two & ((leftward(two) & right) | ((two >> ONE) & up))))


@inlined
def clears(g: Any, codes: Any) -> Any:
    """Whether a settled board may have a group to clear. The answer is exact when groups of four or fewer clear."""
    right, up, _ = alike(vectors(codes))
    right, up = linked(g, right, up)
    return may_clear(g, right, up)


@inlined
def doomed(g: Any, codes: Any) -> Any:
    """The coloured cells that clear now, as a vector.

    ::

        RRG...      ##....
        RRGG..  ->  ##....      (three G are too few)
    """
    right, up, _ = alike(vectors(codes))
    right, up = linked(g, right, up)
    three, two, left, down = _cores(g, right, up)
    # A seed is a cell with three links or more, or with two links and a linked neighbour that has at least two. Every
    # cell of a group of four or more is a seed or linked to one. Smaller groups have no seeds, unless they clear (see
    # ``_cores``).
    seeds = three | (two & _linked_to(two, left, right, down, up))
    found = seeds | _linked_to(seeds, left, right, down, up)
    if clear_size(g) > FOUR and any_cell(found):
        return _larger(g, codes, found)
    return found


@inlined
def _linked_to(one: Any, left: Any, right: Any, down: Any, up: Any) -> Any:
    """The cells that are linked to a cell of the plane ``one``; all are vectors."""
    return (rightward(one) & left) | (leftward(one) & right) | ((one << ONE) & down) | ((one >> ONE) & up)


@compiled
def _larger(g: Any, codes: Any, found: Any) -> Any:
    """The cells of ``found`` (all groups of four or more) whose groups are large enough to clear, as a vector."""
    west, east = words(found)
    all_west = all_east = ZERO
    for k in range(len(COLORS)):
        own_west, own_east = color_plane(codes, k)
        own_west &= west
        own_east &= east
        while (own_west | own_east) != ZERO:
            group_west, group_east, size = group(own_west, own_east)
            if size >= clear_size(g):
                all_west |= group_west
                all_east |= group_east
            own_west &= ~group_west
            own_east &= ~group_east
    return plane(all_west, all_east)


@compiled
def group(west: Any, east: Any) -> Any:
    """One group of a plane that holds a single colour: (west, east, size). The plane mustn't be empty.

    It is the group of the west word's lowest set bit, or of the east word's if the west word is empty.
    """
    group_west = west & (~west + ONE)
    group_east = ZERO
    if west == ZERO:
        group_east = east & (~east + ONE)
    size = ZERO
    while True:
        group_west, group_east = grown(group_west, group_east)
        group_west &= west
        group_east &= east
        now = popcount(group_west) + popcount(group_east)
        if now == size:
            return group_west, group_east, size
        size = now


@inlined
def clear(g: Any, codes: Any, found: Any, dusty: Any) -> Any:
    """Clears the cells of the vector ``found`` and the nuisance beside them, then drops the rest.

    ``dusty``: whether the board holds any nuisance. Returns (codes, puyos cleared).

    ::

        .B....      ......
        oRRRR.  ->  ......
        GoG...      GBG...      (the nuisance is gone, B has dropped into its place)
    """
    west, east = words(found)
    if dusty:
        a, b, c = vectors(codes)
        dust = a & b & c & plane(grouping_west(g), grouping_east(g))
        west, east = words(found | (around(found) & dust))
    return without(g, codes, west, east), popcount(west) + popcount(east)


@inlined
def without(g: Any, codes: Any, west: Any, east: Any) -> Any:
    """The codes without the cells ``west``, ``east``; the cells above them move down."""
    a, b, c, d, e, f = codes
    if uses_pext(g):
        to_west = _left(west, 0) | _left(west, 1) | _left(west, 2) | _left(west, 3)
        to_east = _left(east, 0) | _left(east, 1)
        return (
            pdep(g, pext(g, a, ~west), to_west),
            pdep(g, pext(g, b, ~west), to_west),
            pdep(g, pext(g, c, ~west), to_west),
            pdep(g, pext(g, d, ~east), to_east),
            pdep(g, pext(g, e, ~east), to_east),
            pdep(g, pext(g, f, ~east), to_east),
        )
    # Each pass of a loop removes the lowest cell of ``west`` or ``east`` from every column.
    a, b, c, d, e, f = kept_only(codes, ~west, ~east)
    while west != ZERO:
        rest = (west | GUARD) - FLOOR
        keep = rest & ~west & ~GUARD
        a = (a & keep) | ((a & ~keep) >> ONE)
        b = (b & keep) | ((b & ~keep) >> ONE)
        c = (c & keep) | ((c & ~keep) >> ONE)
        west = (west & rest) >> ONE
    while east != ZERO:
        rest = (east | GUARD) - FLOOR
        keep = rest & ~east & ~GUARD
        d = (d & keep) | ((d & ~keep) >> ONE)
        e = (e & keep) | ((e & ~keep) >> ONE)
        f = (f & keep) | ((f & ~keep) >> ONE)
        east = (east & rest) >> ONE
    return a, b, c, d, e, f


@inlined
def _left(gone: Any, column: Any) -> Any:
    """A word with the lowest 16 - n bits of a column set, where n is how many bits ``gone`` has in that column."""
    return (LANE >> popcount(gone & _LANES[column])) << U(16 * column)


@inlined
def settled(g: Any, codes: Any) -> Any:
    """The codes after every floating puyo has dropped. Puyos that then lie above the highest row that keeps puyos are
    removed.
    """
    west, east = puyos(codes)
    if (floats(west) | floats(east)) != ZERO:
        codes = without(g, codes, holes(west), holes(east))
    if loses_rows(g):
        codes = kept_only(codes, kept_west(g), kept_east(g))
    return codes


@inlined
def resolved(g: Any, codes: Any) -> Any:
    """The codes of a settled board after its whole chain; nothing is counted."""
    found = doomed(g, codes)
    dusty = has_nuisance(codes)
    while any_cell(found):
        codes, _ = clear(g, codes, found, dusty)
        found = doomed(g, codes)
    return codes
