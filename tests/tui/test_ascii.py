"""If the locale is not UTF-8, only ASCII is drawn or printed, with the same width, and it is readable."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App

from interviewer.interview.context import AppContext
from interviewer.tui.ascii import draws_ascii, table, transliterate
from interviewer.tui.ascii_filter import to_ascii_cells
from tests.session.build import question
from tests.terminal import Terminal
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, shown_text, stage_of, wait_for
from tests.tui.test_formulas_on_screen import SAID
from tests.tui.test_kill import APP

pytestmark = pytest.mark.slow

F1 = "\x1bOP"
LOCALES = ("LC_ALL", "LC_CTYPE", "LANG")


def in_the_c_locale(home: Path, **locale: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in LOCALES}
    return {**kept, **(locale or {"LC_ALL": "C"}), "INTERVIEWER_HOME": str(home)}


@pytest.mark.parametrize(
    ("environ", "is_ascii"),
    [
        ({"LC_ALL": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, True),
        ({"LC_ALL": "de_DE.ISO-8859-1"}, True),
        ({"LANG": "en_US"}, True),
        ({"LC_CTYPE": "C", "LANG": "en_US.UTF-8"}, True),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "C"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LC_CTYPE": "en_US.utf8", "LANG": "C"}, False),
        ({"LC_CTYPE": "UTF-8"}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({}, False),
        ({"LC_ALL": "C", "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}, False),
    ],
)
def test_the_locale_that_holds_decides(environ: dict[str, str], is_ascii: bool) -> None:
    assert draws_ascii(environ) is is_ascii


@pytest.mark.parametrize(("locale", "is_ascii"), [({"LANG": "C"}, True), ({"LC_CTYPE": "C.UTF-8"}, False)])
def test_what_python_puts_into_the_environment_does_not_count(locale: dict[str, str], is_ascii: bool) -> None:
    """If Python starts in the C locale, it sets LC_CTYPE to C.UTF-8 before any of our code runs."""
    script = "import os; from interviewer.tui.ascii import draws_ascii; print(os.environ['LC_CTYPE'], draws_ascii())"
    environment = in_the_c_locale(Path(), **locale)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["C.UTF-8", str(is_ascii)]


@pytest.mark.parametrize(
    "text",
    [
        "╭─ ▸ ✓ ✗ · … ▁▂▃█ ─╮",
        "∑ᵢ₌₁ⁿ π_θ ≤ x² ∞ ½",
        "中文, ｆｕｌｌ, 👍🏽, 👨\u200d👩\u200d👧, e\u0301, 1\ufe0f\u20e3",
        "Привет, \ufffd",
    ],
)
def test_every_sign_has_its_width_in_ascii(text: str) -> None:
    assert to_ascii_cells(text).isascii()
    assert len(to_ascii_cells(text)) == cell_len(text)
    assert transliterate(text).isascii()


def test_the_table_is_ascii_and_one_cell_is_one_character() -> None:
    assert all(len(cell) == 1 and cell.isascii() and word and word.isascii() for cell, word in table().values())
    assert all(len(sign) == 1 and not sign.isascii() for sign in table())


def test_mathematics_is_spelled_out() -> None:
    assert transliterate("∑ᵢ₌₁ⁿ rᵢ ≤ γλ·V, 5 µs") == "sum_{i=1}^n r_i <= gamma lambda*V, 5 us"
    assert transliterate("x̂² → 𝔼[é]") == "x_hat^2 -> E[e]"
    assert to_ascii_cells("2² · π ≤ ∞") == "2? * p < ?"


def all_ascii(app: App[None]) -> bool:
    return shown_text(app).isascii()


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_formulas_are_words_and_code_stays(
    context: AppContext, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    said = SAID + "\n\n- a · b · c\n- π ≤ 1\n"
    context.questions = (replace(question("clipping"), prompt=said),)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=size) as pilot:
        await stage_of(pilot)
        await wait_for(pilot, lambda: "Why?" in shown_text(app), "the words")
        text = shown_text(app)
        assert text.isascii()
        assert "Derive sum_{i=1}^n r_i for pi_theta, it costs $5." in text
        assert "a * b * c" in text
        assert "pi <= 1" in text
        assert "loss = -torch.min(a, b).mean()  # $x_1$" in text
        await pilot.press("f12")
        assert app.clipboard == f"Interviewer: {said}\n"
        await pilot.press("ctrl+t")
        await wait_for(pilot, lambda: "$\\sum_{i=1}^{n} r_i$" in shown_text(app), "the TeX")


async def test_home_its_screens_and_its_footer_are_ascii(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "no unfinished session" in shown_text(app), "the log")
        assert "enter Choose" in shown_text(app)
        for key in ("m", "f1", "b", "l", "s", "x"):
            await pilot.press(key)
            await pilot.pause(0.2)
            assert all_ascii(app), key
            await pilot.press("escape")
            await pilot.pause()


@pytest.mark.terminal
@pytest.mark.expectation(number=64)
def test_no_byte_above_127_reaches_the_terminal(tmp_path: Path) -> None:
    terminal = Terminal(APP, in_the_c_locale(tmp_path))
    drawn = b""

    def until(text: str) -> None:
        nonlocal drawn
        terminal.until(text)
        terminal.rest(0.3)
        drawn += terminal.drawn

    until("Your turn.")
    terminal.press("\u2211 \u03c0_\u03b8 \u2264 x\u00b2 \u4e2d")
    until("S p_t < x? ??")
    terminal.press(F1)
    until("Keys on this screen")
    terminal.press("q")
    terminal.rest(0.5)
    terminal.press("\x1b")
    until("Leave the interview?")
    terminal.press("3")
    until("Open the debrief")
    terminal.press("\r")
    until(" minutes.")
    terminal.press("q")
    until("Mock interview")
    terminal.kill()
    assert drawn.isascii()


@pytest.mark.expectation(number=64)
@pytest.mark.parametrize("words", [("tasks",), ("questions", "policy_gradient_theorem"), ("tasks", "gae")])
def test_what_is_printed_is_ascii_and_no_error(tmp_path: Path, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "interviewer", *words]
    done = subprocess.run(command, capture_output=True, check=True, env=in_the_c_locale(tmp_path))
    assert len(done.stdout) > 200
    assert done.stdout.isascii()
    assert done.stderr == b""


def test_the_plain_front_is_ascii_and_takes_any_bytes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interviewer", "interview", "--plain", "--question", "policy_gradient_theorem"]
    answer = b"The score is the gradient of log \xcf\x80, na\xefve or not.\n.\n"
    done = subprocess.run(
        [*command, "--examiner", "offline"],
        input=answer,
        capture_output=True,
        check=True,
        env=in_the_c_locale(tmp_path),
    )
    assert b"Interviewer" in done.stdout
    assert done.stdout.isascii()
    assert done.stderr.isascii()
