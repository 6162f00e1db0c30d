"""Positions of the two-ply player, written by ``ochibot lab export``: how they are played, kept and read.

``read_positions`` reads them.
"""

from ochibot.lab.positions.folder import each_file, points_within, read_positions

__all__ = ["each_file", "points_within", "read_positions"]
