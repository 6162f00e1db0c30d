"""The rules of Pochi & Nyaa in plain Python: grid, pair, waves, ties, what a lock leads to, rules files."""
