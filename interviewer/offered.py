"""Who judges, where code runs, how long a session may be; apart from the settings: --help names them, and is quick."""

from __future__ import annotations

EXAMINERS = ("auto", "offline", "llm")
SANDBOXES = ("docker", "process")
DEVICES = ("cpu", "cuda")
MINUTES_MIN, MINUTES_MAX = 1, 600
