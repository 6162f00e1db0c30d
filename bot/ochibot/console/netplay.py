"""Whether a RetroArch on this machine plays over the network: its commands don't say so, its sockets do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PORT: Final = 55435
"""RetroArch's port for netplay, unless its settings name another one; relays use it, too."""

_LISTENS: Final = "0A"
_CONNECTED: Final = "01"
TABLES: Final = Path("/proc/net/tcp"), Path("/proc/net/tcp6")


def plays_online(tables: tuple[Path, ...] = TABLES) -> bool:
    """Whether some program here hosts netplay on RetroArch's port or is connected to it.

    It is seen on Linux only, in the system's tables of TCP sockets (proc(5)); elsewhere the answer is False.
    """
    for table in tables:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except (OSError, UnicodeDecodeError):
            continue
        for line in lines:
            words = line.split()
            if len(words) < 4:
                continue
            ports = {int(words[1].rpartition(":")[2], 16), int(words[2].rpartition(":")[2], 16)}
            if PORT in ports and words[3] in (_LISTENS, _CONNECTED):
                return True
    return False
