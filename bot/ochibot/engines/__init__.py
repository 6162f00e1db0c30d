"""Players that are programs of their own and speak lines of JSON (docs/engines.md)."""

from typing import Final

PREFIX: Final = "engine:"
"""How the name of such a player begins: ``engine:COMMAND``. Only the command line and Python programs may say it."""
