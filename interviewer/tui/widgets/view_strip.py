"""The row that names the views of a screen with their keys; choosing one is left to the screen."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

INTERVIEW_VIEWS = {"statement": "F2 Statement", "code": "F3 Code", "talk": "F4 Talk"}
CHALLENGE_VIEWS = {"statement": "F2 Statement", "code": "F3 Code", "attempts": "F4 Attempts"}


class ViewLabel(Static):
    """Draw the name of one view."""

    def __init__(self, view: str, name: str) -> None:
        super().__init__(name, id=f"view-{view}", markup=False)
        self._view = view

    def on_click(self, event: events.Click) -> None:
        """Post that this view was chosen."""
        event.stop()
        self.post_message(ViewStrip.Chosen(self._view))


class ViewStrip(Horizontal):
    """Draw the names of all views, the open ones marked."""

    @dataclass
    class Chosen(Message):
        """A view was clicked."""

        view: str

    def __init__(self, views: Mapping[str, str] = INTERVIEW_VIEWS) -> None:
        super().__init__(id="views")
        self._views = views

    def compose(self) -> ComposeResult:
        """Yield one label a view."""
        for view, name in self._views.items():
            yield ViewLabel(view, name)

    def show(self, open_views: Set[str]) -> None:
        """Mark the views that can be seen."""
        for view in self._views:
            self.query_one(f"#view-{view}").set_class(view in open_views, "-open")
