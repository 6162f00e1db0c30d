"""Turns the window's events into the person's pad and wishes (such as a pause)."""

from __future__ import annotations

import pygame

from ochibot.console import Button
from ochibot.ui.keys import PAD_AXES, PAD_BUTTONS, KeyBindings

AXIS_THRESHOLD = 16_000
"""From this deflection on (of 32,767), a stick counts as a pressed button."""


class Inputs:
    """The buttons that a person holds, and the window functions asked for. ``feed`` it all events; call ``pad`` once
    per frame.

    A key that goes down and up between two frames counts as held in the next one, so that no press is lost.
    """

    def __init__(self, bindings: KeyBindings) -> None:
        self._window_keys = bindings.window_keys()
        self._held: set[object] = set()
        self._tapped: set[object] = set()
        self._wishes: list[str] = []
        self._button_of: dict[object, Button] = dict(bindings.pad_keys().items())
        self._button_of |= dict(bindings.gamepad_buttons().items())

    def feed(self, event: pygame.event.Event) -> None:
        """Takes one event. Events that aren't input are ignored."""
        if event.type == pygame.KEYDOWN:
            self._press(event.key)
            wish = self._window_keys.get(event.key)
            if wish is not None:
                self._wishes.append(wish)
        elif event.type == pygame.KEYUP:
            self._held.discard(event.key)
        elif event.type == pygame.CONTROLLERBUTTONDOWN and event.button < len(PAD_BUTTONS):
            self._press(PAD_BUTTONS[event.button])
        elif event.type == pygame.CONTROLLERBUTTONUP and event.button < len(PAD_BUTTONS):
            self._held.discard(PAD_BUTTONS[event.button])
        elif event.type == pygame.CONTROLLERAXISMOTION and event.axis < len(PAD_AXES):
            self._axis(PAD_AXES[event.axis], event.value)
        elif event.type in (pygame.WINDOWFOCUSLOST, pygame.CONTROLLERDEVICEREMOVED):
            self._held.clear()
        elif event.type == pygame.QUIT:
            self._wishes.append("quit")

    def _press(self, source: object) -> None:
        self._held.add(source)
        self._tapped.add(source)

    def _axis(self, name: str, value: int) -> None:
        for half, pushed in ((name + "-", value < -AXIS_THRESHOLD), (name + "+", value > AXIS_THRESHOLD)):
            if pushed and half not in self._held:
                self._press(half)
            elif not pushed:
                self._held.discard(half)

    def pad(self) -> Button:
        """The person's buttons for the next frame."""
        mask = Button.NONE
        for source in self._held | self._tapped:
            mask |= self._button_of.get(source, Button.NONE)
        self._tapped.clear()
        return mask

    def holds(self, wish: str) -> bool:
        """Whether the key of a window function is held."""
        return any(self._window_keys.get(source) == wish for source in self._held if isinstance(source, int))

    def wishes(self) -> list[str]:
        """The window functions asked for since the last call, in order."""
        taken, self._wishes = self._wishes, []
        return taken
