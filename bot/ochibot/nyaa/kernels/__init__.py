"""Ignitions of Pochi & Nyaa on bit planes, for the search (imports numba)."""
