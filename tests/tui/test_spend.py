"""The plan panel shows the language model's usage; without a model, it shows none."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.tui.app import InterviewerApp


@pytest.mark.slow
@pytest.mark.expectation(number=49)
@pytest.mark.parametrize(("has_model", "expected"), [(True, "1 call, 0 + 0 tokens, price unknown"), (False, "")])
async def test_the_spend_line(tmp_path: Path, has_model: bool, expected: str) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"replies": ["Why, then?"]}')
    model, examiner = (f"scripted/{script}", "auto") if has_model else ("", "offline")
    settings = Settings(model=model, examiner=examiner, keep_grader=False)
    with AppContext(settings, find_folders({"INTERVIEWER_HOME": str(tmp_path)}), environ={}) as context:
        interview = new_interview(context, PlanRequest(20, questions=("ppo_clipping",)), seed=1)
        app = InterviewerApp(context, interview)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause(0.6)
            shown = " ".join(str(app.screen.query_one("#plan").render()).split())
            assert ("tokens" in shown) is has_model
            assert expected in shown
