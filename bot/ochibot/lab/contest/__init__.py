"""Contests of players in simulated matches: arenas with ratings, trainers, and replays of the games."""
