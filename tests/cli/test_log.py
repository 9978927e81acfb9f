"""The commands of the practice log on a real file: what they print, write and reject, and their exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from graders.verdict import Verdict
from interviewer.cli.group import run
from interviewer.cli.review import due_lines
from interviewer.config import find_folders
from interviewer.log.history import History
from interviewer.log.schedule import Card, DueItem, Rating, Review
from interviewer.log.store import PracticeLog
from tests.cli.test_shell import closed_pipe
from tests.log.build import DAY, TASK, attempt, logged, run_of, whole_run
from tests.session.build import report

Captured = pytest.CaptureFixture[str]
REPLAYS = Path(__file__).parents[1] / "replays"


def run_cli(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Run one command; return its exit code, stdout and stderr."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def log() -> PracticeLog:
    """Return the log of this test's home folder, with two sessions and two attempts."""
    made = logged(PracticeLog(find_folders(os.environ).log_file), whole_run("s1"), run_of("s2", at=9000.0))
    made.record_attempt(attempt("a1", 20_000.0, Verdict.WRONG_VALUE, "x = 1\n"))
    made.record_attempt(attempt("a2", 20_060.0, source="x = 2\n"))
    return made


def test_an_empty_log_says_so_everywhere(capsys: Captured) -> None:
    for arguments in (["log"], ["log", "--trends"], ["review"], ["report"]):
        code, out, err = run_cli(capsys, *arguments)
        assert (code, err) == (0, "")
        assert "yet" in out
    assert json.loads(run_cli(capsys, "review", "--json")[1])["due"] == []
    assert json.loads(run_cli(capsys, "log", "--json")[1]) == {"sessions": []}


@pytest.mark.usefixtures("log")
def test_log_lists_sessions_with_what_came_of_them(capsys: Captured) -> None:
    _, out, _ = run_cli(capsys, "log")
    latest, first = out.splitlines()
    assert latest.startswith("s2")
    assert "open" in latest
    assert "not answered" in latest
    assert "finished" in first
    assert "clipping: depth" in first
    assert "PPO loss: passed" in first
    assert "ppo_clip_loss" not in out
    sessions = json.loads(run_cli(capsys, "log", "--json")[1])["sessions"]
    assert {"id", "started_at", "ended_at", "examiner", "parts", "minutes", "questions", "attempts"} == set(sessions[1])
    assert sessions[1]["questions"][0]["broke_at"] == 3
    assert [attempt["verdict"] for attempt in sessions[1]["attempts"]] == ["wrong_value", "passed"]


@pytest.mark.usefixtures("log")
def test_log_shows_one_session_as_debrief_moves_or_events(capsys: Captured) -> None:
    assert "# Debrief" in run_cli(capsys, "log", "s1")[1]
    assert "still open" not in run_cli(capsys, "log", "s1")[1]
    assert (
        "still open; the output below covers the session so far. To resume it, run interviewer interview --resume s2"
        in run_cli(capsys, "log", "s2")[1]
    )
    assert "Interviewer (next): Why does clipping work?" in run_cli(capsys, "log", "s1", "--transcript")[1]
    shown = json.loads(run_cli(capsys, "log", "s1", "--json")[1])
    assert shown["session"] == "s1"
    assert len(shown["events"]) == len(whole_run().events)


@pytest.mark.usefixtures("log")
def test_log_searches_and_compares(capsys: Captured) -> None:
    _, out, _ = run_cli(capsys, "log", "--search", "AN ANSWER")
    assert "s1" in out
    assert json.loads(run_cli(capsys, "log", "--search", "x = 2", "--json")[1])["found"][0]["where"] == "a2"
    assert "No matches for" in run_cli(capsys, "log", "--search", "never said")[1]
    _, out, _ = run_cli(capsys, "log", "--task", "gae")
    assert [line.split()[0] for line in out.splitlines()] == ["1", "2"]
    _, out, _ = run_cli(capsys, "log", "--task", "gae", "--compare", "1", "2")
    assert "-x = 1\n+x = 2" in out
    assert "f6: wrong value → passed" in out
    assert json.loads(run_cli(capsys, "log", "--task", "gae", "--compare", "2", "1", "--json")[1])["cases"] == [
        {"case": "f6", "before": "passed", "after": "wrong_value"}
    ]


