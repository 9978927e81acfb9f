"""Mends one key that Textual 8.2.8 misreads: alt+enter without the Kitty protocol arrives as a caret and enter."""

from __future__ import annotations

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import Keys


def teach_alt_enter() -> None:
    """Let alt+enter mean the same as ctrl+j in every terminal."""
    known = ANSI_SEQUENCES_KEYS
    if isinstance(known, dict):
        known["\x1b\r"] = (Keys.ControlJ,)
