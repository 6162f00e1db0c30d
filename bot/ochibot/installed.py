"""Rows by name: ours, and those that installed packages offer by entry points (games, players, families, consoles)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from ochibot.errors import ConfigError
from ochibot.quoting import brief, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import Any


class Registry:
    """Rows by name. Installed packages are looked up only for other names than ours, because the look-up takes a while.
    They can't replace ours.
    """

    def __init__(self, group: str, what: str, ours: Mapping[str, object]) -> None:
        """``group``: that of the entry points. ``what``: a row, in words. ``ours``: our rows, or their modules."""
        self.group, self.what, self.ours = group, what, ours

    def installed(self) -> dict[str, EntryPoint]:
        """The entry points of installed packages by name, without the names of ours."""
        # it takes some 15 ms to import, and most starts need no package
        from importlib.metadata import entry_points

        return {point.name: point for point in entry_points(group=self.group) if point.name not in self.ours}

    def names(self) -> tuple[str, ...]:
        """The names of all rows, ours first."""
        return (*self.ours, *self.installed())

    def __contains__(self, name: str) -> bool:
        return name in self.ours or name in self.installed()

    def find(self, name: str) -> Any:
        """``KIND`` of our module with this name, or what an installed package offers by it. Raises ConfigError."""
        module = self.ours.get(name)
        if isinstance(module, str):
            return import_module(module).KIND
        point = self.installed().get(name)
        if point is None:
            raise ConfigError(f"there is no {self.what} {quoted(name)}; known are {', '.join(self.names())}")
        return loaded(point, self.what)


def loaded(point: EntryPoint, what: str) -> Any:
    """What an entry point offers. ``what``: that in words. Raises ConfigError when it can't be loaded."""
    try:
        return point.load()
    except Exception as error:  # a foreign module may raise anything
        raise ConfigError(
            f"the {what} {point.name} of {point.value} can't be loaded: {brief(str(error), 160)}; mend or uninstall "
            "that package"
        ) from None
