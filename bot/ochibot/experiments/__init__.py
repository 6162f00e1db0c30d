"""Learns where a game keeps its state by experiments on the running game."""
