"""Who may judge and where code may run, by name; apart from the settings, because --help names them and is fast."""

from __future__ import annotations

EXAMINERS = ("auto", "offline", "llm")
SANDBOXES = ("docker", "process")
