"""The pair generators of published games, bit exact: which pairs a seed or a random state deals.

Pools hold the colour codes of Puyo Puyo Tsu's RAM: 0 red, 1 yellow, 2 and 3 green, 4 purple, 5 blue. They differ from
the family's own codes (``ochibot.puyo.rules.field``).
"""
