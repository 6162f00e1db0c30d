"""The game Kakera, added to ochibot by an outside package: ochibot itself knows nothing of it."""
