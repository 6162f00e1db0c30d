"""Pochi & Nyaa on the Neo Geo, and our own game Togetama, which is played by the same rules."""
