"""Checks a map and rules: the experiments of ``ochibot.experiments`` learn the game, and what they learnt is compared."""
