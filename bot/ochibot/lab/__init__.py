"""The lab: self-play, fitting and statistics. Uses rules and search; no emulator."""
