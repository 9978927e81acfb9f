"""Every command exits with the documented code; bad input is named on stderr, or in one JSON object."""

from __future__ import annotations

import io
import json
import os
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.cli.doctor import _settings
from interviewer.cli.group import run
from interviewer.cli.judge import judged_json
from interviewer.config import ConfigError, Folders, find_folders, load_settings, settings_or_defaults
from interviewer.errors import journal
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import Assessment, CheckResult
from interviewer.session.move import Move, MoveKind
from tests.session.build import heard, question

Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Run one command; return its exit code, stdout and stderr."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.expectation(number=11)
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["grade", "ppo_clip_los", "x.py"], "Did you mean ppo_clip_loss?"),
        (["grade", "gae", "none.py"], "none.py: No such file"),
        (["grade", "kv_bytes", "none.py", "--device", "cuda"], "kv_bytes runs on cpu, not cuda\nLeave out --device."),
        (["watch", "kv_bytes", "none.py", "--device", "cuda"], "kv_bytes runs on cpu, not cuda\nLeave out --device."),
        (["judge", "ppo_clippin"], "Did you mean ppo_clipping?"),
        (["judge", "ppo_clipping", "none.txt"], "none.txt: No such file"),
        (["questions", "nothing_like_it"], "run interviewer questions"),
        (["tasks", "nothing_like_it"], "run interviewer tasks"),
        (["start", "gea"], "Did you mean gae?"),
        (["log", "20200101-000000-abc"], "no session 20200101-000000-abc"),
        (["interview", "--plain", "--resume"], "no open session"),
        (["interview", "--plain", "--question", "nope"], "unknown question nope"),
        (["interview", "--plain", "--focus", "ppoo"], "did you mean ppo?"),
        (["interview", "--minutes", "0"], "--minutes"),
        (["challenge", "gae", "--minutes", "nan"], "--minutes"),
        (["bench-model", "scripted/none.toml", "--temperature", "nan"], "--temperature"),
        (["settings", "minutes", "0"], "minutes: expected 1 to 600, got 0"),
        (["settings", "minutes", "nan"], "minutes: expected 1 to 600, got nan"),
        (["start", "gae", ""], "expected a name, got an empty string"),
        (["grade", "gae"], "Missing argument 'FILE'"),
        (["frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_bad_input_is_named_and_exits_2(capsys: Captured, arguments: list[str], expected: str) -> None:
    code, out, err = said(capsys, *arguments)
    assert (code, out) == (2, "")
    assert expected in err


@pytest.mark.expectation(number=11)
def test_bad_input_with_json_is_one_object_on_stdout(capsys: Captured) -> None:
    code, out, err = said(capsys, "grade", "gea", "x.py", "--json")
    assert (code, err) == (2, "")
    error = json.loads(out)["error"]
    assert error == {"kind": "unknown", "message": "unknown task gea", "fix": "Did you mean gae?"}


@pytest.mark.expectation(number=12)
def test_no_terminal_means_a_sentence_not_escape_codes(capsys: Captured) -> None:
    for arguments in ([], ["interview"]):
        code, out, err = said(capsys, *arguments)
        assert (code, out) == (2, "")
        assert "--plain" in err


@pytest.mark.slow
def test_an_interview_too_short_for_code_says_how_to_get_a_coding_task(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.cli.interview.run_plain_interview", lambda *_, **__: False)
    monkeypatch.setattr("interviewer.cli.interview.require_terminal", lambda: None)
    in_app: list[str] = []
    monkeypatch.setattr("interviewer.cli.interview.open_app", lambda *arguments: in_app.append(arguments[-1]))
    note = "note: No coding task fits in a 20-minute interview; --coding third adds one.\n"
    for more, told in (
        (["--minutes", "20"], note),
        (["--minutes", "20", "--coding", "third"], ""),
        (["--minutes", "45"], ""),
        (["--minutes", "20", "--question", "ppo_clipping"], ""),
        (["--minutes", "20", "--resume"], ""),
    ):
        assert said(capsys, "interview", "--plain", "--examiner", "offline", *more)[2] == told
        said(capsys, "interview", "--examiner", "offline", *more)
        assert in_app.pop() == told.removeprefix("note: ").rstrip()


def test_start_writes_two_files_and_never_overwrites(capsys: Captured, tmp_path: Path) -> None:
    code, out, _ = said(capsys, "start", "gae", str(tmp_path / "new"))
    assert code == 0
    assert "interviewer grade gae" in out
    starter = tmp_path / "new" / "gae.py"
    assert "def gae(" in starter.read_text()
    starter.write_text("mine")
    code, _, err = said(capsys, "start", "gae", str(tmp_path / "new"))
    assert code == 2
    assert "gae.py already exists" in err
    assert starter.read_text() == "mine"


def test_the_command_that_start_prints_can_be_run(capsys: Captured, tmp_path: Path) -> None:
    folder = tmp_path / "my tasks"
    code, out, _ = said(capsys, "start", "gae", str(folder))
    assert code == 0
    assert shlex.split(out.splitlines()[-1])[-1] == str(folder / "gae.py")


def test_a_folder_whose_name_is_not_utf_8_can_be_used(capsys: Captured, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    assert said(capsys, "start", "gae", str(folder))[0] == 0
    assert (folder / "gae.md").exists()


def test_questions_as_json_follow_the_contract(capsys: Captured) -> None:
    code, out, _ = said(capsys, "questions", "--json")
    questions = json.loads(out)["questions"]
    assert code == 0
    assert len(questions) >= 14
    keys = {"id", "title", "area", "level", "topics", "seeds", "sources", "draft"}
    counts = {"points", "rungs", "probes", "checks", "misconceptions"}
    assert all(set(question) == keys | counts for question in questions)
    assert all(isinstance(question[name], int) for question in questions for name in counts)
    assert all(question["title"] for question in questions)
    assert any(question["checks"] for question in questions)
    assert all(question["points"] >= 5 and question["rungs"] >= 3 and question["probes"] >= 2 for question in questions)
    wanted = {f"001 #{n}" for n in (1, 5, 7, 8, 9, 13, 20, 22, 31, 33)} | {"002 #11", "002 #34", "003 #2", "003 #4"}
    assert wanted <= {seed for question in questions for seed in question["seeds"]}


def test_tasks_as_json_follow_the_contract(capsys: Captured) -> None:
    code, out, _ = said(capsys, "tasks", "--json")
    tasks = {task["id"]: task for task in json.loads(out)["tasks"]}
    assert code == 0
    assert {"ppo_clip_loss", "gae", "group_advantage", "grpo_memory_estimate", "shrinking_learning_rate"} <= set(tasks)
    assert tasks["shrinking_learning_rate"]["entry"] == "train_step"
    assert all(task["mistakes"] >= 6 and task["cases"] >= 3 for task in tasks.values())
    assert tasks["ppo_clip_loss"]["signature"] == (
        "ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction='token')"
    )


@pytest.mark.slow
def test_judge_as_json_follows_the_contract(capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("INTERVIEWER_MATCHER")  # the shipped calibration was made with the matcher
    answer = tmp_path / "a.txt"
    answer.write_text("The clip keeps the ratio inside the interval, so it can never leave 1.2.")
    code, out, _ = said(capsys, "judge", "ppo_clipping", str(answer), "--examiner", "offline", "--json")
    judged = json.loads(out)
    assert code == 0
    assert judged["graded"] is True
    assert judged["calibrated"] is True  # as it ships
    assert 0 <= judged["score"] <= 1
    assert judged["misconceptions"]
    assert judged["move"] == "challenge"
    assert all(point["quote"] in answer.read_text() for point in judged["points"])
    assert {point["checked"] for point in judged["points"]} == {False}, "no check was asked"


def test_the_points_of_a_rung_are_checked_after_the_right_answer_to_its_check() -> None:
    asked, known = Move(MoveKind.DEEPER, "And in numbers?", rung=2), question()
    for result in CheckResult:
        judged = judged_json(known, asked, "-1", replace(heard("p1", "p2"), check=result), is_calibrated=False)
        checked = {point["id"] for point in judged["points"] if point["checked"]}
        assert checked == (set(known.rungs[1].points) if result is CheckResult.RIGHT else set())


def test_what_a_model_server_says_does_not_reach_the_terminal_raw(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said_by_server = Assessment("llm:x", is_graded=False, why_not="down \x1b]0;owned\x07 for now")
    monkeypatch.setattr(OfflineExaminer, "assess", lambda *_: said_by_server)
    answer = tmp_path / "a.txt"
    answer.write_text("The clip removes the incentive of that one sample.")
    code, _, err = said(capsys, "judge", "ppo_clipping", str(answer), "--examiner", "offline")
    assert code == 3
    (record,) = journal.records()
    shown = (err, said(capsys, "errors")[1], said(capsys, "errors", record.id)[1])
    for text in shown:
        assert "owned" in text
        assert "\x1b" not in text
        assert "\x07" not in text


def test_an_answer_in_another_encoding_is_bad_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"in a caf\xe9"), encoding="utf-8"))
    code, out, err = said(capsys, "judge", "ppo_clipping")
    assert (code, out) == (2, "")
    assert "standard input: not UTF-8 text (byte 8)" in err


def test_an_empty_answer_is_ungraded_never_a_number(capsys: Captured, tmp_path: Path) -> None:
    answer = tmp_path / "a.txt"
    answer.write_text(" \n")
    code, out, _ = said(capsys, "judge", "ppo_clipping", str(answer), "--examiner", "offline", "--json")
    judged = json.loads(out)
    assert code == 0
    assert judged["graded"] is False
    assert judged["score"] is None


def test_an_examiner_without_a_model_is_our_failure(capsys: Captured, tmp_path: Path) -> None:
    answer = tmp_path / "a.txt"
    answer.write_text("something")
    code, _, err = said(capsys, "judge", "ppo_clipping", str(answer), "--examiner", "llm")
    assert code == 3
    assert "INTERVIEWER_MODEL" in err


def test_a_model_that_gives_no_judgement_is_ungraded_and_our_failure(capsys: Captured, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"judgements": [{"when": "", "reply": "no json"}, {"when": "", "reply": "none again"}]}')
    answer = tmp_path / "a.txt"
    answer.write_text("The clip removes the incentive of that one sample.")
    code, out, _ = said(capsys, "judge", "ppo_clipping", str(answer), "--model", f"scripted/{script}", "--json")
    judged = json.loads(out)
    assert code == 3
    assert (judged["graded"], judged["score"]) == (False, None)
    assert judged["error"]["fix"]


def test_a_log_that_cannot_be_used_exits_3(capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path / "file"))
    code, _, err = said(capsys, "interview", "--plain", "--question", "ppo_clipping")
    assert code == 3
    assert "INTERVIEWER_HOME" in err


@pytest.mark.expectation(number=42)
def test_no_engine_exits_3_and_says_what_to_do(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    source = tmp_path / "s.py"
    source.write_text("x = 1\n")
    code, out, _ = said(capsys, "grade", "gae", str(source), "--sandbox", "docker", "--json")
    assert code == 3
    error = json.loads(out)["error"]
    assert error["message"]
    assert error["fix"]
    assert "verdict" not in out


@pytest.mark.expectation(number=71)
def test_doctor_as_json_follows_the_contract(capsys: Captured) -> None:
    code, out, _ = said(capsys, "doctor", "--json")
    checks = json.loads(out)["checks"]
    assert code == 0
    assert all(set(check) == {"name", "ok", "detail", "fix"} for check in checks)
    assert {"python", "content", "practice log", "torch", "sandbox", "model"} <= {check["name"] for check in checks}


@pytest.mark.expectation(number=53)
def test_keys_are_never_shown(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-123456")
    monkeypatch.setenv("INTERVIEWER_MODEL", "openai/gpt-x")
    _, out, err = said(capsys, "doctor")
    assert "openai/gpt-x" in out
    assert "secret" not in out + err


def test_settings_come_from_flag_then_environment_then_file(tmp_path: Path) -> None:
    folders = Folders(tmp_path, tmp_path, tmp_path)
    folders.config_file.write_text('model = "file/m"\nminutes = 30\nsandbox = "process"\n')
    settings = load_settings(folders, {"INTERVIEWER_MODEL": "env/m"}, {"minutes": 20.0, "model": None})
    assert (settings.model, settings.minutes, settings.sandbox) == ("env/m", 20.0, "process")
    assert load_settings(folders, {}, {"model": "flag/m"}).model == "flag/m"


@pytest.mark.slow
def test_doctor_and_settings_run_with_a_broken_config_file(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path))
    file = find_folders().config_file
    file.parent.mkdir(parents=True)
    file.write_text("minutes = 30\nmodel = \n")
    code, out, err = said(capsys, "settings")
    assert code == 2
    assert "minutes          45" in out
    assert f"{file}: Invalid value (at line 2, column 9)" in err
    _, out, _ = said(capsys, "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(out)["checks"]}
    assert not checks["settings"]["ok"]
    assert "line 2" in checks["settings"]["detail"]
    assert checks["content"]["ok"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('modle = "x"', "unknown key modle; did you mean model?"),
        ("minutes = true", "minutes: expected a number, got true"),
        ("minutes = inf", "minutes: expected 1 to 600, got inf"),
        ("minutes = -5", "minutes: expected 1 to 600, got -5"),
        ('sandbox = "podman"', "sandbox: expected one of docker, process"),
        ("minutes = ", "config.toml:1: Invalid"),
    ],
)
def test_a_wrong_config_file_is_named(tmp_path: Path, text: str, expected: str) -> None:
    folders = Folders(tmp_path, tmp_path, tmp_path)
    folders.config_file.write_text(text)
    with pytest.raises(ConfigError, match=expected):
        load_settings(folders, {}, {})


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('minutes = "x"', 1, "minutes: expected a number, got 'x'"),
        ('bell = true\n# sandbox = "x"\nsandbox = "dcker"', 3, "sandbox: expected one of docker, process"),
        ("\n\npatience_seconds = 1", 3, "patience_seconds: expected 5 to 600, got 1"),
        ("spend_cap_usd = -1", 1, "spend_cap_usd: expected 0 (no cap) or more, got -1"),
        ('bell = "on"', 1, "bell: expected true or false, got 'on'"),
        ("minutes = 5\nminuts = 3", 2, "unknown key minuts; did you mean minutes?"),
        ('[keys]\nquit = "ctrl+x"\n"challenge.hint" = 8', 3, "keys: expected each key as text"),
        ('keys."challenge.hint" = 8', 1, "keys: expected each key as text"),
        ('minutes = 5\n[role]\na = "b"', 2, "role: expected text"),
    ],
)
def test_a_wrong_value_in_the_config_file_is_named_with_its_line(
    text: str, line: int, expected: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path))
    file = find_folders().config_file
    file.parent.mkdir(parents=True)
    file.write_text(text)
    code, out, err = said(capsys, "settings")
    assert code == 2
    assert "minutes          45" in out
    assert f"{file}:{line}: {expected}" in err
    # With --json, the output is one object on standard output: the defaults, and the error with its line.
    code, out, err = said(capsys, "settings", "--json")
    found = json.loads(out)
    assert (code, err) == (2, "")
    assert found["settings"]["minutes"] == 45
    assert found["error"]["line"] == line
    assert f"{file}:{line}: {expected}" in found["error"]["message"]
    # Other commands stop at the same line, and a setting is not written into a broken file.
    assert f"{file}:{line}: " in said(capsys, "interview", "--plain")[2]
    assert f"{file}:{line}: " in said(capsys, "settings", "persona", "friendly")[2]
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ('bell = true\ntheme = "purple"', 2, "theme: expected one of auto"),
        ('[keys]\n"challenge.hnt" = "f8"', 2, "keys: unknown binding challenge.hnt"),
        ('[keys]\nquit = "f4"\n"challenge.hint" = "f9"', 3, "keys: challenge.hint=f9 conflicts"),
    ],
)
def test_doctor_names_the_line_of_a_theme_or_key_that_the_app_ignores(text: str, line: int, expected: str) -> None:
    folders = find_folders()
    folders.config_file.parent.mkdir(parents=True)
    folders.config_file.write_text(text)
    check = _settings(folders, *settings_or_defaults(folders, {}))
    assert not check.is_ok
    assert f"{folders.config_file}:{line}: {expected}" in check.detail


@pytest.mark.expectation(number=6)
def test_home_moves_every_folder(tmp_path: Path) -> None:
    folders = find_folders({"INTERVIEWER_HOME": str(tmp_path)})
    assert all(tmp_path in path.parents for path in (folders.config, folders.data, folders.cache))


def test_without_a_terminal_no_session_is_logged(capsys: Captured) -> None:
    for words in (["interview"], ["challenge", "gae"]):
        assert said(capsys, *words)[0] == 2
    assert json.loads(said(capsys, "log", "--json")[1]) == {"sessions": []}
