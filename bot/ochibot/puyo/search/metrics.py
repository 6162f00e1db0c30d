"""The seven metrics of the evaluation: their names, and the kernel that measures all of them at once.

The article ("Applying Artificial Intelligence to Famicom Puyo Puyo", meatfighter.com, 2017) names and describes
them but gives no formulas; these are ours. A field is measured settled, all 14 rows of it unless said otherwise,
and every metric is a whole number:

colored
    coloured puyos.
nuisance
    nuisance puyos.
edge
    over all puyos, nuisance included: the sides without a possible neighbour, that is 1 in the outer columns, 1 on
    the floor, 2 in the corners. (The top is no side: a puyo gets its upper neighbour only by growing towards it.)
spawn
    over all puyos, nuisance included: the square of 15 less the steps (columns + rows) between the puyo and the spawn
    cell (3, 1), so 225 at the spawn cell and 0 in the farthest corner. (Rules with fewer visible rows: less that much;
    ``ochibot.puyo.kernels.special.nearness``.) (Squared, because only with a penalty that
    grows faster than the heap do the published weights empty the field as seldom as the article says: without, the
    empty field always attracts. See configs/players/article.yaml.)
consecutive
    over all rows and columns: neighbours of one colour once the empty cells between them are ignored; a strip of n
    equal puyos counts n - 1. Nuisance ends a strip.
variance
    over the colours: the sum of the squared deviations of its puyos' columns and rows from their averages, in
    1/256 of a squared cell, rounded down for each colour (whole numbers add up the same in any order).
links
    pairs of puyos of one colour side by side or one on the other, both visible (hidden ones don't link).

``consecutive`` and ``links`` are rewards, the others penalties.
"""

from __future__ import annotations

from typing import Final

METRICS: Final = ("colored", "nuisance", "edge", "spawn", "consecutive", "variance", "links")
"""The names, in the order of every array of seven."""

REWARDS: Final = frozenset({"consecutive", "links"})

VARIANCE_UNIT: Final = 256
"""Units of ``variance`` per squared cell."""
