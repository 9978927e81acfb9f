"""The session in the README's picture proceeds as the picture shows it."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from tasks.load import find_task
from tests.tui.screenshot import draw


@pytest.mark.expectation(number=74)
@pytest.mark.slow
async def test_the_picture_shows_the_mistake_that_was_made(tmp_path: Path) -> None:
    target = tmp_path / "interview.svg"
    await draw(target)
    drawn = html.unescape(target.read_text(encoding="utf-8")).replace("\u00a0", " ")
    mistake = next(candidate for candidate in find_task("ppo_clip_loss").mistakes if candidate.id == "max_for_min")
    # Each line of the picture is wrapped after these words.
    cases = len(find_task("ppo_clip_loss").case_names)
    lines = (mistake.ask[:35], f"wrong value · {cases - len(mistake.caught_by)} of {cases} cases passed")
    assert [line for line in lines if line not in drawn] == []
