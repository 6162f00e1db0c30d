"""The lab: self-play, training, arenas and statistics. It uses rules and search, but no emulator."""
