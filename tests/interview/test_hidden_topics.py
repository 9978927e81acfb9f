"""Until a repair task is passed, no list shows its topics or mistakes; after a pass, all of them do."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from textual.widgets import OptionList

from graders.verdict import Verdict
from interviewer.cli.group import run
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.log.attempts import new_attempt
from interviewer.log.progress import overview_text, session_outcomes
from interviewer.log.trends import topic_trends
from tasks.load import find_task, load_task
from tasks.new import scaffold
from tasks.task import Task
from tests.fakes import RecordingFrontend
from tests.session.build import question
from tests.tui.conftest import interview_of, open_app, report, shown_text, wait_for

# These words appear nowhere else on a screen.
TOPIC, MISTAKE = "stalemate", "Sums the counts before they are known."
SIZE = (110, 34)


def hunt() -> Task:
    """Return a repair task whose topic names its bug."""
    mistakes = tuple(replace(known, wrong=MISTAKE) for known in find_task("gae").mistakes[:1])
    return replace(
        find_task("gae"),
        id="quiet_night",
        area="distributed",
        title="A quiet night",
        kind="repair",
        topics=("distributed", TOPIC),
        statement="# A quiet night\n\nThe job prints nothing.\n",
        mistakes=mistakes,
    )


@pytest.fixture
def context() -> AppContext:
    made = AppContext(Settings(), find_folders(), environ={})
    made.questions = (question(),)
    made.full_tasks = (replace(find_task("gae"), topics=("advantage", TOPIC)), hunt())
    made.calibrations = ()
    return made


def graded(context: AppContext, verdict: Verdict, at: float) -> None:
    context.log.record_attempt(new_attempt(replace(report(verdict), task="quiet_night"), "x", "grade", at=at))


async def rows_found(context: AppContext, words: str) -> tuple[list[str], str]:
    """Return the rows that the browser finds, and its screen with a preview of the first one."""
    app = open_app(context)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("b")
        await wait_for(pilot, lambda: "not practiced" in shown_text(app), "what was practiced")
        await pilot.press(*words)
        await wait_for(pilot, lambda: "of 3" in shown_text(app), "the rows")
        await pilot.pause()
        rows = app.screen.query_one("#rows", OptionList)
        return [f"{option.id}: {option.prompt}".replace("\n", " | ") for option in rows.options], shown_text(app)


@pytest.mark.slow
async def test_the_browser_hides_the_topics_of_a_bug_hunt_until_it_is_passed(context: AppContext) -> None:
    graded(context, Verdict.WRONG_VALUE, at=1000.0)
    (found,), _ = await rows_found(context, TOPIC)
    assert found.startswith("task/gae: ")
    (found,), text = await rows_found(context, "quiet")
    assert found.startswith("task/quiet_night: A quiet night  ")
    assert found.endswith(" | task: find the bug · level 3 · 20 min · distributed")
    assert "The job prints nothing." in text
    assert TOPIC not in text
    assert MISTAKE not in text


@pytest.mark.slow
async def test_the_browser_shows_everything_after_a_pass(context: AppContext) -> None:
    graded(context, Verdict.PASSED, at=1000.0)
    (found,), text = await rows_found(context, f"{TOPIC} quiet")
    assert found.endswith(f" | task: find the bug · level 3 · 20 min · distributed · distributed, {TOPIC}")
    assert MISTAKE in text


def test_the_log_names_no_topic_of_a_bug_hunt_until_it_is_passed(context: AppContext) -> None:
    interview = interview_of(context, tasks=("quiet_night",))
    interview.run_until_input(RecordingFrontend())
    graded(context, Verdict.RAISED, at=1000.0)

    history = context.history()
    topics = {"gae": ("advantage", TOPIC), "quiet_night": ("distributed", TOPIC)}
    assert topic_trends(history, topics) == []
    assert TOPIC not in overview_text(history, context.known_content, 2000.0)
    assert session_outcomes(history)[interview.session.id].topics == ()

    graded(context, Verdict.PASSED, at=1001.0)
    history = context.history()
    assert [(topic.name, len(topic.attempts)) for topic in topic_trends(history, topics)] == [
        ("distributed", 2),
        (TOPIC, 2),
    ]
    assert TOPIC in overview_text(history, context.known_content, 2000.0)
    assert session_outcomes(history)[interview.session.id].topics == ("distributed", TOPIC)


def test_the_command_hides_topics_and_mistakes_but_its_json_is_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = find_folders().tasks / "distributed" / "quiet_night"
    folder.parent.mkdir(parents=True)
    scaffold(folder)
    toml = folder / "task.toml"
    text = toml.read_text().replace('"implement"', '"repair"').replace('["masking"]', f'["distributed", "{TOPIC}"]')
    toml.write_text(text)

    def told(*arguments: str) -> str:
        assert run(["tasks", *arguments]) == 0
        return capsys.readouterr().out

    assert "quiet_night" not in told("--topic", TOPIC)
    assert "quiet_night" in told("--topic", "distributed")
    assert told("quiet_night") == f"{load_task(folder).statement}\n"
    assert json.loads(told("--topic", TOPIC, "--json"))["tasks"][0]["topics"] == ["distributed", TOPIC]

    with AppContext(Settings(), find_folders(), environ={}) as context:
        graded(context, Verdict.PASSED, at=1000.0)
    assert "quiet_night" in told("--topic", TOPIC)
    text = told("quiet_night")
    assert text.startswith(load_task(folder).statement)
    assert f"Topics: distributed, {TOPIC}" in text
    assert load_task(folder).mistakes[0].wrong in text
