"""The graders that we compare with do work: they accept right programs and reject wrong ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

from graders.plan import Setting, payload
from graders.verdict import Verdict
from tasks.load import find_task
from tests.attacks.load import FOLDER, read
from tests.bench.app import over_bare
from tests.bench.forgeries import naive_script
from tests.bench.peer import judged, script_of
from tests.bench.tables import batch_ratios, named, percentiles, ratios, table
from tests.bench.ways import BYTES_MAX, fresh_plan
from tests.terminal import Terminal

TASK = find_task("ppo_clip_loss")
PATCHES = read(FOLDER / "forgery" / "30_patches_comparisons.py").text


def output_of(script: str) -> str:
    """Return what a script prints in its own interpreter."""
    return subprocess.run([sys.executable, "-I", "-"], input=script, capture_output=True, text=True, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "is_accepted"),
    [(TASK.reference, True), (TASK.mistakes[0].source, False), (PATCHES, True)],
    ids=["right", "wrong", "patches torch.allclose"],
)
def test_the_naive_grader_is_right_but_for_its_interpreter(source: str, is_accepted: bool) -> None:
    script, token = naive_script(TASK, source)
    assert (token in output_of(script).split()) is is_accepted


@pytest.mark.slow
@pytest.mark.parametrize("source", [TASK.reference, PATCHES], ids=["right", "forged"])
def test_what_the_peers_script_prints_is_judged_here(source: str) -> None:
    plan = fresh_plan(TASK)
    output = output_of(script_of(payload(plan, plan.runs, source, Setting(bytes_max=BYTES_MAX))))
    verdicts = judged(plan, "printed by the submission\n" + output)
    assert len(verdicts) == len(plan.cases)
    assert (set(verdicts) == {Verdict.PASSED}) is (source == TASK.reference)


@pytest.mark.parametrize("output", ["", "OK\nPASSED", "no base64 \u00e9", "AAAA"])
def test_what_is_no_answer_has_no_verdict(output: str) -> None:
    assert judged(fresh_plan(TASK), output) == []


def test_the_table_holds_what_was_measured_and_nothing_else() -> None:
    measured = {
        "cold": percentiles([2000.0, 3000.0, 4000.0]),
        "warm": percentiles([20.0, 25.0, 30.0]),
        "bare": percentiles([15.0]),
        "refill": percentiles([1000.0]),
    }
    figures = {
        "tasks": {"gae": named(measured)},
        "ratios": {"gae": ratios(measured)},
        "grades_per_second": {"gae": 0.98},
        "forgeries": [{"way": "ours", "of": 45, "accepted": ["a", "b"], "found": []}],
    }
    rows = [[word.strip() for word in line.strip("|").split("|")] for line in table(figures).splitlines()]
    assert ["gae", "submit to verdict, warm cell (ms)", "25.0", "29.5", "29.9", "3"] in rows
    assert ["gae", "warm cell: p50 above bare (ms)", "10.0", "", "", ""] in rows
    assert ["gae", "cold `docker run`: p50 over that of a warm cell (times)", "120.0", "", "", ""] in rows
    assert ["forgeries", "accepted: ours", "2", "", "", "45"] in rows
    assert not [row for row in rows if "llm-sandbox" in row[1]]
    assert {len(row) for row in rows} == {6}


def test_a_batch_is_compared_with_the_bare_work() -> None:
    measured = {
        name: percentiles([value]) for name, value in (("batch", 40.0), ("bare_row", 60.0), ("bare_same", 20.0))
    }
    assert batch_ratios(measured) == {
        "batch: verdicts per second": 25.0,
        "batch: rate over bare": 1.5,
        "batch: rate over bare on cases drawn once": 0.5,
    }


@pytest.mark.terminal
def test_what_is_drawn_in_a_terminal_is_seen_and_timed() -> None:
    script = "import sys, time; print('ready', flush=True); time.sleep(0.2); print(input() + '!', flush=True); input()"
    terminal = Terminal((sys.executable, "-c", script), {"PATH": ""})
    assert 0 < terminal.until("ready") < 30
    assert terminal.resident_bytes() > 2**20
    terminal.press("öne\r")
    assert 0.1 < terminal.until("öne!") < 30
    assert 0 <= terminal.quit("\r") < 30
    dumb = Terminal((sys.executable, "-c", "print('something else')"), {"PATH": ""})
    with pytest.raises(AssertionError, match="'painted' was never drawn; the end: b'something else"):
        dumb.until("painted")


def test_ratios_are_taken_where_the_bare_app_has_the_same_figure() -> None:
    figures = {
        "bare: first frame (ms)": percentiles([100.0]),
        "ours: first frame (ms)": percentiles([120.0]),
        "ours: quit at home (ms)": percentiles([300.0]),
    }
    assert over_bare(figures) == {"ours: first frame (ms), times a bare app's": 1.2}
