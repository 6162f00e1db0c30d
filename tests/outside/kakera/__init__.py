"""Kakera as a title that an outside package brings: nothing of it is in ochibot."""
