"""How a plan is shown on our own Mega Drive cartridge's picture."""

from __future__ import annotations

from typing import Any, Final

from ochibot.games.filed.read import read_shipped
from ochibot.games.protocols import Look

LOOK: Final[Look[Any, Any]] = read_shipped("tsu").look
