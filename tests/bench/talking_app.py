"""The real app in an interview whose interviewer streams 200 tokens per second and does not stop."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_interview
from interviewer.session.move import MoveKind
from interviewer.session.plan import PlanRequest
from interviewer.tui import app_base
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.widgets.transcript import Transcript

TOKENS_PER_SECOND = 200
STARTED = "token0x"
_TICK_SECONDS = 0.005
# After the question is asked, its turn replaces the words that were streamed.
_SETTLED_SECONDS = 1.0
_SENTENCE, _PARAGRAPH = 12, 60


class TalkingApp(InterviewerApp):
    """Start streaming once the candidate could answer."""

    CSS_PATH = str(Path(app_base.__file__).with_name("app.tcss"))

    def on_mount(self) -> None:
        """Stream in parallel with everything else, as a model's words arrive."""
        self.run_worker(self._talk())

    async def _talk(self) -> None:
        while (
            not isinstance(self.screen, InterviewScreen) or not self.screen.query(Transcript) or self.screen.is_driving
        ):
            await asyncio.sleep(_TICK_SECONDS)
        await asyncio.sleep(_SETTLED_SECONDS)
        transcript = self.screen.query_one(Transcript)
        await transcript.begin(MoveKind.PROBE)
        began, spoken = time.monotonic(), 0
        while True:
            due = int((time.monotonic() - began) * TOKENS_PER_SECOND)
            for number in range(spoken, due):
                end = "\n\n" if number % _PARAGRAPH == 0 else ". " if number % _SENTENCE == 0 else " "
                transcript.write(f"token{number}x{end}")
            spoken = max(spoken, due)
            await asyncio.sleep(_TICK_SECONDS)


if __name__ == "__main__":
    context = AppContext(Settings(), find_folders(), environ={})
    TalkingApp(
        context, new_interview(context, PlanRequest(minutes=45.0, questions=("ppo_clipping",), tasks=()), seed=1)
    ).run()
    context.close()
