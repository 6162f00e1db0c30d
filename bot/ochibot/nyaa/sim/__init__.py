"""Games of Pochi & Nyaa without an emulator: dealer, a match of two seats, its time by frames."""
