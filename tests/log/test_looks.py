"""Search, comparison, trends, agreement, terminal plots and the transcript match the log."""

from __future__ import annotations

import html
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from graders.verdict import Verdict
from interviewer.cli.log import attempt_rows
from interviewer.log.history import History, attempts_of, read_history
from interviewer.log.progress import search
from interviewer.log.reports.html import html_report
from interviewer.log.reports.overview import NOTHING_YET, agreement_lines, log_markdown, overview, practice_next
from interviewer.log.reports.text_plots import BARS, POINTS_MAX, sparkline, topic_lines, verdict_line
from interviewer.log.store import PracticeLog
from interviewer.log.transcript import transcript_lines
from interviewer.log.trends import _with_kappa, best_seconds, compare_attempts, mark_agreement, topic_trends
from interviewer.session import events
from interviewer.session.assessment import Calibration, State
from interviewer.session.debrief import debrief, practice_lines
from interviewer.session.phrases import UNCALIBRATED
from interviewer.session.results import practice_items
from interviewer.session.state import Session
from tasks.task import TaskNames
from tests.log.build import DAY, TASK, attempt, history_of, logged, run_of, unmasked, whole_run
from tests.session.build import Run, heard, report

S, P, M = State.SHOWN, State.PARTIAL, State.MISSING


def both(tmp_path: Path) -> History:
    """Return two sessions and two attempts outside them."""
    late = whole_run("s2", at=1000.0 + 7 * DAY, words="The Straße of\n  clipped ratios")
    loose = (attempt("a1", 3 * DAY, Verdict.RAISED, "def gae(): pass\n"), attempt("a2", 4 * DAY))
    return history_of(tmp_path, late, whole_run("s1"), attempts=loose)


def test_a_history_is_in_order_of_time_whatever_the_order_of_writing(tmp_path: Path) -> None:
    history, inside = both(tmp_path), ["interview", "interview"]
    assert [session.id for session in history.sessions] == ["s1", "s2"]
    assert [attempt.origin for attempt in history.attempts()] == [*inside, "grade", "grade", *inside]
    assert [attempt.id for attempt in history.attempts("gae")] == ["a1", "a2"]


def test_attempts_inside_an_interview_are_read_from_its_events(tmp_path: Path) -> None:
    session = both(tmp_path).sessions[0]
    first, second = attempts_of(session)
    assert (first.report.verdict, second.report.verdict) == (Verdict.WRONG_VALUE, Verdict.PASSED)
    opened = next(turn.at for turn in session.transcript if turn.part == 1)
    assert first.wall_seconds == first.at - opened == 30.0
    assert (first.source, first.origin, first.id) == ("code 1", "interview", "s1-ppo_clip_loss-1")


def test_an_attempt_counts_only_the_hints_that_came_before_it() -> None:
    run = run_of("s1", TASK, TASK)
    run.submit(report(Verdict.WRONG_VALUE), "1")
    run.apply(events.HintAsked(run.now + 1))
    run.submit(report(), "2")
    run.apply(events.SkipAsked(run.now + 1))
    run.submit(report(), "of the next task")
    attempts = list(attempts_of(run.session))
    assert [attempt.hints for attempt in attempts] == [0, 1, 0]
    assert [row[6] for row in attempt_rows(attempts)[:3]] == ["0 hints", "1 hint", "0 hints"]


def test_a_session_that_cannot_be_read_is_named_and_the_others_remain(tmp_path: Path) -> None:
    run = whole_run("s1")
    log = logged(PracticeLog(tmp_path / "l.db"), run)
    broken = run_of("s2", at=5000.0)
    log.append("s2", 0, broken.events[0], events.Assessed(5001.0, heard()))
    history = read_history(log, str)
    assert [session.id for session in history.sessions] == ["s1"]
    assert len(history.unreadable) == 1
    assert "session s2" in history.unreadable[0]


