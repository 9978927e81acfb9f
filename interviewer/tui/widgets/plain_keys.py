"""Second keys for what Textual binds only to chords that old terminals cannot send; the first keys stay."""

from __future__ import annotations

from textual.binding import Binding, BindingType

LONG_TEXT_KEYS: list[BindingType] = [
    Binding("ctrl+b", "cursor_word_left(True)", "Cursor left word select", show=False),
    Binding("ctrl+n", "cursor_word_right(True)", "Cursor right word select", show=False),
    Binding("ctrl+l", "delete_line", "Delete line", show=False),
    Binding("shift+delete", "delete_word_right", "Delete right to start of word", show=False),
    # In an interview, f7 takes an answer back.
    Binding("f10", "select_all", "Select all", show=False),
]
LINE_KEYS: list[BindingType] = [
    Binding("ctrl+b", "cursor_left_word(True)", "Move cursor left a word and select", show=False),
    Binding("ctrl+n", "cursor_right_word(True)", "Move cursor right a word and select", show=False),
    Binding("f7", "select_all", "Select all", show=False),
    Binding("shift+delete", "delete_right_word", "Delete right to start of word", show=False),
]
