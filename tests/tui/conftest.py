"""A real context with small questions, a temporary log and a prepared grader, and helpers that wait for the app."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import cast

import pytest
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from graders.client import GraderClient
from graders.errors import Cancelled, GradingError
from graders.verdict import Diagnosis, Outcome, Report, Verdict
from interviewer.chat.model import ChatCancelled, Message, Reply, Usage
from interviewer.config import Settings, find_folders
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.context import AppContext
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import new_interview
from interviewer.session.plan import PlanRequest
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens.interview import InterviewScreen
from tasks.load import find_task
from tasks.task import Kind, Task
from tests.session.build import question

WIDE, NARROW = (120, 40), (80, 24)
STARTER = "def gae(rewards):\n    return rewards\n"
STATEMENT = "# Advantages\n\nReturn `rewards` discounted, shape `[T, B]`, where 0 <gamma < 1 and b> 2.\n"


# Textual hashes each rule for each widget that it styles, with a method written in Python that returns the id.
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]
parse_rules = Stylesheet._parse_rules
rules_by_source: dict[Hashable, list[RuleSet]] = {}


def parse_rules_once(
    sheet: Stylesheet,
    css: str,
    read_from: tuple[str, str],
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    """Parse each style sheet once for all apps of a test process: rules do not change once they are parsed."""
    source = (css, read_from, is_default_rules, tie_breaker, scope)
    key = (*source, frozenset(sheet._variables.items()))
    if key not in rules_by_source:
        rules_by_source[key] = parse_rules(sheet, *source)
    return rules_by_source[key]


Stylesheet._parse_rules = parse_rules_once  # type: ignore[method-assign, assignment]


class PreparedClient:
    """Replaces the grader's client: returns reports in order; `gate` holds each grade until it is set."""

    def __init__(self) -> None:
        self.reports: list[Report | GradingError] = []
        self.sources: list[str] = []
        self.devices: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self._is_cancelled = threading.Event()
        self.has_started = False

    def grade(self, task: str, source: str, *, device: str, sandbox: str, image: str) -> Report:
        self.sources.append(source)
        self.devices.append(device)
        self._is_cancelled.clear()
        while not self.gate.wait(0.01):
            if self._is_cancelled.is_set():
                raise Cancelled("The grade was stopped.", "Submit again.")
        result = self.reports.pop(0)
        if isinstance(result, GradingError):
            raise result
        return result

    def prepare(self, task: str, device: str) -> None:
        self.prepared = task

    def cancel(self) -> None:
        self._is_cancelled.set()

    def start(self, warm: str = "", image: str = "") -> None:
        self.has_started = True

    def warm_cells(self) -> list[int] | None:
        return [150 * 2**20]

    def close(self, stays: bool = False) -> None:
        self.cancel()


class SlowVoice:
    """A model that says one sentence and then starts another one, which lasts until the model is stopped."""

    name = "slow"
    usage = Usage()
    notice: Callable[[str], None]
    waits: Callable[[float], None]

    def warm_up(self) -> bool:
        return True

    def stream(self, messages: Sequence[Message], is_cancelled: Callable[[], bool] = lambda: False) -> Iterator[str]:
        pause = threading.Event()
        yield "Please tell me what you think about this. And then"
        while not is_cancelled():
            pause.wait(0.01)
        raise ChatCancelled("stopped", "")

    def complete(self, *arguments: object, **options: object) -> Reply:
        raise AssertionError("nothing is judged by this voice")


def task(task_id: str, minutes: int = 20, kind: Kind = "implement", topics: tuple[str, ...] = ("advantage",)) -> Task:
    """Return a small task like those of the catalog."""
    return replace(
        find_task("gae"),
        id=task_id,
        title="Advantages",
        kind=kind,
        minutes=minutes,
        topics=topics,
        statement=STATEMENT,
        starter=STARTER,
        hints=("mild", "strong"),
        reference="def gae(rewards):\n    return rewards  # the reference\n",
    )


