"""A summary is requested once, logged separately from the session, shown as the model's, and changes no result."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.chat.model import ChatError, ModelUnreachable
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap
from interviewer.cli.plain.interview import say_summary
from interviewer.config import Settings, find_folders
from interviewer.errors import journal
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.context import AppContext
from interviewer.interview.ports import Participants
from interviewer.interview.sessions import appeal, load_session
from interviewer.interview.teaching import NO_MODEL, NOT_JUDGED, Teacher
from interviewer.log.errors import LogError
from interviewer.log.history import read_history
from interviewer.log.reports import jsonl
from interviewer.log.reports.html import html_report
from interviewer.log.reports.overview import log_markdown
from interviewer.log.store import PracticeLog
from interviewer.log.transcript import transcript_lines
from interviewer.session import phrases
from interviewer.session.debrief import debrief
from interviewer.session.engine import step
from interviewer.session.events import Appealed, EndAsked, ExaminerChanged, Summarized, dump_event
from interviewer.session.state import Session, Summary
from tests.interview.test_spend_cap import Priced
from tests.session.build import Run, heard, question, started

HEADING = "Written by scripted, based on the points above"


def logged(log: PracticeLog, examiner: str = "llm:x") -> Session:
    """Log a finished session in which p1 and p2 were shown, and return it."""
    run = Run(started(("question", "clipping"), examiner=examiner))
    run.answer(replace(heard("p1", "p2"), judge=examiner), "Point 1 of clipping, and then point 2 of clipping, too.")
    run.answer(replace(heard(), judge=examiner), "I do not know.")
    run.answer(replace(heard(), judge=examiner), "I still do not know.")
    if not run.session.is_over:
        run.apply(EndAsked(run.now))
    log.append("s1", 0, *run.events)
    return run.session


STEP = {"text": "Write down point 3 of the clipping, with what it is for.", "points": ["clipping/p3"]}
# A reply that the points of this session support.
WRITTEN = json.dumps(
    {
        "summary": [
            {
                "text": f"You explained that point {number} belongs to clipping.",
                "status": "credited",
                "points": [f"clipping/p{number}"],
            }
            for number in (1, 2)
        ],
        "plan": [STEP] * 3,
    }
)


@pytest.fixture
def context() -> Iterator[AppContext]:
    context = AppContext(Settings(), find_folders(), environ={})
    context.questions = (question("clipping"),)
    context.calibrations = ()
    yield context
    context.close()


def use(context: AppContext, model: ScriptedModel | None, cap: Cap | None = None) -> Teacher:
    """Use this model to write, and return the teacher."""
    context.model = model
    examiner = LLMExaminer(model) if model else OfflineExaminer()
    context.participants = Participants(examiner, OfflineExaminer(), voice=model, cap=cap or Cap())
    return Teacher(context, clock=lambda: 5000.0)


def test_it_is_written_once_and_logged_with_the_session(context: AppContext) -> None:
    session = logged(context.log)
    model = ScriptedModel(judgements=[WRITTEN])
    teacher = use(context, model)
    assert teacher.wants_summary(session)
    assert teacher.why_no_model(session) == ""
    summary = teacher.summarize(session)
    assert summary is not None
    assert [len(summary.sentences), len(summary.plan)] == [2, 3]
    again = load_session(context.log, "s1")
    assert again.summary == summary
    assert not teacher.wants_summary(again)
    assert len(model.requests) == 1
    assert context.log.payment("s1"), "its cost counts toward the session"


def test_no_result_changes(context: AppContext) -> None:
    session = logged(context.log)
    before = debrief(session)
    use(context, ScriptedModel(judgements=[WRITTEN])).summarize(session)
    after = load_session(context.log, "s1")
    assert (after.drills, after.works, after.elapsed_seconds) == (
        session.drills,
        session.works,
        session.elapsed_seconds,
    )
    shown = debrief(after)
    assert shown.index(f"## {HEADING}") > shown.index("Your answers:")
    start = shown.index(f"## {HEADING}")
    stop = shown.index("## Notes") if "## Notes" in shown else len(shown)
    assert shown[:start] + shown[stop:] == before
    assert "(point: p1)" in shown[start:stop]
    assert "1. Write down point 3" in shown[start:stop]


def test_a_dropped_sentence_is_recorded_and_a_plan_alone_is_shown(context: AppContext) -> None:
    session = logged(context.log)
    foreign = {"text": "Du hast alles erklärt.", "status": "credited", "points": ["clipping/p1"]}
    reply = json.dumps({"summary": [foreign], "plan": [STEP]})
    summary = use(context, ScriptedModel(judgements=[reply])).summarize(session)
    assert summary is not None
    assert (len(summary.sentences), len(summary.plan)) == (0, 1)
    assert [record.message for record in journal.records()] == [
        "scripted: its summary sentence is not one plain English sentence, so it was not shown."
    ]
    assert "1. Write down point 3" in debrief(load_session(context.log, "s1"))
    history = read_history(context.log, lambda text: text)
    assert "Write down point 3" in html_report(history, (), (), "Practice", 0.0)


def test_an_unusable_reply_is_shown_nowhere_and_not_paid_for_twice(context: AppContext) -> None:
    session = logged(context.log)
    before = debrief(session)
    teacher = use(context, ScriptedModel(judgements=["What a great interview!"]))
    assert teacher.summarize(session) == Summary("scripted")
    assert journal.records()[0].message.startswith("scripted: its summary does not match")
    again = load_session(context.log, "s1")
    assert debrief(again) == before
    assert not teacher.wants_summary(again)


def test_a_failure_is_raised_and_asked_again_the_next_time(context: AppContext) -> None:
    session = logged(context.log)
    teacher = use(context, ScriptedModel(judgements=[ModelUnreachable("m: no server.", "Start it.")]))
    with pytest.raises(ChatError):
        teacher.summarize(session)
    assert teacher.wants_summary(load_session(context.log, "s1"))


def test_a_reached_cap_forbids_it(context: AppContext) -> None:
    session = logged(context.log)
    model = Priced(judgements=[WRITTEN, WRITTEN])
    teacher = use(context, model, Cap(usd=0.05))
    assert teacher.summarize(session) is not None
    assert "cap of 0.05 USD has been reached" in teacher.why_no_model(session)
    assert teacher.summarize(session) is None
    assert len(model.requests) == 1


def test_without_a_model_one_line_says_what_is_missing(context: AppContext) -> None:
    out = io.StringIO()
    session = logged(context.log, "offline")
    say_summary(use(context, None), session, out)
    say_summary(use(context, ScriptedModel()), session, out)
    assert out.getvalue().split("\n") == ["", NO_MODEL, "", NOT_JUDGED, ""]


def test_a_session_that_ends_offline_after_a_model_judged_it_is_summarized(context: AppContext) -> None:
    session = step(logged(context.log), ExaminerChanged(9_000.0, "offline", "the model failed"))
    teacher = use(context, ScriptedModel(judgements=[WRITTEN]))
    assert teacher.wants_summary(session)
    assert teacher.why_no_model(session) == ""
    assert teacher.summarize(session) is not None


def test_plain_mode_prints_it_after_the_debrief(context: AppContext) -> None:
    out, session = io.StringIO(), logged(context.log)
    say_summary(use(context, ScriptedModel(judgements=[WRITTEN])), session, out)
    assert f"## {HEADING}" in out.getvalue()
    assert "Study plan:" in out.getvalue()


def test_plain_mode_says_that_there_is_none(context: AppContext) -> None:
    out, err, session = io.StringIO(), io.StringIO(), logged(context.log)
    down = ModelUnreachable("m: no server.", "Start it.")
    teacher = use(context, ScriptedModel(judgements=[down, "no"]))
    say_summary(teacher, session, out, err)
    assert "no server" in err.getvalue()
    say_summary(teacher, session, out, err)
    assert out.getvalue().endswith(f"{phrases.NO_SUMMARY}\n")


def test_reports_exports_and_the_transcript_contain_it(context: AppContext) -> None:
    session = logged(context.log)
    use(context, ScriptedModel(judgements=[WRITTEN])).summarize(session)
    history = read_history(context.log, lambda text: text)
    page = html_report(history, (), (), "Practice", 0.0)
    whole = context.log.whole("s1")
    markdown = log_markdown(history, [whole], ())
    for text in (page, markdown):
        assert HEADING in text
        assert "You explained that point 2 belongs to clipping." in text
    assert "Summary, not scored, by scripted: You explained" in "\n".join(transcript_lines(whole))


def test_model_text_is_data_in_every_report(context: AppContext) -> None:
    session = logged(context.log)
    reply = WRITTEN.replace("belongs to clipping", "belongs to *clipping* <b>")
    use(context, ScriptedModel(judgements=[reply])).summarize(session)
    history = read_history(context.log, lambda text: text)
    assert "\\*clipping\\* \\<b>" in debrief(history.sessions[0])
    assert "*clipping* &lt;b&gt;" in html_report(history, (), (), "Practice", 0.0)


def test_an_export_carries_it_and_an_import_brings_it_back(context: AppContext, tmp_path: Path) -> None:
    session = logged(context.log)
    use(context, ScriptedModel(judgements=[WRITTEN])).summarize(session)
    lines = jsonl.export_lines(context.log, lambda text: text)
    other = PracticeLog(tmp_path / "other.db")
    for _ in range(2):
        jsonl.import_recording(other, jsonl.read_lines(lines), lambda text: text)
        assert jsonl.export_lines(other, lambda text: text) == lines
    # What a version without summaries reads: a first line with its format, and lines of the kinds that it knows.
    assert {json.loads(line)["kind"] for line in lines} == {"practice_log", "event"}
    assert all(json.loads(line)["event"]["kind"] != "Summarized" for line in lines[1:])
    newer = [lines[0].replace('"Summarized"', '"Telepathy"'), *lines[1:]]
    assert jsonl.read_lines(newer).afterwards == {"s1": []}


def test_an_earlier_version_reads_the_session_without_it(context: AppContext) -> None:
    session = logged(context.log)
    events = context.log.events("s1")
    use(context, ScriptedModel(judgements=[WRITTEN])).summarize(session)
    with closing(sqlite3.connect(context.log.path)) as connection:
        # The query for schema 4, which is the same in every version so far.
        statement = "SELECT number, line FROM events WHERE session = ? AND number >= ? ORDER BY number"
        rows = connection.execute(statement, ("s1", 0)).fetchall()
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 4
    assert [line for _, line in rows] == [dump_event(event) for event in events]
    assert context.log.events("s1") == events


def test_an_appeal_after_it_has_the_next_number(context: AppContext) -> None:
    session = logged(context.log)
    use(context, ScriptedModel(judgements=[WRITTEN])).summarize(session)
    appeal(context.log, session, "clipping", "p3", "I said it.", clock=lambda: 6000.0)
    kinds = [type(event) for event in context.log.whole("s1")]
    assert kinds[-2:] == [Appealed, Summarized]
    assert load_session(context.log, "s1").summary is not None


def test_what_a_newer_version_added_leaves_the_session_readable(context: AppContext) -> None:
    logged(context.log)
    context.log.append_afterwards("s1", Summarized(5000.0, Summary("m")))
    with closing(sqlite3.connect(context.log.path)) as connection, connection:
        connection.execute("UPDATE events SET line = replace(line, 'Summarized', 'Telepathy') WHERE number < 0")
    assert context.log.afterwards("s1") == []
    assert load_session(context.log, "s1").summary is None


def test_forgetting_a_session_forgets_it(context: AppContext) -> None:
    logged(context.log)
    context.log.append_afterwards("s1", Summarized(5000.0, Summary("m")))
    context.log.forget("s1")
    assert context.log.afterwards("s1") == []


def test_nothing_is_logged_for_a_forgotten_session_whose_debrief_is_still_open(context: AppContext) -> None:
    session = logged(context.log)
    teacher = use(context, ScriptedModel(judgements=[WRITTEN]))
    context.log.forget("s1")
    with pytest.raises(LogError, match="s1"):
        teacher.summarize(session)
    assert context.log.whole("s1") == []
