"""Games of Puyo Puyo without an emulator: dealers, a match of two seats, its time by frames, self-play."""
