"""The game Kakera, added to ochibot by an outside package: nothing of it is in ochibot itself."""
