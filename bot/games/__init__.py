"""One module per game: which core and maps it needs, how its modes are reached, what its RAM means."""