@pytest.mark.parametrize(
    ("wanted", "where", "kind"),
    [
        ("strasse of clipped", "s2", "said"),
        ("RUNG 2?", "s2", "asked"),
        ("code 2", "s1", "code"),
        ("def gae", "a1", "code"),
    ],
)
def test_search_finds_words_in_questions_answers_and_code(tmp_path: Path, wanted: str, where: str, kind: str) -> None:
    matches = [match for match in search(both(tmp_path), wanted) if match.where == where]
    assert matches
    assert {match.kind for match in matches} == {kind}


def test_search_is_latest_first_and_finds_nothing_for_nothing(tmp_path: Path) -> None:
    history = both(tmp_path)
    times = [match.at for match in search(history, "rung")]
    assert times == sorted(times, reverse=True)
    assert search(history, "  ") == []
    assert search(history, "no such words") == []
    long = history_of(tmp_path / "b", whole_run(words="a " * 200 + "needle" + " b" * 200))
    assert {len(match.excerpt) < 130 and match.excerpt.startswith("… ") for match in search(long, "needle")} == {True}


def test_a_comparison_shows_the_code_and_the_cases_that_changed() -> None:
    before, after = attempt("a", verdict=Verdict.WRONG_VALUE, source="x = 1\ny = 2\n"), attempt("b", source="x = 1\n")
    comparison = compare_attempts(before, after)
    assert comparison.diff.splitlines() == ["--- a", "+++ b", "@@ -1,2 +1 @@", " x = 1", "-y = 2"]
    assert comparison.verdicts == (("f6", Verdict.WRONG_VALUE, Verdict.PASSED),)
    assert compare_attempts(after, after).diff == ""
    fewer = replace(after, report=replace(after.report, cases=after.report.cases[:1]))
    assert compare_attempts(after, fewer).verdicts == (("f6", Verdict.PASSED, None),)


def test_the_best_time_is_the_shortest_that_passed() -> None:
    timed = [replace(attempt(), wall_seconds=seconds) for seconds in (90.0, 60.0, None)]
    fast_and_wrong = replace(attempt(verdict=Verdict.RAISED), wall_seconds=5.0)
    fast_with_hint = replace(attempt(), wall_seconds=5.0, hints=1)
    assert best_seconds([*timed, fast_and_wrong, fast_with_hint]) == 60.0
    assert best_seconds([fast_and_wrong, timed[2]]) is None


def test_topics_count_rungs_and_keep_the_order_of_time(tmp_path: Path) -> None:
    (ppo, gae) = topic_trends(both(tmp_path), {"gae": ("returns",)})
    assert (ppo.name, gae.name) == ("ppo", "returns")
    assert len(ppo.depths) == 2
    assert (ppo.rungs[1], ppo.rungs[2], ppo.rungs[3]) == ((2, 2), (2, 2), (0, 2))
    assert len(ppo.attempts) == 4
    assert [attempt.id for attempt in gae.attempts] == ["a1", "a2"]


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        ({(S, S): 20, (S, M): 5, (M, S): 10, (M, M): 15}, 0.4),
        ({(P, S): 5, (M, M): 5}, 1.0),
        ({(S, M): 5, (M, S): 5}, -1.0),
        ({(S, S): 5}, None),
        ({}, None),
    ],
)
def test_kappa_is_cohens_or_not_given(table: dict[tuple[State, State], int], kappa: float | None) -> None:
    result = _with_kappa(Counter(table))
    assert result.kappa == (None if kappa is None else pytest.approx(kappa))
    assert bool(result.why_no_kappa) is (kappa is None)


def test_own_marks_are_counted_against_what_was_heard(tmp_path: Path) -> None:
    agreement = mark_agreement(both(tmp_path))
    assert dict(agreement.table) == {(S, S): 4, (M, S): 2, (M, M): 2}
    assert "| missing | 2 | 2 |" in list(agreement_lines(agreement))
    assert any(line.startswith("Cohen's kappa 0.50") for line in agreement_lines(agreement))


