"""The command samples, resumes, compares and reports; it sends no secret, and nothing ungraded becomes a score."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.errors import WorkerDied
from graders.verdict import Report, Verdict
from interviewer.chat.litellm_model import LitellmModel
from interviewer.chat.model import ChatCancelled, Reply, Usage
from interviewer.cli import bench_model
from interviewer.cli.benchmark.results import RunFile
from interviewer.cli.group import run
from interviewer.interview.participants import load_payments
from interviewer.log.attempts import new_attempt
from interviewer.log.reports.jsonl import export_lines
from interviewer.log.store import PracticeLog
from tasks.load import find_task
from tasks.new import scaffold
from tests.chat.fake_server import KEY, FakeServer
from tests.session.build import report

Captured = pytest.CaptureFixture[str]
RIGHT, WRONG, BROKEN = "x = 'right'", "x = 'wrong'", "x = 'broken'"
CANARY = "canary-6f1d2c90-do-not-train"


def code(source: str) -> str:
    return f"```python\n{source}\n```"


class FakeClient:
    """Grade according to the source: RIGHT passes, BROKEN kills the worker, the rest is a named mistake."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.before: Callable[[], object] = lambda: None

    def start(self, warm: str = "", image: str = "") -> None:
        self.warmed = warm

    def grade(self, task: str, source: str, **wanted: Any) -> Report:
        self.asked.append({"task": Path(task).name, "source": source.strip(), **wanted})
        self.before()
        if source.strip() == BROKEN:
            raise WorkerDied("the grading worker exited", "Submit again.")
        made = report() if source.strip() == RIGHT else report(Verdict.WRONG_VALUE, "constant_by_tokens")
        return replace(made, seed=wanted["seed"])

    def cancel(self) -> None:
        self.is_cancelled = True

    def close(self, stays: bool = False) -> None:
        self.is_closed = True


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the grader's client that the command gets."""
    made = FakeClient()
    monkeypatch.setattr("graders.client.GraderClient", lambda residence: made)
    return made


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Return a function that names a scripted model with these replies, each selected by text in the last message."""

    def write(**replies: str) -> str:
        path = tmp_path / "script.json"
        judgements = [{"when": when, "reply": reply} for when, reply in replies.items()]
        path.write_text(json.dumps({"judgements": [*judgements, {"when": "", "reply": "I do not know."}]}))
        return f"scripted/{path}"

    return write


def said(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Run the command; return its exit code, stdout and stderr."""
    exit_code = run(["bench-model", *arguments])
    out, err = capsys.readouterr()
    return exit_code, out, err


def said_json(capsys: Captured, *arguments: str) -> tuple[int, dict[str, Any]]:
    exit_code, out, _ = said(capsys, *arguments, "--json")
    return exit_code, json.loads(out)


def runs(tmp_path: Path) -> list[Path]:
    return sorted(tmp_path.glob("home/**/benchmarks/*.jsonl"))


THREE = "--tasks=gae,masked_reduce,kv_bytes"


def test_a_run_counts_passes_mistakes_and_what_was_not_submitted(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str]
) -> None:
    model = script(**{"def gae(": code(RIGHT), "def masked_reduce(": code(WRONG), "Verdict:": code(RIGHT)})
    exit_code, told = said_json(capsys, model, THREE, "--samples=2", "--feedback=1")
    assert exit_code == 0
    assert (told["tasks"], told["graded"], told["ungraded"], told["missing"]) == (3, 6, 0, 0)
    assert told["pass_at_1"]["value"] == pytest.approx(1 / 3)
    assert told["pass_after_feedback"]["value"] == pytest.approx(2 / 3)
    assert told["mistakes"] == [{"task": "masked_reduce", "id": "constant_by_tokens", "attempts": 2}]
    assert told["first_verdicts"] == {"passed": 2, "wrong_value": 2, "no_submission": 2}
    assert {area["area"]: area["pass_at_1"]["value"] for area in told["areas"]} == {
        "advantages": 1.0,
        "losses": 0.0,
        "memory": 0.0,
    }
    page = Path(told["report"]).read_text()
    wrong = next(mistake.wrong for mistake in find_task("masked_reduce").mistakes if mistake.id == "constant_by_tokens")
    assert wrong.split("`")[-1] in page
    assert "33.3% ± 33.3" in page
    assert "the reply contains no code block (4 times)" in page


