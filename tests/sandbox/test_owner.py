"""A process is identified in the same way by all processes that ask, so that only exited owners lose anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandbox.owner import owner_of


def test_without_proc_an_owner_is_the_same_in_every_time_zone_and_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # As on macOS, ps prints a start time that depends on these two variables.
    listing = tmp_path / "ps"
    listing.write_text('#!/bin/sh\necho "$LC_ALL $TZ"\n')
    listing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(Path, "exists", lambda path: False)
    owners = set()
    for language, zone in (("de_DE.UTF-8", "Europe/Berlin"), ("en_US.UTF-8", "America/New_York")):
        monkeypatch.setenv("LC_ALL", language)
        monkeypatch.setenv("TZ", zone)
        owners.add(owner_of(os.getpid()))
    assert len(owners) == 1
