"""What installed packages offer by entry points: games, players, consoles."""

from __future__ import annotations

from collections.abc import Container

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points(group: str, ours: Container[str] = ()) -> dict[str, EntryPoint]:
    """The entry points of a group by name, without the names of ``ours``, which no package can replace."""
    # it takes some 15 ms to import, and most starts need no package
    from importlib.metadata import entry_points as found

    return {point.name: point for point in found(group=group) if point.name not in ours}