def report(verdict: Verdict, *, mistake: bool = False, stdout: str = "") -> Report:
    """Return a report with three cases, the last of which has this verdict."""
    message = "" if verdict is Verdict.PASSED else "values: expected 0.5 at [2, 0], got 0.75"
    diagnosis = Diagnosis(
        "credit_crosses", "The recursion runs on past the end.", "What may the last step know?", is_exact=True
    )
    return Report(
        task="gae",
        device="cpu",
        sandbox="docker",
        isolation="container, no network",
        seed=4711,
        cases=(
            Outcome("one_step", Verdict.PASSED, 1.0, ""),
            Outcome("two_columns", Verdict.PASSED, 1.0, ""),
            Outcome("ends_midway", verdict, 2.0, message, 0.25, 1e-5, "advantages[2, 0]"),
        ),
        mistake=diagnosis if mistake else None,
        stdout=stdout,
        seconds={"verdict": 1.25, "inside": 0.4, "wait": 0.1},
    )


def unloaded() -> Report:
    """Return the report on a file whose first line does not parse."""
    message = 'File "your code", line 1: SyntaxError: invalid syntax\n    xdef gae(rewards):\n        ^'
    failed = report(Verdict.PASSED)
    return replace(
        failed, cases=tuple(replace(case, verdict=Verdict.NOT_LOADED, message=message) for case in failed.cases)
    )


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make no test depend on the developer's terminal or write to the desktop's clipboard."""
    for name in ("COLORFGBG", "DISPLAY", "WAYLAND_DISPLAY", "TMUX", "LC_CTYPE", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SSH_TTY", "/dev/pts/0")


@pytest.fixture
def client() -> PreparedClient:
    return PreparedClient()


@pytest.fixture
def context(client: PreparedClient) -> Iterator[AppContext]:
    folders = find_folders()
    context = AppContext(Settings(), folders, environ={})
    tasks = (task("gae"),)
    # The context caches what it loads, so what is put there first is what it serves.
    questions = (question("clipping"), question("entropy"))
    context.questions = questions
    context.full_tasks = tasks
    context.grader_client = cast(GraderClient, client)
    context.calibrations = ()
    yield context
    context.close()


def with_slow_voice(context: AppContext) -> None:
    """Use a model that never stops speaking by itself; the offline examiner still judges."""

    class Named(OfflineExaminer):
        name = "llm:slow"

    context.participants = Participants(examiner=Named(), offline=OfflineExaminer(), voice=SlowVoice())


def interview_of(context: AppContext, *, questions: tuple[str, ...] = (), tasks: tuple[str, ...] = ()) -> Interview:
    """Return an interview with these parts, after which no further question is offered."""
    bank = context.questions
    context.questions = tuple(question for question in bank if question.id in questions)
    interview = new_interview(context, PlanRequest(minutes=45.0, questions=questions, tasks=tasks), seed=1)
    context.questions = bank
    return interview


async def wait_for(pilot: Pilot[None], condition: Callable[[], bool], what: str, seconds: float = 30.0) -> None:
    """Return once the condition holds and the screen is composed; fail with `what` when the time is up."""
    for _ in range(int(seconds / 0.02)):
        await pilot.pause(0.02)
        stack = pilot.app.screen_stack
        if condition() and (not stack or stack[-1].is_mounted):
            return
    pytest.fail(f"waited {seconds:g} s for: {what}\nOn the screen:\n{shown_text(pilot.app)}")


async def stage_of(pilot: Pilot[None]) -> InterviewScreen:
    """Return the interview's screen once it is the candidate's turn."""
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, InterviewScreen), "the interview screen")
    screen = pilot.app.screen
    assert isinstance(screen, InterviewScreen)
    await settled(pilot, screen)
    return screen


async def settled(pilot: Pilot[None], screen: InterviewScreen) -> None:
    """Return once the runner has finished and everything is drawn."""
    await wait_for(pilot, lambda: not screen.is_driving, "the runner to wait for input")
    await pilot.pause()
    await pilot.pause()


@pytest.fixture(autouse=True)
def lasting_notifications(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a notification on the screen until the test has looked at it, however busy the machine is."""
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 600.0)


@pytest.fixture(autouse=True)
def keys_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test press a key as soon as a dialog opens; a test of the guard keeps it on."""
    monkeypatch.setattr("interviewer.tui.typing_guard.OPEN_SECONDS", 0.0)


def open_app(context: AppContext, interview: Interview | None = None) -> InterviewerApp:
    return InterviewerApp(context, interview)


def shown_text(app: App[None]) -> str:
    """Return what the screen shows, as lines of text without styles."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())
