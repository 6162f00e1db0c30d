"""Puyo Puyo Tsu, and our own Mega Drive cartridge Nijidama, which keeps its state at the same addresses."""
