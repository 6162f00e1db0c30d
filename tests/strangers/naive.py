"""A second, naive implementation of the strangers' rules, by grids of words and without a look at the first."""

from __future__ import annotations

from tests.strangers.maker.spec import Spec

Grid = list[list[tuple[str, str]]]
"""By row and column: what is there ("" nothing) and the side on which its other half is ("" none)."""

COLORS = ("red", "green", "blue", "yellow", "purple", "cyan")
WORDS = dict(enumerate(("", *COLORS, "nuisance", "?", "seed red", "seed green", "seed blue", "bomb", "detonator")))
SIDES = {0: "", 1: "up", 2: "right", 4: "down", 8: "left"}


def grid(cells: tuple[int, ...], width: int, linked: bool) -> Grid:
    """A field of numbers as words. linked: whether links mean that halves fall together."""
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    return [[(WORDS[value & 15], SIDES[value >> 4] if linked else "") for value in row] for row in rows]


def hue(cell: tuple[str, str]) -> str:
    """The colour of a cell, or nothing."""
    name = cell[0].removeprefix("seed ")
    return name if name in COLORS else ""


def rests(field: Grid, piece: tuple[tuple[int, int, int], ...]) -> bool:
    """Whether a piece stands on something there, and in nothing."""
    on = False
    for x, y, _ in piece:
        if y >= 0 and field[y][x][0]:
            return False
        on |= y + 1 == len(field) or (y + 1 >= 0 and bool(field[y + 1][x][0]))
    return on


def in_box(x: int, y: int, side: str) -> list[tuple[int, int]]:
    """The first and the second half of a pair that turns within a box, whose lower left cell is at x, y.

    A lying pair is the box's lower row, a standing one its left column. side: that of the second half.
    """
    cells = [(x, y), (x + 1, y)] if side in ("left", "right") else [(x, y - 1), (x, y)]
    return cells if side in ("right", "down") else cells[::-1]


def outcome(spec: Spec, field: Grid, piece: tuple[tuple[int, int, int], ...], level: int) -> tuple[Grid, int]:
    """The field when all is worked off, and the points, soft drop not counted."""
    for x, y, value in piece:
        if y >= 0:
            field[y][x] = WORDS[value & 15], SIDES[value >> 4]
    points, step = spec.piece_points, 0
    while True:
        field = _fallen(spec, field)
        gone, sizes, colors = _clears(spec, field)
        if not gone:
            return field, points
        step += 1
        points += _points(spec, step, sizes, colors, level)
        field = _without(spec, field, gone)
        wanted = field[-1:] if spec.formula.lowest_row else field
        if not any(name for row in wanted for name, _ in row):
            points += spec.formula.all_clear * (step if spec.formula.by_chain else 1)


def _fallen(spec: Spec, field: Grid) -> Grid:
    if spec.rules == "tetrominoes":
        return field
    if spec.rules != "capsules":
        columns = [[cell for cell in column if cell[0]] for column in zip(*field, strict=True)]
        columns = [[("", "")] * (spec.height - len(column)) + column for column in columns]
        return [list(row) for row in zip(*columns, strict=True)]
    while True:
        # all that nothing holds, linked halves together, falls by a row at once
        held: set[tuple[int, int]] = set()
        things = {(x, y) for y, row in enumerate(field) for x, cell in enumerate(row) if cell[0]}
        grew = True
        while grew:
            grew = False
            for x, y in things - held:
                name, side = field[y][x]
                other = {"left": (x - 1, y), "right": (x + 1, y), "up": (x, y - 1), "down": (x, y + 1)}.get(side)
                below = y + 1 == len(field) or (x, y + 1) in held
                if name.startswith("seed") or below or (side in ("left", "right") and other in held):
                    held.add((x, y))
                    grew = True
        loose = things - held
        if not loose:
            return field
        moved = [[("", "") if (x, y) in loose else cell for x, cell in enumerate(row)] for y, row in enumerate(field)]
        for x, y in loose:
            moved[y + 1][x] = field[y][x]
        field = moved


