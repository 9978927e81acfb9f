"""What a shell needs: help, versions, completion, folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import pytest

from interviewer.cli.group import run

Captured = pytest.CaptureFixture[str]


def closed_pipe() -> TextIO:
    """Return the writing end of a pipe whose reader has exited."""
    reader, writer = os.pipe()
    os.close(reader)
    return open(writer, "w", encoding="utf-8")


def full_disk() -> TextIO:
    return open("/dev/full", "w", encoding="utf-8")


@pytest.mark.expectation(number=8)
def test_help_has_examples_and_a_mistyped_option_gets_the_nearest(capsys: Captured) -> None:
    assert run(["-h"]) == 0
    assert "interviewer challenge --pick bugs" in capsys.readouterr().out
    assert run(["interview", "--qestion", "x"]) == 2
    told = capsys.readouterr()
    assert "--question" in told.err
    assert told.out == ""


@pytest.mark.expectation(number=9)
def test_version_names_python_and_the_libraries(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("interviewer 0.")
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in out
    assert "textual 8.2.8" in out
    assert "litellm 1." in out


@pytest.mark.expectation(number=7)
def test_paths_names_the_three_folders(capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path))
    assert run(["paths"]) == 0
    names = ("config", "data", "cache")
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [[n, str(tmp_path / n)] for n in names]


@pytest.mark.expectation(number=14)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_three_shells(shell: str, capsys: Captured) -> None:
    assert run(["completion", shell]) == 0
    assert "_INTERVIEWER_COMPLETE" in capsys.readouterr().out


def test_the_completion_that_is_printed_completes() -> None:
    asked = {"_INTERVIEWER_COMPLETE": "bash_complete", "COMP_WORDS": "interviewer ch", "COMP_CWORD": "1"}
    command = [sys.executable, "-c", "from interviewer.cli.main import main; main()"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
    assert "plain,challenge" in done.stdout.splitlines()


@pytest.fixture
def config_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INTERVIEWER_HOME", str(tmp_path))
    monkeypatch.delenv("INTERVIEWER_MODEL", raising=False)
    return tmp_path / "config" / "config.toml"


@pytest.mark.expectation(number=10)
def test_settings_are_read_and_written_without_the_app(config_file: Path, capsys: Captured) -> None:
    for key, value in (("minutes", "20"), ("bell", "off"), ("theme", "nord"), ("keys", "challenge.hint=f10")):
        assert run(["settings", key, value]) == 0
    assert run(["settings", "--json"]) == 0
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["settings"]
    assert (found["minutes"], found["bell"], found["theme"], found["keys"]) == (
        20,
        False,
        "nord",
        {"challenge.hint": "f10"},
    )
    assert run(["settings", "bell"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["bell", "off"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["minuts"], "did you mean minutes?"),
        (["minutes", "soon"], "expected a number"),
        (["bell", "perhaps"], "expected on or off"),
        (["examiner", "ofline"], "did you mean offline?"),
        (["theme", "blue"], "expected one of auto"),
        (["keys", "no.such=f7"], "no.such"),
        (["spend_cap_usd", "-1"], "or more"),
        (["model", "gpt"], "expected PROVIDER/MODEL"),
        (["model", "openai/"], "expected PROVIDER/MODEL"),
        (["model", "/gpt"], "press y on the home screen"),
        (["model", "openai/my model"], "without spaces"),
        (["model", " "], "without spaces"),
    ],
)
def test_a_setting_that_cannot_be_is_told_and_nothing_is_written(
    words: list[str], told: str, config_file: Path, capsys: Captured
) -> None:
    assert run(["settings", *words]) == 2
    assert told in capsys.readouterr().err
    assert not config_file.exists()


@pytest.mark.parametrize(
    "name", ["unheard_of/some-model:8b", "openrouter/openai/gpt-5", "scripted/my files/a.toml", ""]
)
def test_a_model_that_is_only_unknown_is_saved(name: str, config_file: Path) -> None:
    assert run(["settings", "model", name]) == 0
    assert tomllib.loads(config_file.read_text()) == {"model": name}


def test_a_setting_that_the_environment_overrides_is_told(
    config_file: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_SANDBOX", "process")
    assert run(["settings", "sandbox", "docker"]) == 0
    assert "INTERVIEWER_SANDBOX is set and overrides it" in capsys.readouterr().out
    assert run(["settings", "sandbox"]) == 0
    assert "process (INTERVIEWER_SANDBOX overrides the file)" in capsys.readouterr().out


@pytest.mark.expectation(number=8)
def test_help_waits_for_nothing_that_it_does_not_need() -> None:
    script = (
        "import sys; from interviewer.cli.group import run; code = run(['--help']); print(*sys.modules); sys.exit(code)"
    )
    # Without the site module: modules that it loads, for example for an editable install, are not ours.
    paths = [str(Path(__file__).parents[2]), *(folder for folder in sys.path if "site-packages" in folder)]
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path += {paths!r}; {script}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "click" in loaded
    assert loaded & {"pathlib", "dataclasses", "tomllib", "asyncio", "sqlite3", "textual", "torch", "docker"} == set()
    assert {name for name in loaded if name.startswith("interviewer.cli.")} == {"interviewer.cli.group"}


@pytest.mark.parametrize(("opened", "code", "told"), [(closed_pipe, 0, ""), (full_disk, 3, "No space left on device")])
@pytest.mark.parametrize("arguments", [["tasks"], ["tasks", "--json"], ["paths"], ["--version"]])
def test_output_that_nobody_reads_is_no_failure_and_a_full_disk_is(
    capfd: Captured,
    monkeypatch: pytest.MonkeyPatch,
    opened: Callable[[], TextIO],
    code: int,
    told: str,
    arguments: list[str],
) -> None:
    with opened() as out, monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert run(arguments) == code
    err = capfd.readouterr().err
    assert told in err if told else err == ""


@pytest.mark.parametrize("what", ["questions", "tasks"])
def test_a_topic_that_nothing_has_is_told(capsys: Captured, what: str) -> None:
    assert run([what, "--topic", "nothing_like_it"]) == 0
    assert "has the topic nothing_like_it. Leave out --topic" in capsys.readouterr().out


@pytest.mark.parametrize("group", ["sandbox", "new"])
def test_a_group_without_a_command_shows_its_help_alone(capsys: Captured, group: str) -> None:
    assert run([group]) == 2
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", f"Usage: interviewer {group} [OPTIONS] COMMAND [ARGS]...")
    assert "shows how" not in err


@pytest.mark.parametrize(
    "arguments",
    [["grade", "gae", "none.py"], ["import-log", "none"], ["replay", "none"], ["settings", "minutes", "soon"]],
)
def test_bad_input_says_what_to_do_next(capsys: Captured, arguments: list[str]) -> None:
    assert run(arguments) == 2
    message, fix = capsys.readouterr().err.splitlines()
    assert message.startswith("interviewer: ")
    assert fix.startswith(("Pass a file that exists and is readable", "Choose a different value"))


def test_names_of_commands_are_completed_without_importing_the_commands() -> None:
    script = (
        "import sys; from interviewer.cli.group import cli; import click\n"
        "print(*[item.value for item in cli.shell_complete(click.Context(cli), 'gra')], *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    words = done.stdout.split()
    assert words[:2] == ["grade", "grade-all"]
    assert "interviewer.cli.grade" not in words