def test_each_run_draws_new_cases_and_each_attempt_has_its_own(
    capsys: Captured, client: FakeClient, script: Callable[..., str]
) -> None:
    model = script(**{"def gae(": code(WRONG), "Verdict:": code(WRONG)})
    seeds = []
    for _ in range(2):
        client.asked.clear()
        _, told = said_json(capsys, model, "--tasks=gae", "--samples=2", "--feedback=1")
        assert sorted(asked["seed"] - told["seed"] for asked in client.asked) == [0, 0, 1, 1]
        seeds.append(told["seed"])
    assert seeds[0] != seeds[1]


def test_what_cannot_be_graded_is_no_score_and_is_taken_again(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str]
) -> None:
    model = script(**{"def gae(": code(RIGHT), "def masked_reduce(": code(BROKEN)})
    exit_code, told = said_json(capsys, model, "--tasks=gae,masked_reduce")
    assert exit_code == 3
    assert (told["graded"], told["ungraded"], told["missing"]) == (1, 1, 1)
    assert told["pass_at_1"] == {"value": 1.0, "stderr": None, "tasks": 1}
    assert "ungraded: the grading worker exited" in Path(told["report"]).read_text()

    script(**{"def masked_reduce(": code(RIGHT)})
    client.asked.clear()
    exit_code, again = said_json(capsys, model, "--resume")
    assert exit_code == 0
    assert (again["run"], again["graded"], again["missing"]) == (told["run"], 2, 0)
    # Only the missing sample was taken, on the same run's cases.
    assert [(asked["task"], asked["seed"]) for asked in client.asked] == [("masked_reduce", told["seed"])]
    assert len(runs(tmp_path)) == 1