def _clears(spec: Spec, field: Grid) -> tuple[set[tuple[int, int]], list[int], int]:
    if spec.rules == "tetrominoes":
        full = [y for y, row in enumerate(field) if all(cell[0] for cell in row)]
        return {(x, y) for y in full for x in range(spec.width)}, [len(full)], 1
    explosive = {"detonators": "detonator", "bombs": "bomb"}.get(spec.rules)
    lit = [(x, y) for y, row in enumerate(field) for x, cell in enumerate(row) if explosive and cell[0] == explosive]
    if lit:
        gone = set(lit)
        for x, y in lit:
            for v, row in enumerate(field):
                for u, cell in enumerate(row):
                    if explosive == "bomb":
                        hit = bool(cell[0]) and abs(u - x) <= 1 and abs(v - y) <= 1
                    else:
                        want = hue(field[y + 1][x]) if y + 1 < len(field) else ""
                        hit = want != "" and hue(cell) == want
                    if hit:
                        gone.add((u, v))
        return gone, [len(gone) - len(lit)], 1
    if spec.rules in ("triplets", "capsules", "bars"):
        return _lines(spec, field)
    first = 0 if spec.hidden_clear and spec.rules == "pairs" else spec.hidden
    gone, sizes, colors = set(), [], set()
    for y in range(first, spec.height):
        for x in range(spec.width):
            if (x, y) in gone or not hue(field[y][x]):
                continue
            group, edge = {(x, y)}, [(x, y)]
            while edge:
                u, v = edge.pop()
                for near in ((u, v - 1), (u, v + 1), (u - 1, v), (u + 1, v)):
                    inside = 0 <= near[0] < spec.width and first <= near[1] < spec.height
                    if inside and near not in group and hue(field[near[1]][near[0]]) == hue(field[y][x]):
                        group.add(near)
                        edge.append(near)
            if len(group) >= spec.clear_size:
                gone |= group
                sizes.append(len(group))
                colors.add(hue(field[y][x]))
    return gone | _grey(spec, field, gone, first), sizes, len(colors)


def _grey(spec: Spec, field: Grid, gone: set[tuple[int, int]], first: int) -> set[tuple[int, int]]:
    near = {(x + dx, y + dy) for x, y in gone for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    inside = {(x, y) for x, y in near if 0 <= x < spec.width and first <= y < spec.height}
    return {(x, y) for x, y in inside if field[y][x][0] == "nuisance"}


def _lines(spec: Spec, field: Grid) -> tuple[set[tuple[int, int]], list[int], int]:
    ways = [(1, 0), (0, 1)] + ([(1, 1), (-1, 1)] if spec.rules == "triplets" and spec.diagonals else [])
    gone, sizes, colors = set(), [], set()
    for dx, dy in ways:
        done: set[tuple[int, int]] = set()
        for y in range(spec.height):
            for x in range(spec.width):
                if (x, y) in done or not hue(field[y][x]):
                    continue
                run, u, v = [], x, y
                while 0 <= u < spec.width and v < spec.height and hue(field[v][u]) == hue(field[y][x]):
                    run.append((u, v))
                    u, v = u + dx, v + dy
                done |= set(run)
                if len(run) >= spec.clear_size:
                    gone |= set(run)
                    sizes.append(len(run))
                    colors.add(hue(field[y][x]))
    grey = set() if spec.rules == "capsules" else _grey(spec, field, gone, 0)
    return gone | grey, sizes, len(colors)


def _without(spec: Spec, field: Grid, gone: set[tuple[int, int]]) -> Grid:
    if spec.rules == "tetrominoes":
        kept = [row for y, row in enumerate(field) if (0, y) not in gone]
        return [[("", "")] * spec.width for _ in range(spec.height - len(kept))] + kept
    left = []
    for y, row in enumerate(field):
        cells = []
        for x, (name, side) in enumerate(row):
            other = {"left": (x - 1, y), "right": (x + 1, y), "up": (x, y - 1), "down": (x, y + 1)}.get(side)
            cells.append(("", "") if (x, y) in gone else (name, "" if other in gone else side))
        left.append(cells)
    return left


def _points(spec: Spec, step: int, sizes: list[int], colors: int, level: int) -> int:
    if spec.rules == "tetrominoes":
        return {1: 40, 2: 100, 3: 300}.get(sizes[0], 1200) * (level + 1)
    if spec.rules not in ("pairs", "detonators", "bombs"):
        return 10 * sum(sizes) * step * (1 + level // 4)

    def late(table: tuple[int, ...], at: int) -> int:
        return table[at] if at < len(table) else table[-1]

    formula = spec.formula
    by_step, by_color, by_size = late(spec.chain_power, step - 1), spec.color_bonus[colors], 0
    more = late(formula.by_step, step - 1)
    for size in [sum(sizes)] if spec.bonus_per_step else sizes:
        by_size += late(spec.group_bonus, size)
        more += late(formula.by_size, size)
        for _ in range(spec.clear_size, size):
            more += formula.per_cell
    times = by_step + by_color + by_size
    if formula.product:
        times = 1
        for one in (by_step, by_color, by_size):
            times *= one if one else 1
    times = min(times or 1, spec.max_multiplier)
    points = spec.points_unit * sum(sizes) * times + (more * times if formula.multiplied else more)
    for _ in sizes[1:]:
        points += formula.per_group * (times if formula.groups_multiplied else 1)
    return points
