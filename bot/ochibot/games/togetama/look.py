"""How a plan is shown on our own Neo Geo game's picture."""

from __future__ import annotations

from typing import Any, Final

from ochibot.games.filed.read import read_shipped
from ochibot.games.nyaalook import SIDES
from ochibot.games.protocols import Look

__all__ = ["LOOK", "SIDES"]

LOOK: Final[Look[Any, Any]] = read_shipped("nyaa").look
