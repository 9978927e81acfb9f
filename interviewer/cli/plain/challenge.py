"""Run a timed challenge in plain mode: time, pause, attempts, diffs, hints with their cost, and the solution."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from interviewer.cli.plain.interview import PlainFrontend, run_plain_interview
from interviewer.interview.challenge import (
    Challenge,
    after_pass_lines,
    may_show_solution,
    result_lines,
    solution_text,
    unified_diff,
)
from interviewer.session.phrases import verdict_text

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
    from interviewer.log.progress import Progress

HINT_COST = (
    "Cost: a pass with hints does not set a best time, and the task comes back sooner. Type /hint yes to take the hint."
)
TIME_UP = "Time is up: your last submission counts. /end ends the challenge; later submissions are marked untimed.\n"
PAUSED = "Paused. /go resumes, /end ends the challenge."
COMMANDS = "More commands: /time, /pause, /go, /attempts, /diff N M, /hint, /solution TASK."


class ChallengeLines:
    """Handle the commands of a challenge and return the replies as text."""

    def __init__(self, challenge: Challenge, context: AppContext, practice: Progress) -> None:
        self._challenge = challenge
        self._app_context = context
        self._practice = practice

    def before_turn(self) -> str:
        """Return the time left, or a message that time is up."""
        return TIME_UP if self._challenge.is_time_up else f"({self._time()}) "

    def handle_command(self, text: str) -> str | None:
        """Return the reply to a command, or None if the text is for the interview.

        During a pause, only /go and /end work.
        """
        known: dict[str, Callable[[str], str | None]] = {
            "/time": lambda _: self._time(),
            "/pause": self._pause,
            "/go": self._go_on,
            "/attempts": lambda _: self._attempts(),
            "/diff": self._diff,
            "/solution": self.solution,
            "/hint": self._hint,
        }
        word, _, rest = text.partition(" ")
        if self._challenge.is_paused and word == "/end":
            self._go_on("")
            return None
        if self._challenge.is_paused and word != "/go":
            return PAUSED
        return known[word](rest.strip()) if word in known else None

    def result(self) -> str:
        """Return the result of each task, and a question to think about for each passed task."""
        questions = after_pass_lines(self._challenge.session)
        return "\n".join(["Result", *result_lines(self._challenge, self._practice), *questions])

    def solution(self, task: str) -> str:
        """Return the reference and explanation for a finished task (title, id or alias; default: the last one)."""
        session, current = self._challenge.session, self._app_context.task_names.id_of
        over = [work for work in session.works if may_show_solution(session, work.task)]
        if task:
            over = [
                work
                for work in over
                if current(work.task) == current(task) or session.task(work.task).title.casefold() == task.casefold()
            ]
        if not over:
            return "The solution unlocks once you pass the task or leave it with /skip."
        return solution_text(self._app_context.task(over[-1].task), over[-1])

    def _time(self) -> str:
        seconds = int(self._challenge.seconds_left)
        return f"{seconds // 60}:{seconds % 60:02d} left"

    def _pause(self, _: str) -> str:
        self._challenge.pause()
        return PAUSED

    def _go_on(self, _: str) -> str:
        self._challenge.resume()
        return f"The clock is running: {self._time()}."

    def _attempts(self) -> str:
        session = self._challenge.session
        times = self._challenge.attempt_seconds(len(session.works) - 1)
        lines: list[str] = []
        number = 0
        for attempt, seconds in zip(session.work.attempts, times, strict=True):
            number += attempt.has_loaded
            verdict = verdict_text(attempt.report.verdict) if attempt.report else "ungraded"
            when = "untimed" if seconds is None else f"at {int(seconds) // 60}:{int(seconds) % 60:02d}"
            lines.append(f"#{number} {verdict}, {when}" if attempt.has_loaded else f"– {verdict}, not counted, {when}")
        return "\n".join(lines) or "No attempts yet."

    def _diff(self, rest: str) -> str:
        sources = [attempt.source for attempt in self._challenge.session.work.submissions]
        words = rest.split()
        numbers = [int(word) for word in words if word.isdecimal() and 1 <= int(word) <= len(sources)]
        if len(words) != 2 or len(numbers) != 2:
            return f"/diff needs two attempts from 1 to {len(sources)}, for example /diff 1 2"
        before, after = numbers
        return unified_diff(sources[before - 1], sources[after - 1], f"attempt {before}", f"attempt {after}")

    def _hint(self, rest: str) -> str | None:
        return None if rest == "yes" else HINT_COST


def run_plain_challenge(context: AppContext, challenge: Challenge, practice: Progress) -> None:
    """Run a challenge on standard input and output; afterward, /solution shows the reference."""
    hooks, frontend = ChallengeLines(challenge, context, practice), PlainFrontend(sys.stdout, sys.stderr)
    frontend.say(COMMANDS)
    if not run_plain_interview(challenge, hooks=hooks):
        return
    frontend.say(f"\n{hooks.result()}\n\n/solution shows the reference; an empty line exits.")
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word != "/solution":
            return
        frontend.say(hooks.solution(rest.strip()))
