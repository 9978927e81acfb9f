"""What the command palette offers besides the built-in commands: every action that the screen's keys offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from textual.app import SystemCommand
from textual.screen import Screen


def commands_of(screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Yield one command for each action of the screen that is possible now, with its key as help."""
    for active in screen.active_bindings.values():
        binding = active.binding
        if active.node is screen and active.enabled and binding.description:
            run = partial(screen.call_later, screen.run_action, binding.action)
            yield SystemCommand(binding.description, f"Key: {screen.app.get_key_display(binding)}", run)


def ways_of(ways: Mapping[str, Callable[[], None]]) -> Iterator[SystemCommand]:
    """Yield one command for each screen that can be opened."""
    for name, way in ways.items():
        yield SystemCommand(name, "Open", way)
