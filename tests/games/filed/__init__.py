"""Game files."""
