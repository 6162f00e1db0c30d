"""The seven metrics of the evaluation: definitions and names. ``ochibot.puyo.search.measure`` has their kernel.

The article ("Applying Artificial Intelligence to Famicom Puyo Puyo", meatfighter.com, 2017) names and describes them
but gives no formulas; these are ours. A field is measured settled, on all 14 rows unless said otherwise, and every
metric is a whole number:

colored
    coloured puyos.
nuisance
    nuisance puyos.
edge
    over all puyos, nuisance included: the sides where no neighbour is possible. That is 1 in the outer columns, 1 on
    the floor, 2 in the corners. (The top is no side: a puyo gets its upper neighbour only by growing towards it.)
spawn
    over all puyos, nuisance included: the square of (15 minus the steps between the puyo and the spawn cell (3, 1)),
    where steps are columns + rows. So 225 at the spawn cell and 0 in the farthest corner. (With fewer visible rows the
    15 is smaller by as much; see ``ochibot.puyo.kernels.special.nearness``.) The article says how seldom its weights
    empty the field. Only a squared distance gives that figure: with a plain one the player empties the field far more
    often. See configs/players/article.yaml.
consecutive
    over all rows and columns: neighbours of one colour once the empty cells between them are ignored. A strip of n
    equal puyos counts n - 1. Nuisance ends a strip.
variance
    over the colours: the sum of the squared deviations of the puyos' columns and rows from their averages, in 1/256 of
    a squared cell, rounded down for each colour (whole numbers have the same sum in any order).
links
    pairs of visible puyos of one colour, side by side or one on top of the other (hidden ones don't link).

``consecutive`` and ``links`` are rewards, the others penalties.
"""

from __future__ import annotations

from typing import Final

METRICS: Final = ("colored", "nuisance", "edge", "spawn", "consecutive", "variance", "links")
"""The names of the metrics, in the order of every array of seven."""

REWARDS: Final = frozenset({"consecutive", "links"})

VARIANCE_UNIT: Final = 256
"""Units of ``variance`` per squared cell."""