@pytest.mark.usefixtures("log")
def test_trends_show_topics_and_agreement(capsys: Captured) -> None:
    _, out, _ = run_cli(capsys, "log", "--trends")
    assert "ppo" in out
    assert "Cohen's kappa" in out
    shown = json.loads(run_cli(capsys, "log", "--trends", "--json")[1])
    assert shown["own_marks"]["points"] == 4
    assert {topic["topic"] for topic in shown["topics"]} >= {"PPO", "advantage estimation"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["log", "none"], "no session none"),
        (["log", "s1", "--trends"], "Choose only one"),
        (["log", "--transcript"], "needs SESSION"),
        (["log", "--compare", "1", "2"], "needs --task"),
        (["log", "--task", "gae", "--compare", "1", "9"], "gae has 2 attempts"),
        (["log", "--task", "gea"], "Did you mean gae?"),
        (["report", "none"], "no session none"),
        (["export", "x.csv", "--format", "pdf"], "jsonl"),
        (["export", "x.csv", "--format", "anki"], "the extension .csv means --format csv, but --format is anki"),
        (["report", "--force"], "--force needs --html"),
        (["export", ""], "expected a name, got an empty string"),
        (["report", "--html", ""], "expected a name, got an empty string"),
        (["import-log", "none.jsonl"], "none.jsonl: No such file"),
        (["replay", "none.jsonl"], "none.jsonl: No such file"),
    ],
)
@pytest.mark.usefixtures("log")
def test_bad_input_is_named_and_exits_2(capsys: Captured, arguments: list[str], expected: str) -> None:
    code, out, err = run_cli(capsys, *arguments)
    assert (code, out) == (2, "")
    assert expected in err


def test_review_lists_what_is_due_and_how_to_start_it(capsys: Captured) -> None:
    made = PracticeLog(find_folders(os.environ).log_file)
    now = time.time()
    for number, (task, days) in enumerate((("gae", 30), ("group_advantage", 90), ("gone_from_the_bank", 60))):
        made.record_attempt(attempt(f"a{number}", now - days * DAY, Verdict.RAISED, task=task))
    made.record_attempt(attempt("fresh", now, task="ppo_clip_loss"))
    code, out, _ = run_cli(capsys, "review")
    assert code == 0
    assert [line.strip() for line in out.splitlines() if "interviewer" in line] == [
        "interviewer challenge group_advantage",
        "interviewer challenge gae",
    ]
    assert "89 days overdue: Group-relative advantages" in out
    assert "Next due: " in out
    shown = json.loads(run_cli(capsys, "review", "--json")[1])
    assert [item["id"] for item in shown["due"]] == ["group_advantage", "gae"]
    assert shown["due"][0]["last"] == {
        "at": now - 90 * DAY,
        "rating": "again",
        "why": "not passed (raised an exception)",
    }
    assert (shown["cards"], shown["due_count"]) == (3, 2)
    assert shown["next_at"] > now


@pytest.mark.slow
@pytest.mark.usefixtures("log")
def test_reports_are_markdown_or_one_html_file(capsys: Captured, tmp_path: Path) -> None:
    assert run_cli(capsys, "report")[1].startswith("# Practice")
    assert "# Debrief" in run_cli(capsys, "report", "s1")[1]
    file = tmp_path / "page.html"
    for arguments in ([], ["s1", "--force"]):
        code, out, _ = run_cli(capsys, "report", *arguments, "--html", str(file))
        assert (code, out.strip()) == (0, str(file))
        assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "Session s1" in file.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if "half" in path.name] == []


