"""Checks a map and rules: the experiments learn the game, and what they learnt is compared."""
