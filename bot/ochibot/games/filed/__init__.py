"""Game files describe titles as data. ``model`` says what a file may hold; ``read`` and ``title`` make titles."""
