"""CSV that a spreadsheet does not execute, deck updates without duplicates, and replays that report differences."""

from __future__ import annotations

import csv
import html
import io
import json
import shutil
import sqlite3
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.verdict import Verdict
from interviewer.cli.replay import compare_with_state, move_differences, replay_lines
from interviewer.log.reports.anki import write_deck
from interviewer.log.reports.csv import COLUMNS, csv_text, safe_cell
from interviewer.session.events import CandidateSaid, InterviewerSaid, SessionStarted, load_event
from interviewer.session.move import MoveKind
from interviewer.session.results import questions_after_pass
from tests.log.build import DAY, QUESTION, TASK, attempt, history_of, run_of, whole_run
from tests.session.build import Run, report

REPLAYS = Path(__file__).parent.parent / "replays"


def test_csv_has_a_row_for_each_question_and_each_submission(tmp_path: Path) -> None:
    late = replace(attempt("a1", 2 * DAY, Verdict.RAISED), wall_seconds=61.4, hints=2)
    history = history_of(tmp_path, whole_run(words="mine, with\nlines"), attempts=(late,))
    rows = list(csv.DictReader(io.StringIO(csv_text(history))))
    assert [row["name"] for row in rows] == ["clipping", "ppo_clip_loss", "ppo_clip_loss", "gae"]
    assert list(rows[0]) == list(COLUMNS)
    question, failed, passed, loose = rows
    assert (question["broke_at"], question["rungs"], question["own_share"]) == ("3", "4", "0.75")
    assert float(question["depth_low"]) <= float(question["depth"]) <= float(question["depth_high"])
    assert question["last_words"] == "mine, with\nlines, no more"
    assert (failed["verdict"], failed["score"], passed["verdict"]) == ("wrong_value", "0.500", "passed")
    assert (loose["at_utc"], loose["origin"]) == ("1970-01-03T00:00:00+00:00", "grade")
    assert (loose["wall_seconds"], loose["hints"]) == ("61", "2")


@pytest.mark.parametrize("text", ["=1+1", "+x", "-2", "@SUM(A1)", "\t=1", "  =1", "\x00=1", "\r=1", "\n=1", "＝1"])
def test_no_cell_starts_a_formula(text: str, tmp_path: Path) -> None:
    assert safe_cell(text).startswith("'")
    rows = list(csv.DictReader(io.StringIO(csv_text(history_of(tmp_path, whole_run(words=text))))))
    assert rows[0]["last_words"].startswith("'")


