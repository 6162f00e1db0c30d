"""Simulates Pochi & Nyaa without an emulator: dealing pairs, a match of two seats, and its timing in frames."""
