"""doctor --fix: it asks before each step, changes nothing without a terminal, and never shows a key."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator

import pytest

from interviewer.cli import doctor, doctor_fix
from interviewer.cli.doctor import Check
from interviewer.cli.group import run
from interviewer.config import find_folders, load_settings
from tests.chat.fake_server import KEY, FakeServer
from tests.interview.test_model_setup import ONE_SHOWN

Answer = Callable[..., None]


class Keyboard(io.StringIO):
    """Standard input that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Check]:
    """Return the results of the checks, which are not run."""
    found = [Check("python", True, "3.11")]
    monkeypatch.setattr(doctor, "run_checks", lambda context, environ: found)
    return found


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, checks: list[Check]) -> Iterator[Answer]:
    """Return a function that sets the lines that the user types; all of them must be read."""
    keyboards: list[Keyboard] = []

    def typed(*lines: str) -> None:
        keyboards.append(Keyboard("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "stdin", keyboards[-1])

    yield typed
    assert [keyboard.read() for keyboard in keyboards] == [""] * len(keyboards)


def saved_model() -> str:
    return load_settings(find_folders(), {}, {}).model


def test_a_model_is_chosen_tried_saved_and_its_calibration_is_offered(
    local_server: FakeServer, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    local_server.script = lambda messages: ONE_SHOWN
    answer("2", "", "", "")
    assert run(["doctor", "--fix"]) == 0
    assert saved_model() == "hosted_vllm/large"
    shown = capsys.readouterr().out
    steps = [
        "python: 3.11",
        "1  hosted_vllm/small",
        "Try hosted_vllm/large now?",
        "its reply is usable",
        "Use hosted_vllm/large from now on?",
        "Saved model = hosted_vllm/large",
        "answers: about",
        "Calibrate now?",
    ]
    places = [shown.index(step) for step in steps]
    assert places == sorted(places)
    assert not find_folders().calibrations_file.exists()


def test_a_model_that_fails_is_not_saved_unless_asked(local_server: FakeServer, answer: Answer) -> None:
    local_server.always = ""
    local_server.script = lambda messages: "No."
    answer("1", "y", "n", "")
    assert run(["doctor", "--fix"]) == 0
    assert saved_model() == ""
    answer("1", "y", "y", "2", "y", "n", "y")
    assert run(["doctor", "--fix"]) == 0
    assert saved_model() == "hosted_vllm/large"


def test_calibrating_judges_with_the_chosen_model(
    local_server: FakeServer, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []
    monkeypatch.setattr(doctor_fix, "print_calibration", lambda context, as_json: used.append(context.model_name))
    monkeypatch.setenv("INTERVIEWER_MODEL", "ollama_chat/different")
    local_server.script = lambda messages: ONE_SHOWN
    answer("1", "y", "y", "y")
    assert run(["doctor", "--fix"]) == 0
    assert used == ["hosted_vllm/small"]


def test_a_name_can_be_typed_and_models_can_be_searched(
    local_server: FakeServer, answer: Answer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    answer("zzz", "gpt-oss-20b", "1", "n", "y")
    assert run(["doctor", "--fix"]) == 0
    assert saved_model() == "groq/openai/gpt-oss-20b"
    shown = capsys.readouterr().out
    assert "No matches." in shown
    assert "Keep GROQ_API_KEY set" in shown
    assert KEY not in shown
    answer("openai/of-mine", "n", "n")
    run(["doctor", "--fix"])
    answer("-")
    run(["doctor", "--fix"])
    assert saved_model() == "groq/openai/gpt-oss-20b"
    # The model in use is the default answer, if it is in the list.
    answer("hosted_vllm/large", "n", "y")
    run(["doctor", "--fix"])
    answer("", "n", "y")
    run(["doctor", "--fix"])
    assert saved_model() == "hosted_vllm/large"


def test_without_a_terminal_nothing_is_asked_and_nothing_changes(
    local_server: FakeServer,
    checks: list[Check],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\ny\ny\ny\n"))
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    monkeypatch.setattr(doctor_fix, "build_image", lambda *_: pytest.fail("nobody asked for it"))
    checks.append(Check("sandbox", False, "image missing", "Run it.", "image"))
    assert run(["doctor", "--fix"]) == 0
    shown = capsys.readouterr().out
    assert "so nothing was changed" in shown
    assert "  Offer hosted_vllm/small: context: unknown" in shown
    assert "  Offer to: Build the sandbox image (1.1 GB" in shown
    assert KEY not in shown
    assert not find_folders().config_file.exists()
    assert local_server.requests == []
    checks.append(Check("content", False, "broken"))
    assert run(["doctor", "--fix", "--json"]) == 3
    printed = json.loads(capsys.readouterr().out)
    assert printed["checks"][2] == {"name": "sandbox", "ok": False, "detail": "image missing", "fix": "Run it."}
    assert any("Build the sandbox image" in line for line in printed["fixes"])


def test_the_images_are_built_only_when_asked(
    local_server: FakeServer,
    checks: list[Check],
    answer: Answer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    built: list[tuple[object, ...]] = []

    def build(*arguments: object) -> str:
        built.append(arguments)
        return "the-image"

    monkeypatch.setattr(doctor_fix, "build_image", build)
    checks += [Check("sandbox", False, "", "", "image"), Check("gpu image", False, "", "", "gpu image")]
    answer("-", "", "")
    assert run(["doctor", "--fix"]) == 0
    assert built == []
    answer("-", "n", "y")
    assert run(["doctor", "--fix"]) == 0
    assert [arguments[-1] for arguments in built] == ["cuda"]
    shown = capsys.readouterr().out
    assert "Build the sandbox image? It takes 1.1 GB, and 4 GiB of disk space during the build." in shown
    assert "Built the-image." in shown


def test_without_fix_nothing_is_looked_for(
    local_server: FakeServer, checks: list[Check], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--json"]) == 0
    assert "fixes" not in json.loads(capsys.readouterr().out)
    assert local_server.keys_seen == []
