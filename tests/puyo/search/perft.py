"""Makes the perft files from the naive reference::

    python -m tests.puyo.search.perft > tests/puyo/search/perft.yaml
    python -m tests.puyo.search.perft tsu > tests/puyo/search/perft_tsu.yaml

The files are data: they are made again only when the rules are meant to change.
"""

from __future__ import annotations

import sys

import numpy as np
from ochibot.puyo import Field, Pair

from tests.puyo import reference
from tests.puyo.fields import random_cells

HEADER = """\
# Exact counts for fixed fields and pairs (a perft), made by the naive reference (tests/puyo/search/perft.py).
# locks: lock positions of the pair. fields: distinct resolved fields they lead to. overs: how many of the locks end
# the game. leaves: lock positions of the next pair, over all locks of the pair that don't end the game.
# leaf_fields: distinct resolved fields those lead to. chains: the sum of the chain lengths of all leaves.
"""


TSU = reference.Law(first=2, top=1, roof=0, flips=True)


def count(
    grid: reference.Grid, pair: tuple[int, int], following: tuple[int, int], law: reference.Law
) -> dict[str, int]:
    """The counts of one position, by trying everything."""
    fields, leaf_fields = set(), set()
    overs = leaves = chains = 0
    locks = reference.ordered_locks(grid, pair, None, law)
    for lock in locks:
        first = reference.resolve(reference.put(grid, pair, lock), law)[0]
        fields.add(str(first))
        if reference.is_over(first, law):
            overs += 1
            continue
        for reply in reference.ordered_locks(first, following, None, law):
            second, _, chain, _ = reference.resolve(reference.put(first, following, reply), law)
            leaves += 1
            chains += chain
            leaf_fields.add(str(second))
    return {
        "locks": len(locks),
        "fields": len(fields),
        "overs": overs,
        "leaves": leaves,
        "leaf_fields": len(leaf_fields),
        "chains": chains,
    }


def main() -> None:
    """Writes the file to stdout."""
    print(HEADER, end="")
    law = TSU if sys.argv[1:] == ["tsu"] else reference.FAMICOM
    rng = np.random.default_rng(20)
    grids = [reference.drop([[0] * 6 for _ in range(14)], law)]
    for cells in random_cells(4_000, 20):
        grid = reference.resolve(cells.tolist(), law)[0]
        height = 14 - min((y for y in range(14) if any(grid[y])), default=14)
        if (
            not reference.is_over(grid, law)
            and height + law.first - 1 in ((14, 3), (12, 6), (13, 9), (14, 11))[len(grids) % 4]
        ):
            grids.append(grid)
        if len(grids) == 20:
            break
    for number, grid in enumerate(grids):
        a, b = rng.permutation(4)[:2].tolist()
        c, d = rng.permutation(4)[:2].tolist()
        pair = Pair(a + 1, (a if number % 4 == 1 else b) + 1)
        following = Pair(c + 1, (c if number % 4 == 3 else d) + 1)
        rows = str(Field.from_cells(np.array(grid))).split("\n")
        while len(rows) > 1 and rows[0] == "......":
            rows.pop(0)
        print(f"- pair: {pair}\n  next: {following}\n  field: |")
        for row in rows:
            print(f"    {row}")
        for name, value in count(grid, pair, following, law).items():
            print(f"  {name}: {value}")


if __name__ == "__main__":
    main()
