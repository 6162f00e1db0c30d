"""A second implementation of the rules, the metrics and the search: naive, cell by cell, from the written rules. No
numpy, no numba.

Nothing is imported from ``bot``, because tests compare the package with this implementation. A grid is a list of 14
rows of 6 codes, row 0 hidden: 0 empty, 1..6 colours, 7 nuisance. A ``Law`` is the rules of a game. By default,
functions use the Famicom game's.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

Grid = list[list[int]]
Lock = tuple[int, int, int]  # axis x (1..6), y (0..13), orientation


class Law(NamedTuple):
    """The rules of a game. first: y of the highest visible row. top: y of the highest row that holds puyos. roof: y of
    the highest row in which a half can be. alone: whether hidden puyos take no part in groups. flips: whether there are
    quick turns. boxed: whether pairs turn within a box of 2 x 2 cells: a lying pair is the box's bottom row, a
    standing one its left column, and where there are kicks, the box moves one column to the left. several, grown:
    the bonuses for colours and for a group's size. together: whether a step has one size bonus for all its groups
    together. beyond: whether it has one for what its groups have beyond the size that clears. stones: more points
    for each nuisance puyo that goes. points: where given, the points of a step by its number from 1, its groups'
    sizes, how many colours they have, and the grid that they leave, before anything falls.
    """

    first: int = 1
    top: int = 0
    roof: int = 0
    alone: bool = True
    size: int = 4
    kicks: bool = True
    flips: bool = False
    boxed: bool = False
    power: tuple[int, ...] = (0, 8, 16, 32, 64, 128, 256, 512, 999)
    several: tuple[int, ...] = (0, 0, 3, 6, 12, 24, 48)
    grown: tuple[int, ...] = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
    together: bool = False
    beyond: bool = False
    stones: int = 0
    points: Callable[[int, list[int], int, Grid], int] | None = None

    @property
    def grouping(self) -> int:
        """y of the highest row whose puyos form groups."""
        return self.first if self.alone else self.top

    @property
    def spawn(self) -> Lock:
        """Where pieces appear."""
        return (3, self.first, 2)


FAMICOM = Law()
SHIFT = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}  # down, left, up, right


def drop(grid: Grid, law: Law = FAMICOM) -> Grid:
    """The grid with every puyo dropped. Puyos that would rest above row ``top`` vanish."""
    rows = [[0] * 6 for _ in range(14)]
    for x in range(6):
        target = 13
        for y in range(13, -1, -1):
            if grid[y][x] != 0 and target >= law.top:
                rows[target][x] = grid[y][x]
                target -= 1
    return rows


def group_at(grid: Grid, x: int, y: int, law: Law = FAMICOM) -> set[tuple[int, int]]:
    """The cells connected to (x, y) in its colour, within the rows whose puyos form groups."""
    color = grid[y][x]
    group: set[tuple[int, int]] = set()
    todo = [(x, y)]
    while todo:
        u, v = todo.pop()
        if not (0 <= u < 6 and law.grouping <= v < 14) or grid[v][u] != color or (u, v) in group:
            continue
        group.add((u, v))
        todo += [(u + 1, v), (u - 1, v), (u, v + 1), (u, v - 1)]
    return group


def groups(grid: Grid, law: Law = FAMICOM) -> list[set[tuple[int, int]]]:
    """All groups of coloured puyos, within the rows whose puyos form groups."""
    found: list[set[tuple[int, int]]] = []
    seen: set[tuple[int, int]] = set()
    for y in range(law.grouping, 14):
        for x in range(6):
            if 1 <= grid[y][x] <= 6 and (x, y) not in seen:
                group = group_at(grid, x, y, law)
                seen |= group
                found.append(group)
    return found


def resolve(grid: Grid, law: Law = FAMICOM) -> tuple[Grid, int, int, int]:
    """Drops and clears until nothing clears: (the grid at rest, shown points, chain, puyos cleared)."""
    grid = drop(grid, law)
    score = chain = total = 0
    while True:
        big = [group for group in groups(grid, law) if len(group) >= law.size]
        if not big:
            return grid, score, chain, total
        chain += 1
        cells = set().union(*big)
        colors = {grid[y][x] for x, y in cells}
        bonus = law.power[chain - 1] if chain <= len(law.power) else law.power[-1]
        bonus += law.several[len(colors)]
        sizes = [len(cells)] if law.together else [len(group) for group in big]
        if law.beyond:
            sizes = [law.size + sum(size - law.size for size in sizes)]
        for size in sizes:
            bonus += law.grown[size] if size < len(law.grown) else law.grown[-1]
        if law.points is None:
            score += 10 * len(cells) * max(1, min(999, bonus))
        dust = set()
        for x, y in cells:
            for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if 0 <= u < 6 and law.grouping <= v < 14 and grid[v][u] == 7:
                    dust.add((u, v))
        for x, y in cells | dust:
            grid[y][x] = 0
        score += law.stones * len(dust)
        total += len(cells) + len(dust)
        if law.points is not None:
            score += law.points(chain, [len(group) for group in big], len(colors), grid)
        grid = drop(grid, law)


def is_over(grid: Grid, law: Law = FAMICOM) -> bool:
    """Whether the spawn cell of a settled grid is occupied."""
    return grid[law.first][2] != 0


def metrics(grid: Grid, law: Law = FAMICOM) -> list[int]:
    """The metrics of a settled grid: count, nuisance, edge, spawn, consecutive, variance, links."""
    cells = [(x, y, grid[y][x]) for y in range(14) for x in range(6) if grid[y][x]]
    count = sum(1 for _, _, code in cells if code != 7)
    nuisance = len(cells) - count
    edge = sum((x == 0) + (x == 5) + (y == 13) for x, y, _ in cells)
    far = 3 + 13 - law.first
    spawn = sum((far - abs(x - 2) - abs(y - law.first)) ** 2 for x, y, _ in cells)
    consecutive = 0
    columns = [[grid[y][x] for y in range(14)] for x in range(6)]
    for line in grid + columns:
        strip = [code for code in line if code]
        for one, other in pairwise(strip):
            if one == other != 7:
                consecutive += 1
    variance = 0
    for color in range(1, 7):
        own = [(x, y) for x, y, code in cells if code == color]
        n = len(own)
        if n:
            sum_x, sum_y = sum(x for x, _ in own), sum(y for _, y in own)
            # the deviations from the average are fractions with the denominator n
            squares = sum((n * x - sum_x) ** 2 + (n * y - sum_y) ** 2 for x, y in own)
            variance += 256 * squares // (n * n)
    links = 0
    for x, y, code in cells:
        if code != 7 and y >= law.grouping:
            links += x < 5 and grid[y][x + 1] == code
            links += y < 13 and grid[y + 1][x] == code
    return [count, nuisance, edge, spawn, consecutive, variance, links]


def piece_cells(pair: tuple[int, int], at: Lock) -> list[tuple[int, int]]:
    """The cells (x, y) of a piece. (9, 9) is the item of 2 x 2 cells, (10, 10) the item of one cell, others a pair."""
    x, y, turned = at
    if pair == (9, 9):
        return [(u, v) for u in (x, x + 1) for v in (y - 1, y)]
    if pair == (10, 10):
        return [(x, y)]
    return [(x, y), (x + SHIFT[turned][0], y + SHIFT[turned][1])]


def free(grid: Grid, x: int, y: int, law: Law = FAMICOM) -> bool:
    """Whether a half may be at column x (1..6), row y."""
    return 1 <= x <= 6 and law.roof <= y <= 13 and grid[y][x - 1] == 0


def fits(grid: Grid, state: Lock, pair: tuple[int, int] = (1, 2), law: Law = FAMICOM) -> bool:
    """Whether the whole piece is on free cells."""
    return state[1] >= law.top and all(free(grid, x, y, law) for x, y in piece_cells(pair, state))


def may_start(grid: Grid, state: Lock, pair: tuple[int, int], law: Law = FAMICOM) -> bool:
    """Whether a piece may appear at ``state``. Its cells must be free, but the 2 x 2 item may cover puyos."""
    if pair == (9, 9):
        return state[1] >= law.top and all(1 <= x <= 6 and law.roof <= y <= 13 for x, y in piece_cells(pair, state))
    return fits(grid, state, pair, law)


def in_box(state: Lock, to: int, aside: int) -> Lock:
    """The pair at ``state`` turned to ``to`` within its box, after the box moved ``aside`` columns to the left."""
    cells = piece_cells((1, 2), state)
    left, bottom = min(x for x, _ in cells) - aside, max(y for _, y in cells)
    taken = [(left, bottom), (left + 1, bottom)] if to in (1, 3) else [(left, bottom), (left, bottom - 1)]
    (axis,) = [(x, y) for x, y in taken if (x + SHIFT[to][0], y + SHIFT[to][1]) in taken]
    return (*axis, to)


def moves(grid: Grid, state: Lock, pair: tuple[int, int] = (1, 2), law: Law = FAMICOM) -> list[Lock]:
    """Where left, right, clockwise, counter-clockwise and down lead (the same state where they do nothing)."""
    x, y, turned = state
    after = []
    for there in ((x - 1, y, turned), (x + 1, y, turned)):
        after.append(there if fits(grid, there, pair, law) else state)
    for to in ((turned + 1) % 4, (turned - 1) % 4):
        dx, dy = SHIFT[to]
        tries = [(x, y, to)]
        if law.boxed:
            tries = [in_box(state, to, aside) for aside in range(1 + law.kicks)]
        elif law.kicks:
            tries.append((x - dx, y - dy, to))
        if law.flips and turned in (0, 2):
            over = 2 - turned
            tries += [(x, y, over), (x, y - SHIFT[over][1], over)]
        possible = [there for there in tries if pair[0] <= 8 and fits(grid, there, pair, law)]
        after.append(possible[0] if possible else state)
    sunk = (x, y + 1, turned)
    after.append(sunk if fits(grid, sunk, pair, law) else state)
    return after


def locks(grid: Grid, start: Lock | None = None, pair: tuple[int, int] = (1, 2), law: Law = FAMICOM) -> dict[Lock, int]:
    """Every state at rest that can be reached, with the fewest presses that lead to it or to a state straight above it.

    Each row down counts as a press, too.
    """
    start = start or law.spawn
    if not may_start(grid, start, pair, law):
        return {}
    distance = {start: 0}
    layer = [start]
    while layer:
        following = []
        for state in layer:
            for after in moves(grid, state, pair, law):
                if after not in distance:
                    distance[after] = distance[state] + 1
                    following.append(after)
        layer = following
    found: dict[Lock, int] = {}
    for state, presses in distance.items():
        x, y, turned = state
        while fits(grid, (x, y + 1, turned), pair, law):
            y += 1
        rest = (x, y, turned)
        found[rest] = min(presses, found.get(rest, presses))
    return found


def locked_cells(lock: Lock) -> frozenset[tuple[int, int]]:
    """The two cells of a lock."""
    x, y, turned = lock
    dx, dy = SHIFT[turned]
    return frozenset({(x, y), (x + dx, y + dy)})


def put(grid: Grid, pair: tuple[int, int], lock: Lock) -> Grid:
    """The grid with the pair's halves added where they lock; they aren't dropped yet. For an item: the grid after its
    effect.
    """
    x, y, turned = lock
    dx, dy = SHIFT[turned]
    rows = [list(row) for row in grid]
    if pair == (9, 9):
        return [[0 if x <= u <= x + 1 else code for u, code in enumerate(row, 1)] for row in rows]
    if pair == (10, 10):
        below = rows[y + 1][x - 1] if y < 13 else 7
        for u in (x - 1, x + 1):
            if 1 <= u <= 6 and rows[y][u - 1] in range(1, 7) and below != 7:
                rows[y][u - 1] = below
        return rows
    rows[y][x - 1] = pair[0]
    rows[y + dy][x + dx - 1] = pair[1]
    return rows


def place(grid: Grid, pair: tuple[int, int], lock: Lock, law: Law = FAMICOM) -> tuple[Grid, int, int, int]:
    """(grid, shown points, chain, puyos cleared) after a lock."""
    before = sum(code != 0 for row in grid for code in row)
    after = put(grid, pair, lock)
    sunk = before - sum(code != 0 for row in after for code in row) if pair == (9, 9) else 0
    rows, score, chain, total = resolve(after, law)
    return rows, score + 10 * sunk, chain, total + sunk


def ordered_locks(grid: Grid, pair: tuple[int, int], start: Lock | None = None, law: Law = FAMICOM) -> list[Lock]:
    """The lock positions in the search's order. If both halves have the same colour, only the first of two locks that
    fill the same cells is kept.
    """
    turns = {2: 0, 1: 1, 3: 1, 0: 2}
    found = sorted(locks(grid, start, pair, law), key=lambda at: (abs(at[0] - 3) + turns[at[2]], at[0], at[2], -at[1]))
    if pair[0] != pair[1] or pair[0] > 8:
        return found
    once: dict[frozenset[tuple[int, int]], Lock] = {}
    for lock in found:
        once.setdefault(locked_cells(lock), lock)
    return list(once.values())


def value(grid: Grid, factors: list[float], law: Law = FAMICOM) -> float:
    """The weighted sum of the metrics, added in their order."""
    total = 0.0
    for metric, factor in zip(metrics(grid, law), factors, strict=True):
        total += metric * factor
    return total


def two_ply(
    grid: Grid,
    pair: tuple[int, int],
    following: tuple[int, int],
    factors: list[float],
    start: Lock | None = None,
    law: Law = FAMICOM,
) -> tuple[Lock | None, float, int]:
    """The best lock of the pair, its value, and the number of leaves, by trying everything."""
    best: tuple[Lock | None, float] = (None, float("-inf"))
    leaves = 0
    for lock in ordered_locks(grid, pair, start, law):
        first = resolve(put(grid, pair, lock), law)[0]
        if is_over(first, law):
            leaves += 1
            reached = -2e9
        else:
            reached = -1e9
            for reply in ordered_locks(first, following, None, law):
                leaves += 1
                second = resolve(put(first, following, reply), law)[0]
                if not is_over(second, law):
                    reached = max(reached, value(second, factors, law))
        if reached > best[1]:
            best = (lock, reached)
    return best[0], best[1], leaves
