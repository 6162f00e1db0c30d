"""The names and definitions of the metrics of Pochi & Nyaa. ``ochibot.nyaa.search.measure`` computes them.

A *leaf* is the grid at rest after the pairs that were tried, together with the nuisance that waits to fall on it, the
nuisance that these pairs sent, and the other side as it was seen. Every metric is a whole number.

Terms:

- The *middle* is the column where pairs appear and the game ends; by the shipped rules the fourth.
- A *landing cell* is the cell on top of a column that a pair can reach: neither the column nor any between it and the
  middle is full.
- An *ignition* is a single needle on a landing cell. Its value is the attack by MVS rules; its *nuisance* is the
  amount that this attack sends by the rules.
- The *room* of a grid is the nuisance in full rows that ends the game: 7 for each empty cell of the middle up to the
  cell that ends it, at least 1.
- A *share* of r that d fills is ``100 * d * d // (r * r)`` with d cut to 0..r. The square makes d count more the nearer
  it comes to r.

The nuisance that waits at the opponent never exceeds the rules' limit. In rules without offset, ignitions cancel
nothing. Without an opponent, its grid counts as empty, with nothing waiting and nothing to ignite.

attack
    attack points of the pairs that were tried.
sent
    nuisance that these attacks send to the other side (the rest of it cancels nuisance that waits here).
early
    the part of ``sent`` that the first pair sends.
pressure
    share of the opponent's room that the nuisance waiting there and ``sent`` fill.
unanswered
    the same for the nuisance that is left after the opponent's best ignition has cancelled what it can.
best
    the value of the best ignition.
second
    the value of the best ignition of another colour.
others
    the sum of the values of the best ignitions of the two remaining colours.
ready
    the value of the best ignition in a colour of the pair after those that were tried.
threat
    share of the opponent's room that is filled by the nuisance of ``best``, the nuisance waiting there and ``sent``.
tails
    the most tails of any one start among the ignitions whose value is ``best``.
mass
    sum over all groups (joined blocks of one colour): the square of the number of blocks.
growth
    sum over all groups: the number of blocks times the number of landing cells beside them.
buried
    blocks in groups without a landing cell beside them.
height
    sum over the columns: the square of the height.
centre
    twice the square of the middle's height, plus the squares of its neighbours' heights.
nuisance
    nuisance blocks.
pending
    nuisance that waits to fall.
danger (own side)
    share of the player's own room that ``pending`` fills.
exposed
    share of the player's own room that is filled by ``pending`` and the nuisance of the opponent's best ignition, less
    what ``best`` cancels.
locked
    nuisance blocks with no coloured neighbour, so that no ignition beside them can remove them soon.
"""

from __future__ import annotations

from typing import Final

METRICS: Final = (
    "attack",
    "sent",
    "early",
    "pressure",
    "unanswered",
    "best",
    "second",
    "others",
    "ready",
    "threat",
    "tails",
    "mass",
    "growth",
    "buried",
    "height",
    "centre",
    "nuisance",
    "pending",
    "danger",
    "exposed",
    "locked",
)
"""The names, in the order of every array of metrics."""

# The place of each metric in every array of metrics.
(
    ATTACK,
    SENT,
    EARLY,
    PRESSURE,
    UNANSWERED,
    BEST,
    SECOND,
    OTHERS,
    READY,
    THREAT,
    TAILS,
    MASS,
    GROWTH,
    BURIED,
    HEIGHT,
    CENTRE,
    NUISANCE,
    PENDING,
    DANGER,
    EXPOSED,
    LOCKED,
) = range(len(METRICS))
