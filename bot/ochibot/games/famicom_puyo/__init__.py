"""Famicom Puyo Puyo, and our own cartridge Ochidama, which keeps its state at the same addresses."""
