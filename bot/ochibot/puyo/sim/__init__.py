"""Games of Puyo Puyo without an emulator: dealers, matches of two seats, their timing in frames, self-play."""