def test_plots_have_blocks_and_the_same_numbers(tmp_path: Path) -> None:
    assert sparkline([0, 2.5, 5]) == BARS[0] + BARS[4] + BARS[-1]
    assert sparkline([-1, 9]) == BARS[0] + BARS[-1]
    assert len(sparkline([1.0] * 99)) == POINTS_MAX
    history = both(tmp_path)
    ppo, gae = topic_trends(history, {"gae": ("returns",)})
    lines = topic_lines([ppo, gae])
    first, last = ppo.depths
    assert sparkline(ppo.depths) in lines[0]
    assert f"depth {first:.1f} → {last:.1f} over 2 answers; 2 of 4 submissions passed" in lines[0]
    assert lines[1].endswith("1 of 2 submissions passed")
    assert verdict_line(history.attempts("gae")) == "✗✓  passed"
    assert topic_lines([]) == []


def test_a_transcript_has_every_move_with_its_time() -> None:
    run = whole_run(words="my words")
    lines = list(transcript_lines(run.events))
    assert len(lines) == len(run.events)
    transcript = "\n".join(lines)
    for words in ("Session s1", "Interviewer (next): Why", "You: my words", "p1 shown “quote of p1”"):
        assert words in transcript
    for words in ("You submitted:\ncode 1", "Not passed (wrong value)", "Your own marks: p1 shown"):
        assert words in transcript
    assert lines[0].startswith("  0   0:00 ")
    seconds = round(run.now - 1000)
    assert lines[-1].split()[1] == f"{seconds // 60}:{seconds % 60:02}"


def test_the_overview_is_honest_about_an_empty_log_and_whole_about_a_full_one(tmp_path: Path) -> None:
    assert NOTHING_YET in overview(History((), ()), [], [])
    history = both(tmp_path)
    text = overview(history, topic_trends(history), [])
    minutes = round(sum(session.elapsed_seconds for session in history.sessions) / 60)
    assert f"2 sessions, {minutes} minutes, 2 questions answered, 6 submissions graded" in text
    assert "Answers judged by: offline examiner (note 1)." in text
    assert "Nothing is due" in text
    assert "| gae | ✗✓  passed | 2 | not measured |" in text


@pytest.mark.parametrize("is_calibrated", [False, True])
def test_calibration_figures_are_a_note_at_the_end_of_every_report(tmp_path: Path, is_calibrated: bool) -> None:
    measured = Calibration("offline", "1", "1", 0.0, answers=208, point_kappa=0.72, undeserved=0.0, error_rate=0.13)
    runs = both(tmp_path).sessions
    sessions = tuple(replace(run, calibrations=(measured,) if is_calibrated else ()) for run in runs)
    history = History(sessions, ())
    figures = f"offline examiner: {measured if is_calibrated else UNCALIBRATED}."
    body, _, notes = overview(history, topic_trends(history), []).partition("## Notes\n")
    assert "calibrated" not in body
    assert notes == f"\n1. {figures}\n"
    whole = log_markdown(history, [whole_run().events for _ in sessions], topic_trends(history))
    assert whole.endswith(f"\n---\n\n## Notes\n\n1. {figures}\n")
    assert "calibrated" not in whole.partition("\n---\n")[0]
    body, _, footer = html_report(history, topic_trends(history), (), "Practice", 1000.0).partition("<footer>")
    assert "calibrated" not in body
    assert "Answers judged by: offline examiner (see the end)." in body
    assert figures in html.unescape(footer)


def test_the_practice_list_is_that_of_the_latest_session_that_has_one(tmp_path: Path) -> None:
    def session_of(name: str, day: int, *shown: str) -> Run:
        run = run_of(name, ("question", "entropy"), at=day * DAY)
        while not run.session.drill.is_over:
            run.answer(heard(*shown))
        return run

    failed, abandoned = session_of("s2", 2), run_of("s3", at=3 * DAY)
    history = history_of(tmp_path, whole_run("s1"), failed, abandoned)
    assert [item.id for item in practice_next(history)] == ["entropy"]
    assert practice_next(history) == practice_items([failed.session])
    lines = list(practice_lines(practice_items([failed.session])))
    assert "\n".join(lines) in debrief(failed.session)
    assert "\n".join(lines) in overview(history, [], [])
    logged(PracticeLog(tmp_path / "history.db"), session_of("s4", 4, "p1", "p2", "p3", "p4"))
    later = read_history(PracticeLog(tmp_path / "history.db"), unmasked)
    assert [item.id for item in practice_next(later)] == ["clipping"]