def test_after_ctrl_c_the_run_goes_on_where_it_stopped(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = script(**{"def gae(": code(RIGHT), "def masked_reduce(": code(WRONG), "def kv_bytes(": code(RIGHT)})
    told_lines: list[str] = []

    def stop_at_the_first(self: bench_model.Bench, sample: Any) -> str:
        told_lines.append(sample.task)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(bench_model.Bench, "_line", stop_at_the_first)
        exit_code, out, _ = said(capsys, model, THREE, "--parallel=1")
    assert exit_code == 130
    (path,) = runs(tmp_path)
    assert "Stopped: interrupted. 2 samples left." in out
    assert f"--resume {path.stem}" in out
    assert [sample.task for sample in RunFile.read(path).samples] == told_lines

    exit_code, again = said_json(capsys, model, "--resume", path.stem)
    assert (exit_code, again["graded"]) == (0, 3)
    assert sorted(asked["task"] for asked in client.asked) == ["gae", "kv_bytes", "masked_reduce"]


def test_ctrl_c_keeps_what_the_samples_in_progress_have_cost(
    capsys: Captured, tmp_path: Path, client: FakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user stops after the first of three samples; the cost of the other two is known only once they end."""
    calls, have_begun, is_stopped = itertools.count(), threading.Barrier(3, timeout=20), threading.Event()

    class Held(Priced):
        """A model that is canceled in the middle of every reply but the first."""

        def complete(self, *_: Any, **__: Any) -> Any:
            number = next(calls)
            have_begun.wait()
            if number:
                assert is_stopped.wait(20)
            reply = super().complete()
            if number:
                raise ChatCancelled("stopped.", "No action needed.")
            return reply

    def stop(self: bench_model.Bench, sample: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "cancel", is_stopped.set)
    monkeypatch.setattr(bench_model, "open_model", lambda name, *_: Held(name))
    monkeypatch.setattr(bench_model.Bench, "_line", stop)
    exit_code, out, _ = said(capsys, "openai/x", "--tasks=gae", "--samples=3", "--parallel=3")
    assert exit_code == 130
    assert "2 samples left" in out
    (path,) = runs(tmp_path)
    samples = RunFile.read(path).samples
    assert sorted(sample.is_graded for sample in samples) == [False, False, True]
    assert [sample.usage.cost_usd for sample in samples] == [1.0, 1.0, 1.0]
    with closing(PracticeLog(next(tmp_path.glob("home/**/log.db")))) as log:
        assert load_payments(log, f"bench-model {path.stem}").used.cost_usd == 3.0


def test_resume_refuses_what_would_make_a_different_run(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str]
) -> None:
    model = script(**{"def gae(": code(RIGHT)})
    assert said(capsys, model, "--resume")[0] == 2
    exit_code, told = said_json(capsys, model, "--tasks=gae")
    for arguments, why in (
        (("--resume", told["run"]), "is finished"),
        (("--resume", "../../etc/passwd"), "no run ../../etc/passwd"),
        (("--resume", told["run"], "--samples=2"), "--samples applies only to a new run"),
    ):
        exit_code, _, err = said(capsys, model, *arguments)
        assert (exit_code, why in err) == (2, True)
    # The task changes after the run was interrupted.
    (path,) = runs(tmp_path)
    digest = RunFile.read(path).run.tasks[0].digest
    path.write_text(path.read_text().split("\n")[0].replace(digest, "0" * 16) + "\n")
    exit_code, _, err = said(capsys, model, "--resume")
    assert exit_code == 2
    assert "the task gae has changed" in err


def test_names_of_tasks_and_areas_are_checked_before_a_run_begins(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str]
) -> None:
    exit_code, _, err = said(capsys, script(), "--tasks=gaa")
    assert exit_code == 2
    assert "unknown task or area gaa" in err
    assert "Did you mean gae?" in err
    exit_code, _, err = said(capsys, "scripted/none.json", "--tasks=gae")
    assert (exit_code, "none.json" in err) == (2, True)
    assert (runs(tmp_path), client.asked) == ([], [])
    _, told = said_json(capsys, script(), "--tasks=preference")
    assert told["tasks"] == 5


def test_earlier_runs_are_compared_and_the_page_escapes_every_name(
    capsys: Captured, tmp_path: Path, client: FakeClient
) -> None:
    # A scripted model's name is a path, so it may contain markup.
    path = tmp_path / "<b>bold<b>.json"
    path.write_text(json.dumps({"judgements": [{"when": "", "reply": code(WRONG)}]}))
    first = said_json(capsys, f"scripted/{path}", "--tasks=gae,masked_reduce")[1]
    path.write_text(json.dumps({"judgements": [{"when": "", "reply": code(RIGHT)}]}))
    target = tmp_path / "page.html"
    told = said_json(capsys, f"scripted/{path}", "--tasks=gae,kv_bytes", f"--html={target}")[1]
    (compared,) = told["earlier"]
    assert (compared["run"], compared["difference"], compared["pass_at_1"]["tasks"]) == (first["run"], 1.0, 1)
    page = target.read_text()
    assert "+100.0 points" in page
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page


def test_a_persons_log_is_compared_on_the_tasks_that_both_tried(
    capsys: Captured, tmp_path: Path, client: FakeClient, script: Callable[..., str]
) -> None:
    log = PracticeLog(tmp_path / "person.db")
    for at, verdict in ((1.0, Verdict.WRONG_VALUE), (2.0, Verdict.PASSED)):
        log.record_attempt(new_attempt(replace(report(verdict), task="gae"), "x", "grade", at=at))
    log.record_attempt(new_attempt(replace(report(), task="dpo_loss"), "x", "grade", at=3.0))
    exported = tmp_path / "person.jsonl"
    exported.write_text("\n".join(export_lines(log, lambda text: text)) + "\n")
    log.close()
    model = script(**{"def gae(": code(WRONG)})
    exit_code, told = said_json(capsys, model, "--tasks=gae,kv_bytes", f"--person={exported}")
    assert exit_code == 0
    assert {key: told["person"][key] for key in ("tried", "passed", "submissions")} == {
        "tried": 1,
        "passed": 1,
        "submissions": 2,
    }
    assert told["person"]["pass_at_1"]["value"] == 0.0
    exit_code, _, err = said(capsys, model, f"--person={tmp_path / 'script.json'}")
    assert (exit_code, "script.json" in err) == (2, True)


@pytest.mark.slow
def test_a_real_server_is_asked_and_what_it_used_is_counted(
    capsys: Captured, tmp_path: Path, client: FakeClient, server: FakeServer
) -> None:
    server.script = lambda messages: code(RIGHT if "def gae(" in messages[1]["content"] else WRONG)
    exit_code, told = said_json(capsys, "openai/test", "--tasks=gae,masked_reduce", "--feedback=1", "--temperature=0.5")
    assert exit_code == 0
    assert told["pass_at_1"]["value"] == 0.5
    used = {"calls": 3, "prompt_tokens": 15, "completion_tokens": 9, "cost_usd": None, "partial_usd": 0.0}
    assert told["usage"] == used
    assert {request["temperature"] for request in server.requests} == {0.5}
    assert KEY not in Path(told["file"]).read_text() + Path(told["report"]).read_text()


@pytest.mark.slow
def test_a_rejected_key_ends_the_run_at_once(capsys: Captured, client: FakeClient, server: FakeServer) -> None:
    server.always = "401"
    exit_code, out, err = said(capsys, "openai/test", "--parallel=1")
    assert exit_code == 3
    assert "rejected the API key" in err
    assert "--examiner" not in err
    assert KEY not in out + err
    assert len(server.requests) == 1


@pytest.mark.slow
def test_a_server_that_keeps_failing_ends_the_run(capsys: Captured, client: FakeClient, server: FakeServer) -> None:
    server.always = "404"
    exit_code, told = said_json(capsys, "openai/test", "--parallel=1", "--tasks=losses")
    assert exit_code == 3
    assert "5 samples in a row failed" in told["why_stopped"]
    assert (told["graded"], told["ungraded"]) == (0, 5)
    assert told["pass_at_1"] is None
    assert len(server.requests) == 5


def test_the_spending_cap_stops_the_run_and_a_higher_one_continues_it(
    capsys: Captured, client: FakeClient, script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_model, "open_model", lambda name, *_: Priced(name))
    exit_code, told = said_json(capsys, "openai/x", "--parallel=1", "--tasks=losses", "--spend-cap=2")
    assert exit_code == 3
    assert "cap of 2 USD has been reached" in told["why_stopped"]
    assert told["usage"]["cost_usd"] == 2.0
    assert told["graded"] == 2
    # Earlier spending counts, so the same cap allows nothing more.
    assert said_json(capsys, "openai/x", "--resume", "--spend-cap=2")[1]["graded"] == 2
    exit_code, told = said_json(capsys, "openai/x", "--resume", "--spend-cap=0")
    assert (exit_code, told["missing"]) == (0, 0)


class Priced(LitellmModel):
    """A model that costs a dollar per call."""

    def complete(self, *_: Any, **__: Any) -> Any:
        self._calls.append(Usage(1, 10, 10, 1.0))
        return Reply(code(RIGHT), "stop")


def test_samples_run_side_by_side(capsys: Captured, client: FakeClient, script: Callable[..., str]) -> None:
    meeting = threading.Barrier(3, timeout=20)
    client.before = meeting.wait
    exit_code, told = said_json(
        capsys, script(**{"def gae(": code(RIGHT)}), "--tasks=gae", "--samples=3", "--parallel=3"
    )
    assert (exit_code, told["graded"]) == (0, 3)


@pytest.mark.slow
def test_a_canary_in_the_reference_reaches_no_prompt_and_no_file(
    capsys: Captured, tmp_path: Path, server: FakeServer
) -> None:
    """Graded for real: feedback quotes values and tracebacks, and the diagnosis runs the known mistakes."""
    folder = tmp_path / "home" / "tasks" / "losses" / "my_mean"
    scaffold(folder)
    for path in folder.rglob("*.py"):
        if path.name != "starter.py":
            text = path.read_text()
            # In a comment, in a name, and in a string that an error could quote.
            path.write_text(f"# {CANARY}\n{text.replace('x.mean()', f'x.mean() + len({CANARY!r}) * 0')}")
    toml = (folder / "task.toml").read_text()
    toml = re.sub(r'^(ask|text) = ".*"$', rf'\1 = "{CANARY} in words"', toml, flags=re.MULTILINE)
    (folder / "task.toml").write_text(toml)
    replies = [
        "def my_mean(x, mask):\n    return x.mean()\n",
        "def my_mean(x, mask):\n    return x.mean() / [][0]\n",
        "import inspect\ndef my_mean(x, mask):\n    raise ValueError([f.filename for f in inspect.stack()])\n",
        "def my_mean(x, mask):\n    return x[mask].mean()\n",
    ]
    server.script = lambda messages: code(replies[len(messages) // 2 - 1])
    arguments = ["openai/test", "--tasks=my_mean", "--feedback=3", "--sandbox=process", "--parallel=1"]
    exit_code, out, err = said(capsys, *arguments)
    if exit_code == 3:  # on a busy machine, the sandbox may not be ready in time, and the sample is ungraded
        exit_code, out, err = said(capsys, "openai/test", "--resume")
    (path,) = runs(tmp_path)
    (sample,) = RunFile.read(path).samples
    assert exit_code == 0, out + err
    assert [attempt.verdict for attempt in sample.attempts] == ["wrong_value", "raised", "raised", "passed"]
    # The diagnosis ran the mistakes, so the canary was within reach.
    assert sample.attempts[0].mistakes == ("mask_ignored",)
    sent = json.dumps([request["messages"] for request in server.requests])
    assert "1 of 2 cases" in sent or "0 of 2 cases" in sent
    everything = [sent, path.read_text(), path.with_suffix(".html").read_text(), out, err]
    assert [text for text in everything if CANARY in text] == []