@given(st.text())
def test_whatever_the_text_the_first_character_is_harmless(text: str) -> None:
    assert not safe_cell(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def notes_of(deck: Path, folder: Path) -> dict[str, list[str]]:
    """Return the fields of each note by its guid, as Anki would read them."""
    with zipfile.ZipFile(deck) as archive:
        archive.extract("collection.anki2", folder)
    connection = sqlite3.connect(folder / "collection.anki2")
    notes = connection.execute("SELECT guid, flds FROM notes").fetchall()
    cards = connection.execute("SELECT count(*) FROM cards").fetchone()[0]
    connection.close()
    assert cards == len(notes)
    return {guid: fields.split("\x1f") for guid, fields in notes}


def test_a_deck_has_a_card_for_each_rung_with_the_last_words(tmp_path: Path) -> None:
    history = history_of(tmp_path, whole_run(words="<b>mine</b> & more"))
    assert write_deck(history, tmp_path / "a.apkg") == 5, "and one for the question about the code that passed"
    notes = notes_of(tmp_path / "a.apkg", tmp_path)
    (second,) = [fields for fields in notes.values() if "clipping rung 2?" in fields[0]]
    assert "Why does clipping work?" in second[0]
    assert second[1] == "answer 2"
    assert second[2] == "<ul><li>Point 2 of clipping.</li></ul>"
    (third,) = [fields for fields in notes.values() if "clipping rung 3?" in fields[0]]
    assert third[3] == ("&lt;b&gt;mine&lt;/b&gt; &amp; more, no more<br><small>Judged by: offline examiner.</small>")


def test_a_deck_has_a_card_for_each_question_that_was_improvised_or_asked_about_code(tmp_path: Path) -> None:
    run = run_of("s1", QUESTION, TASK, examiner="llm:x")
    run.improvise("What does scale[0, 0] do at 10x?")
    run.apply(CandidateSaid(run.now + 9, "At 10x, <i>it</i> saturates."))
    run.submit(report(), "def f(x):\n    return x < 1\n")
    run.apply(CandidateSaid(run.now + 9, "The comparison, and [sound:x.mp3]."))
    history = history_of(tmp_path, run)
    assert write_deck(history, tmp_path / "a.apkg") == 6
    notes = notes_of(tmp_path / "a.apkg", tmp_path)
    (beyond,) = [fields for fields in notes.values() if "improvised question" in fields[0]]
    assert "What does scale[0, 0] do at 10x?" in beyond[0]
    assert beyond[1] == "Not scored. There is no reference answer."
    assert beyond[3] == "At 10x, &lt;i&gt;it&lt;/i&gt; saturates."
    (code,) = [fields for fields in notes.values() if "asked after you passed the task" in fields[0]]
    assert questions_after_pass(run.session)["ppo_clip_loss"][0] in html.unescape(code[0])
    assert "<pre>def f(x):\n    return x &lt; 1\n</pre>" in code[0]
    assert "The comparison, and" in code[3]
    assert "[sound:" not in code[3]
    again = history_of(tmp_path / "again", run)
    write_deck(again, tmp_path / "b.apkg")
    assert set(notes_of(tmp_path / "b.apkg", tmp_path)) == set(notes), "a second import doubles nothing"
    question, passed = csv.DictReader(io.StringIO(csv_text(history)))
    assert question["improvised"] == "What does scale[0, 0] do at 10x? At 10x, <i>it</i> saturates."
    assert passed["improvised"].endswith(" The comparison, and [sound:x.mp3].")


def test_a_second_deck_updates_the_cards_of_the_first(tmp_path: Path) -> None:
    first = history_of(tmp_path / "1", whole_run(words="early"))
    second = history_of(tmp_path / "2", whole_run(words="early"), whole_run("s2", at=9 * DAY, words="late"))
    write_deck(first, tmp_path / "1.apkg")
    write_deck(second, tmp_path / "2.apkg")
    before, after = notes_of(tmp_path / "1.apkg", tmp_path), notes_of(tmp_path / "2.apkg", tmp_path)
    assert set(before) == set(after)
    assert "early" in str(before)
    assert "late, no more" in str(after)
    assert "early" not in str(after)


def test_a_recording_replays_with_the_same_moves_and_state() -> None:
    lines = (REPLAYS / "offline.jsonl").read_text(encoding="utf-8").splitlines()
    history = [load_event(line) for line in lines]
    assert list(replay_lines(history))[-1].startswith("The current rules choose the same ")
    assert compare_with_state(history, REPLAYS / "offline.state.json") == (
        True,
        "The state is identical to offline.state.json.",
    )


def test_a_replay_names_the_move_and_the_field_that_differ(tmp_path: Path) -> None:
    run = whole_run()
    at = next(number for number, event in enumerate(run.events) if isinstance(event, InterviewerSaid) and number > 1)
    move = run.events[at]
    assert isinstance(move, InterviewerSaid)
    changed = [*run.events[:at], replace(move, move=MoveKind.HINT), *run.events[at + 1 :]]
    assert move_differences(run.events) == []
    assert move_differences(changed) == [f"event {at}: recorded hint, the current rules choose {move.move.value}"]
    refused = [*run.events[:2], run.events[3]]
    assert move_differences(refused) == [
        "event 2: rejected by the current rules: Assessed while the session awaits answer"
    ]
    shutil.copy(REPLAYS / "offline.state.json", tmp_path / "x.state.json")
    data = json.loads((tmp_path / "x.state.json").read_text())
    (tmp_path / "x.state.json").write_text(json.dumps({**data, "seed": 1}))
    history = [load_event(line) for line in (REPLAYS / "offline.jsonl").read_text().splitlines()]
    is_same, message = compare_with_state(history, tmp_path / "x.state.json")
    assert (is_same, message) == (False, "The state differs from x.state.json in: seed.")
    assert compare_with_state(refused, tmp_path / "x.state.json")[1].startswith("The session cannot be replayed")
    (tmp_path / "x.state.json").write_text("{")
    assert not compare_with_state(history, tmp_path / "x.state.json")[0]


def test_the_csv_does_not_name_the_bug_before_a_pass(tmp_path: Path) -> None:
    start = run_of("s1", TASK).events[0]
    assert isinstance(start, SessionStarted)
    hunt = replace(start.tasks[0], kind="repair", topics=("the bug",))
    run = Run(replace(start, tasks=(hunt,)))
    run.submit(report(Verdict.WRONG_VALUE))
    assert "the bug" not in csv_text(history_of(tmp_path / "a", run))
    run.submit(report())
    assert "the bug" in csv_text(history_of(tmp_path / "b", run))
