"""Ignitions of Pochi & Nyaa on bit planes, for many grids at once (imports numba)."""
