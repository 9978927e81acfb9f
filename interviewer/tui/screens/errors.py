"""The app's internal errors, most recent first. Errors can be searched by the id that was shown to the user."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from interviewer.errors import ErrorRecord, journal
from interviewer.interview.challenge import code_block
from interviewer.tui.screens.pick import Pickable, PickScreen
from interviewer.tui.screens.reading import ReadingScreen
from interviewer.tui.text_format import printable, shortened
from interviewer.tui.widgets.lists import Search

NONE_YET = "No errors recorded."
DETAIL_CHARACTERS_MAX = 100


class ErrorSearch(Search):
    """A search field for an error id or words from the error."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Open")]


class ErrorsScreen(PickScreen):
    """A list of errors; picking an error opens it."""

    SEARCH = ErrorSearch
    PLACEHOLDER = "Search by id or text"


def error_list_screen() -> PickScreen:
    """Return the screen that lists the errors. Raises OSError if the file cannot be read."""
    found = journal.records()
    title = f"Errors, recorded in {journal.path}" if found else NONE_YET
    return ErrorsScreen(title, [_row(record) for record in found])


def error_screen(name: str) -> ReadingScreen:
    """Return the screen that shows all details of an error, for copying.

    Raises OSError if the file cannot be read, and StopIteration if there is no such error.
    """
    fault = next(record for record in journal.records() if record.id == name)
    return ReadingScreen(f"Error {fault.id}", code_block(str(fault), ""), str(fault))


def _row(fault: ErrorRecord) -> Pickable:
    said = shortened(printable(f"{fault.kind}: {fault.message}"), DETAIL_CHARACTERS_MAX).partition("\n")[0]
    return Pickable(fault.id, said, code_block(printable(str(fault)), ""), fault.id, fault.when)
