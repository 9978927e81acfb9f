"""What someone typed, and what the bank says, is the same text in the debrief and in every report and export."""

from __future__ import annotations

import csv
import html
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from graders.verdict import Verdict
from interviewer.log.history import History
from interviewer.log.reports.anki import write_deck
from interviewer.log.reports.csv import csv_text
from interviewer.log.reports.html import html_report
from interviewer.log.reports.jsonl import export_lines
from interviewer.log.reports.overview import log_markdown
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.assessment import PointState, State
from interviewer.session.debrief import debrief, plain_debrief
from interviewer.session.results import practice_items, question_result
from tests.log.build import attempt, history_of, logged, run_of, whole_run
from tests.log.test_files import notes_of
from tests.session.build import Run, heard, report

TYPED = "scale[0, 0] of kv_cache, not __init__, *x* [a](b) <i> &amp; $5 [sound:x.mp3]"
PLAIN_TYPED = "scale[0, 0] of kv_cache"
SAYS = "Point 2 reads scale[0, 0] from kv_cache <now>."


def run_with_markup() -> Run:
    """Return a finished session with markup in an answer, in a quote, in a point and in a rung's question."""
    start = run_of("s1", ("question", "clipping"), ("task", "ppo_clip_loss")).events[0]
    assert isinstance(start, events.SessionStarted)
    question = start.questions[0]
    points = tuple(replace(point, says=f"{SAYS} Either half is enough.") if point.id == "p2" else point
                   for point in question.points)  # fmt: skip
    rungs = tuple(replace(rung, ask=f"Why {PLAIN_TYPED}, rung {n}?") for n, rung in enumerate(question.rungs, 1))
    run = Run(replace(start, questions=(replace(question, points=points, rungs=rungs),)))
    first = heard("p1")
    quoted = (PointState("p1", State.SHOWN, TYPED), *first.points[1:])
    run.answer(replace(first, points=quoted), text=TYPED)
    while not run.session.drill.is_over:
        run.answer(heard(), text=TYPED)
    run.apply(events.SelfMarked(run.now + 1, ()))
    run.submit(report(Verdict.WRONG_VALUE))
    run.apply(events.EndAsked(run.now + 1))
    return run


def rendered(markdown: str) -> str:
    """Return the text that a Markdown renderer shows."""
    blocks = MarkdownIt("commonmark", {"html": False}).enable("table").parse(markdown)
    return "\n".join("".join(child.content for child in block.children or ()) for block in blocks)


def words_of_page(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", page))


@pytest.fixture
def history(tmp_path: Path) -> History:
    return history_of(tmp_path, run_with_markup())


def texts(history: History, folder: Path) -> dict[str, str]:
    """Return the text that each output shows for this history."""
    run = run_with_markup()
    notes = notes_of_deck(history, folder)
    return {
        "debrief": rendered(debrief(run.session)),
        "plain": plain_debrief(run.session),
        "markdown": rendered(log_markdown(history, [run.events], [])),
        "html": words_of_page(html_report(history, [], [], "Report", 0.0)),
        "csv": csv_text(history).replace('""', '"'),
        "anki": words_of_page(notes),
    }


def notes_of_deck(history: History, folder: Path) -> str:
    write_deck(history, folder / "a.apkg")
    return "\n".join("\n".join(fields) for fields in notes_of(folder / "a.apkg", folder).values())


def test_typed_markup_is_the_same_text_everywhere(history: History, tmp_path: Path) -> None:
    for name, text in texts(history, tmp_path).items():
        assert TYPED in text, name
        assert SAYS in text, name
        assert f"{PLAIN_TYPED}, rung" in text, name
    assert "scale[0, 0] of kv_cache" in debrief(run_with_markup().session), "and in the source of the Markdown"
    assert "[sound:" not in notes_of_deck(history, tmp_path)
    log = logged(PracticeLog(tmp_path / "j.db"), run_with_markup())
    assert TYPED in "\n".join(export_lines(log, str)).replace('\\"', '"')


def test_result_judge_and_missed_points_are_the_same_everywhere(history: History, tmp_path: Path) -> None:
    session = history.sessions[0]
    result = question_result(session, session.drills[0])
    assert result.startswith("got to 1 of 4; stopped at “Why scale[0, 0]")
    for name, text in texts(history, tmp_path).items():
        assert result in text, name
        assert "offline examiner" in text, name
        before_the_notes = text.partition("tells the judge")[0]
        assert "Either half is enough." not in before_the_notes, name
    (row, *_) = csv.DictReader(io.StringIO(csv_text(history)))
    assert SAYS in row["missed"]
    assert row["judges"] == "offline examiner"
    (item, *_) = practice_items([session])
    assert row["practice_next"] == f"{item.says} ({item.start_command})"
    assert f"- {item.says}\n  - Start it: {item.start_command}\n" in plain_debrief(session)


def test_the_page_says_what_next_as_the_debrief_does(history: History, tmp_path: Path) -> None:
    page = words_of_page(
        html_report(history, [], [], "Report", 0.0).partition("What next</h2>")[2].partition("<h2>")[0]
    )
    items = practice_items(history.sessions)
    assert [item.id for item in items] == ["clipping", "ppo_clip_loss"]
    assert [page.find(item.start_command) for item in items] == sorted(page.find(i.start_command) for i in items)
    assert -1 not in [page.find(item.start_command) for item in items]
    passed = history_of(tmp_path / "b", run_with_markup(), attempts=(attempt("a1", 9e9, task="ppo_clip_loss"),))
    later = html_report(passed, [], [], "Report", 0.0).partition("What next</h2>")[2].partition("<h2>")[0]
    assert "challenge ppo_clip_loss" not in later, "it was passed since"
    held = history_of(tmp_path / "c", whole_run())
    assert "challenge ppo_clip_loss" not in html_report(held, [], [], "Report", 0.0)


def test_a_report_of_code_alone_names_no_examiner(tmp_path: Path) -> None:
    run = run_of("s1", ("task", "ppo_clip_loss"))
    run.submit(report(Verdict.WRONG_VALUE))
    run.apply(events.EndAsked(run.now + 1))
    page = words_of_page(html_report(history_of(tmp_path, run), [], [], "Report", 0.0).partition("</style>")[2])
    for word in ("xaminer", "kappa", "udged"):
        assert word not in page
