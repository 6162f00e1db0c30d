"""Tools on the memory of any ROM: watch, compare, search, poke, check a map by experiments, exchange with emulators."""
