"""The rules of Puyo Puyo on bit planes (imports numba): groups, chains, score."""
