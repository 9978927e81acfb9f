"""Who judges, and where code runs, by name; apart from the settings, since --help names them and must be quick."""

from __future__ import annotations

EXAMINERS = ("auto", "offline", "llm")
SANDBOXES = ("docker", "process")
DEVICES = ("cpu", "cuda")
