"""Game reviews: replays somebody's game, and says of every placement what it was worth beside the best one."""
