"""Draw the README's picture from a real session: python -m tests.tui.screenshot docs/interview.svg."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.session.state import Awaiting
from interviewer.tui.app import InterviewerApp
from tasks.load import find_task

OPENING = (
    "PPO takes the ratio of new to old probability times the advantage, clips it to [1-eps, 1+eps], and takes the min "
    "of both. That keeps the ratio inside the trust region."
)


async def draw(target: Path) -> None:
    """Answer one question, submit the showcase mistake, and save the screen."""
    with tempfile.TemporaryDirectory() as home:
        folders = find_folders({"INTERVIEWER_HOME": home})
        settings = Settings(sandbox="process", examiner="offline", keep_grader=False)
        with AppContext(settings, folders, environ={}) as context:
            interview = new_interview(
                context, PlanRequest(40, questions=("ppo_clipping",), tasks=("ppo_clip_loss",)), seed=1
            )
            app = InterviewerApp(context, interview)
            async with app.run_test(size=(124, 38)) as pilot:
                await pilot.pause(0.5)
                await pilot.press(*OPENING)
                await pilot.press("enter")
                await pilot.pause(1)
                await pilot.press("f9")
                await pilot.pause(0.5)
                await pilot.press("ctrl+s")
                await pilot.pause(1)
                wrong = next(mistake for mistake in find_task("ppo_clip_loss").mistakes if mistake.id == "max_for_min")
                interview.save_draft("code:ppo_clip_loss", wrong.source)
                app.screen.query_one("CodeEditor").text = wrong.source  # type: ignore[attr-defined]
                await pilot.press("ctrl+s")
                while interview.session.awaiting is not Awaiting.SUBMISSION or not interview.session.works[0].attempts:
                    await pilot.pause(0.2)
                await pilot.pause(1)
                target.write_text(app.export_screenshot(title="interviewer"), encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    asyncio.run(draw(Path(sys.argv[1])))
