"""Game files: a title as data. ``model`` says what a file may hold; ``read`` and ``title`` make a title from one."""