@pytest.mark.usefixtures("log")
def test_a_report_overwrites_nothing_without_force(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("earlier")
    code, out, err = run_cli(capsys, "report", "--html", str(file))
    assert (code, out, file.read_text()) == (2, "", "earlier")
    assert f"{file} already exists\nChoose a different name, or pass --force to overwrite the file." in err


@pytest.mark.usefixtures("log")
def test_the_report_of_all_practice_ends_with_what_a_debrief_says_to_practice(capsys: Captured) -> None:
    practice = run_cli(capsys, "report", "s1")[1].partition("## Practice next\n")[2].partition("\n## ")[0]
    assert "Start it: interviewer " in practice
    told = run_cli(capsys, "report")[1].partition("## Practice next\n")[2].partition("\n## Notes\n")[0]
    assert told.strip() == practice.strip()


@pytest.mark.usefixtures("log")
def test_the_ending_of_the_file_chooses_the_format(capsys: Captured, tmp_path: Path) -> None:
    starts = {
        "a.jsonl": b"{",
        "a.json": b"{",
        "a.CSV": b"\xef\xbb\xbfat_utc",
        "a.md": b"# ",
        "a.apkg": b"PK",
        "a": b"{",
    }
    for name, start in starts.items():
        assert run_cli(capsys, "export", str(tmp_path / name))[0] == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    code, _, err = run_cli(capsys, "export", str(tmp_path / "a.html"))
    assert code == 2
    assert "interviewer report --html" in err
    assert not (tmp_path / "a.html").exists()


@pytest.mark.expectation(number=57)
@pytest.mark.usefixtures("log")
def test_every_export_is_written_and_comes_back(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"jsonl": "a.jsonl", "csv": "a.csv", "markdown": "a.md", "anki": "a.apkg"}
    for form, name in names.items():
        assert run_cli(capsys, "export", str(tmp_path / name), "--format", form)[0] == 0
        assert (tmp_path / name).stat().st_size > 100
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "other"))
    code, out, _ = run_cli(capsys, "import-log", str(tmp_path / "a.jsonl"))
    assert (code, out.split(";")[0]) == (0, "2 sessions added, 0 extended, 2 attempts added")
    assert run_cli(capsys, "import-log", str(tmp_path / "a.jsonl"))[1].startswith("0 sessions added")
    assert run_cli(capsys, "export", str(tmp_path / "b.jsonl"))[0] == 0
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.expectation(number=53)
def test_no_key_reaches_any_export_report_or_look(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-like-no-other")
    secrets = ("a-key-like-no-other", "sk-abcd1234EFGH", "AKIAIOSFODNN7EXAMPLE", "hf_abcd1234", "ghp_abcd1234EFGH")
    words = f"See {' and '.join(secrets)} and Bearer qwer1234"
    made = logged(PracticeLog(find_folders(os.environ).log_file), whole_run(words=words, source=words))
    made.record_attempt(attempt(source=words))
    outputs = [run_cli(capsys, *arguments)[1] for arguments in (
        ["report"], ["report", "s1"], ["log", "s1"], ["log", "s1", "--json"], ["log", "s1", "--transcript"],
        ["log", "--search", "See"], ["log", "--task", "ppo_clip_loss", "--compare", "1", "2"],
    )]  # fmt: skip
    for form in ("jsonl", "csv", "markdown", "anki"):
        run_cli(capsys, "export", str(tmp_path / form), "--format", form)
        outputs.append((tmp_path / form).read_bytes().decode("utf-8", "replace"))
    run_cli(capsys, "report", "--html", str(tmp_path / "html"))
    outputs.append((tmp_path / "html").read_text(encoding="utf-8"))
    for secret in (*secrets, "qwer1234"):
        assert [text[:60] for text in outputs if secret in text] == []
    assert sum("[masked]" in text for text in outputs) >= 9


@pytest.mark.usefixtures("log")
def test_an_export_that_cannot_be_written_leaves_the_earlier_one(capsys: Captured, tmp_path: Path) -> None:
    code, _, err = run_cli(capsys, "export", str(tmp_path / "none" / "a.csv"), "--format", "csv")
    assert code == 2
    assert "none" in err
    (tmp_path / "a.csv").write_text("earlier")
    (tmp_path / ".a.csv.half").mkdir()
    code, _, err = run_cli(capsys, "export", str(tmp_path / "a.csv"), "--format", "csv", "--force")
    assert code == 2
    assert (tmp_path / "a.csv").read_text() == "earlier"


@pytest.mark.usefixtures("log")
def test_an_export_overwrites_nothing_without_force(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("earlier")
    code, _, err = run_cli(capsys, "export", str(file))
    assert (code, file.read_text()) == (2, "earlier")
    assert f"{file} already exists" in err
    assert "--force" in err
    assert run_cli(capsys, "export", str(file), "--force")[0] == 0
    assert file.read_text().startswith("{")


@pytest.mark.expectation(number=58)
def test_forget_deletes_one_or_all_and_names_the_copies(
    capsys: Captured, log: PracticeLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = log.path.with_name("log.db.v1.bak")
    copy.write_bytes(b"old")
    code, out, _ = run_cli(capsys, "forget", "s1", "--yes")
    assert code == 0
    assert "deleted from the log: 1." in out
    assert str(copy) in out
    assert "log.db-wal" not in out
    assert [row.id for row in log.sessions()] == ["s2"]
    assert run_cli(capsys, "forget", "s1", "--yes")[0] == 2
    assert run_cli(capsys, "forget", "--yes")[0] == 2
    assert run_cli(capsys, "forget", "s2", "--all", "--yes")[0] == 2
    assert run_cli(capsys, "forget", "", "--all", "--yes")[0] == 2
    for answer in ("", "n\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
        assert run_cli(capsys, "forget", "--all")[0] == 130, "without a yes nothing is deleted"
    assert len(log.sessions()) == 1
    assert "deleted from the log: 3." in run_cli(capsys, "forget", "--all", "--yes")[1]
    assert (log.sessions(), log.attempts()) == ([], [])


def test_forget_does_not_call_the_lock_file_of_the_sessions_a_copy(capsys: Captured, log: PracticeLog) -> None:
    log.claim("s2")
    out = run_cli(capsys, "forget", "s1", "--yes")[1]
    assert log.path.with_name(f"{log.path.name}.claims").exists()
    assert ".claims" not in out


def write_changed_replay(path: Path) -> int:
    """Write a recording in which one move differs from the current rules, and return the number of its event."""
    lines = (REPLAYS / "offline.jsonl").read_text(encoding="utf-8").splitlines()
    at, line = next((n, text) for n, text in enumerate(lines) if json.loads(text)["kind"] == "InterviewerSaid")
    lines[at] = json.dumps({**json.loads(line), "move": "hint"})
    path.write_text("\n".join(lines))
    return at


def test_replay_tells_whether_the_same_follows_today(capsys: Captured, tmp_path: Path) -> None:
    code, out, _ = run_cli(capsys, "replay", str(REPLAYS / "offline.jsonl"))
    assert code == 0
    assert "The current rules choose the same" in out
    assert "The state is identical to offline.state.json." in out
    at = write_changed_replay(tmp_path / "changed.jsonl")
    code, out, _ = run_cli(capsys, "replay", str(tmp_path / "changed.jsonl"))
    assert code == 1
    assert f"event {at}: recorded hint, the current rules choose next" in out
    assert run_cli(capsys, "replay", str(tmp_path / "changed.jsonl"), "--session", "other")[0] == 2


def test_a_replay_that_nobody_reads_keeps_its_exit_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_changed_replay(tmp_path / "changed.jsonl")
    with closed_pipe() as closed, monkeypatch.context() as patch:
        patch.setattr("sys.stdout", closed)
        assert run(["replay", str(tmp_path / "changed.jsonl")]) == 1


def test_a_damaged_log_is_told_on_stderr_and_the_command_goes_on(capsys: Captured) -> None:
    path = find_folders(os.environ).log_file
    path.parent.mkdir(parents=True)
    path.write_bytes(b"broken" * 500)
    code, out, err = run_cli(capsys, "log")
    assert code == 0
    assert "No sessions yet" in out
    assert "log.db.damaged-" in err
    assert run_cli(capsys, "log")[2] == ""


def test_terminal_codes_in_answers_do_not_reach_the_terminal(capsys: Captured) -> None:
    logged(PracticeLog(find_folders(os.environ).log_file), whole_run(words="\x1b[2J\x07 bell \ud800"))
    for arguments in (["log", "s1"], ["log", "s1", "--transcript"], ["log", "--search", "bell"], ["report"]):
        out = run_cli(capsys, *arguments)[1]
        assert "\x1b" not in out
        assert "\x07" not in out


def test_two_apps_cannot_continue_one_session(tmp_path: Path) -> None:
    """The second of two processes gets an error, and its event is not written."""
    path = tmp_path / "log.db"
    made = logged(PracticeLog(path), run_of("s1"))
    number = len(made.events("s1"))
    script = (
        "import sys; from pathlib import Path\n"
        "from interviewer.log.store import PracticeLog, SessionTaken\n"
        "from interviewer.session import events\n"
        "log = PracticeLog(Path(sys.argv[1])); print('ready', flush=True); input()\n"
        "try:\n    log.append('s1', int(sys.argv[2]), events.SkipAsked(5.0)); print('written')\n"
        "except SessionTaken as error:\n    print(error.fix)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path), str(number)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "ready\n"
        made.append("s1", number, run_of("s1").events[1])
        out, _ = other.communicate("\n", timeout=30)
    assert "Continue in that instance" in out
    assert len(made.events("s1")) == number + 1


@pytest.mark.parametrize("words", [["forget", "x", "--yes"], ["regrade"], ["doctor"], ["log"]])
def test_every_command_says_where_a_damaged_log_went(capsys: Captured, words: list[str]) -> None:
    path = find_folders(os.environ).log_file
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database " * 500)
    _, out, err = run_cli(capsys, *words)
    assert (out + err).count("was moved to") == 1


def test_entries_without_trends_are_not_called_no_entries(capsys: Captured) -> None:
    made = PracticeLog(find_folders(os.environ).log_file)
    made.record_attempt(attempt(verdict=Verdict.RAISED, task="shrinking_learning_rate"))
    assert "No entries yet" not in run_cli(capsys, "log", "--trends")[1]


def test_an_old_infinite_error_is_printed_as_null(capsys: Captured) -> None:
    made, bad = run_of("s1", TASK), report(Verdict.WRONG_VALUE)
    made.submit(replace(bad, cases=(bad.cases[0], replace(bad.cases[1], max_error=float("inf")))))
    logged(PracticeLog(find_folders(os.environ).log_file), made)
    code, out, _ = run_cli(capsys, "log", "s1", "--json")
    assert (code, "Infinity" in out) == (0, False)


def test_a_review_due_last_evening_is_a_day_overdue() -> None:
    now = time.mktime((2026, 3, 4, 9, 0, 0, 0, 0, -1))
    due_at = time.mktime((2026, 3, 3, 20, 0, 0, 0, 0, -1))
    item = DueItem("task", "gae", (), due_at, Review(Card("task", "gae"), due_at - DAY, Rating.AGAIN, "not passed"))
    assert next(due_lines(History((), ()), [item], now)).startswith("1 day overdue: ")
