"""Lists and fields whose enter key the footer names; the built-in ones hide it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Input, OptionList

from interviewer.tui.widgets.plain_keys import LINE_KEYS


class SettingList(OptionList):
    """List settings."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Change")]


class Line(Input):
    """Take a line of text."""

    BINDINGS: ClassVar[list[BindingType]] = LINE_KEYS


class Search(Line):
    """Take the words to search for."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Start")]


class SessionTable(DataTable[Text]):
    """List sessions, one a row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Open")]