def test_a_session_that_was_resumed_after_a_newer_one_is_the_latest(tmp_path: Path) -> None:
    resumed, newer = run_of("s1", at=DAY), run_of("s2", at=2 * DAY)
    resumed.apply(events.Resumed(3 * DAY))
    for run, shown in ((newer, ("p1", "p2", "p3", "p4")), (resumed, ())):
        while not run.session.drill.is_over:
            run.answer(heard(*shown))
    history = history_of(tmp_path, newer, resumed)
    assert [past.session.id for past in history.drills()] == ["s2", "s1"]
    assert [item.id for item in practice_next(history)] == ["clipping"]


def test_a_report_of_code_that_never_loaded_has_nothing_to_practice(tmp_path: Path) -> None:
    history = history_of(tmp_path, attempts=(attempt(verdict=Verdict.NOT_LOADED),))
    assert "Practice next" not in overview(history, [], [])
    assert "Nothing failed last time." in html_report(history, [], [], "Report", 0.0)


def test_only_tasks_give_no_examiner_and_no_figures(tmp_path: Path) -> None:
    history = History((), both(tmp_path).loose_attempts)
    text = overview(history, (), []) + html_report(history, (), (), "Practice", 1000.0)
    assert "judged" not in text
    assert "calibrated" not in text
    assert "## Notes" not in text


def test_the_markdown_of_the_whole_log_cannot_be_broken_by_what_was_typed(tmp_path: Path) -> None:
    hostile = "```\n# Passed\n<script>\x1b[31m\n---"
    history = history_of(tmp_path, whole_run(words=hostile), attempts=(attempt(source=hostile),))
    runs: list[Session] = list(history.sessions)
    text = log_markdown(history, [whole_run(words=hostile).events for _ in runs], topic_trends(history))
    assert "\x1b" not in text
    lines = text.splitlines()
    assert [line for line in lines if line.startswith(("# Passed", "```", "<script>"))] == []
    assert "    # Passed" in lines


def test_a_report_calls_a_task_by_todays_title_or_by_the_one_it_had(tmp_path: Path) -> None:
    log = logged(PracticeLog(tmp_path / "titles.db"), whole_run("s1"))
    for name in ("gae", "gone_for_good"):
        log.record_attempt(attempt(f"of {name}", task=name))
    history = read_history(log, str, TaskNames(titles={"gae": "Advantages"}))
    assert [history.title_of(name) for name in ("gae", "ppo_clip_loss", "gone_for_good", "clipping")] == [
        "Advantages",
        "PPO loss",
        "gone for good",
        "clipping",
    ]
    pages = overview(history, [], []), html_report(history, [], [], "Report", 0.0), log_markdown(history, [()], [])
    for text in pages:
        for title in ("Advantages", "PPO loss", "gone for good"):
            assert title in text
        # Only a command line names the id.
        assert {"gae", "gone_for_good"} & set(re.findall(r"\w+", text)) == set()
        assert set(re.findall(r".*ppo_clip_loss", text)) <= {"- PPO loss: interviewer start ppo_clip_loss"}


def test_the_markdown_of_the_log_does_not_say_that_nothing_is_due(tmp_path: Path) -> None:
    history = history_of(tmp_path, attempts=(attempt(verdict=Verdict.RAISED),))
    assert "due" not in log_markdown(history, [], [])


def test_a_failed_file_is_not_called_nothing_failed(tmp_path: Path) -> None:
    history = history_of(tmp_path, attempts=(attempt(verdict=Verdict.RAISED),))
    assert "Nothing failed" not in html_report(history, [], [], "Report", 0.0)


def test_a_submission_in_a_challenge_is_called_one() -> None:
    start = run_of("s1", TASK).events[0]
    assert isinstance(start, events.SessionStarted)
    run = Run(replace(start, device="cpu"))
    run.submit(report())
    assert [made.origin for made in attempts_of(run.session)] == ["challenge"]
