"""The rules of Puyo Puyo in plain Python and numpy: field, falling piece, resolving, score, nuisance, rules files."""
