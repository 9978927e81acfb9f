"""Inspect finds both tasks, runs them with a mock model, and gets our verdicts and depths.

Ungraded samples stay unscored.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from graders.errors import WorkerDied
from graders.verdict import Report, Verdict
from interviewer.bank.load import load_questions
from tests.session.build import report

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: pip install 'interviewer[inspect]'")
pytestmark = pytest.mark.slow  # importing inspect_ai takes seconds

ROOT = Path(__file__).parents[3]
RIGHT, WRONG, BROKEN = "x = 'right'", "x = 'wrong'", "x = 'broken'"
Reply = Callable[[list[str]], str]


class FakeClient:
    """Grade according to the source: RIGHT passes, BROKEN kills the worker, the rest is a named mistake."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, int]] = []

    def grade(self, task: str, source: str, **wanted: Any) -> Report:
        self.asked.append((Path(task).name, source.strip(), wanted["seed"]))
        if source.strip() == BROKEN:
            raise WorkerDied("the grading worker exited", "Submit again.")
        return report() if source.strip() == RIGHT else report(Verdict.WRONG_VALUE, "max_for_min")

    def close(self, stays: bool = False) -> None:
        self.is_closed = True


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    """Return the grader's client that the tasks get."""
    made = FakeClient()
    monkeypatch.setattr("graders.client.GraderClient", lambda residence: made)
    import_module("interviewer.cli.benchmark.inspect_tasks")._context.cache_clear()
    return made


def code(source: str) -> str:
    return f"```python\n{source}\n```"


def evaluated(folder: Path, task: Any, reply: Reply, **options: Any) -> Any:
    """Run a task with Inspect's mock model, which derives its replies from the messages so far; return the log."""
    model_module = import_module("inspect_ai.model")

    def generate(messages: list[Any], *_: Any) -> Any:
        output = model_module.ModelOutput.from_content("mockllm", reply([message.text for message in messages]))
        # Without usage data, the mock downloads a tokenizer to count the tokens.
        output.usage = model_module.ModelUsage(input_tokens=5, output_tokens=3, total_tokens=8)
        return output

    model = model_module.get_model("mockllm/model", custom_outputs=generate, memoize=False)
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics(log: Any, name: str) -> dict[str, float]:
    """Return the metrics of one score, by name."""
    return {
        metric.name: metric.value
        for score in log.results.scores
        if score.name == name
        for metric in score.metrics.values()
    }


def test_the_entry_point_finds_both_tasks(client: FakeClient) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name, target), *others = project["entry-points"]["inspect_ai"].items()
    assert (name, others) == ("interviewer", [])
    module = EntryPoint(name, target, "inspect_ai").load()
    assert {"inspect_ai"} == {wanted.split(">")[0] for wanted in project["optional-dependencies"]["inspect"]}
    coding = module.coding(tasks="gae,preference")
    assert [sample.id for sample in coding.dataset] == [
        "gae",
        "bradley_terry_loss",
        "dpo_loss",
        "ipo_loss",
        "kto_loss",
        "simpo_loss",
    ]
    assert [sample.id for sample in module.interview(questions="ppo_clipping").dataset] == ["ppo_clipping"]


def test_coding_reports_the_pass_rates_the_areas_and_the_mistakes(client: FakeClient, tmp_path: Path) -> None:
    def reply(texts: list[str]) -> str:
        if "def gae(" in texts[1] or "Verdict:" in texts[-1]:
            return code(RIGHT)
        return code(WRONG) if "def masked_reduce(" in texts[1] else "I do not know."

    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")
    task = tasks.coding(tasks="gae,masked_reduce,kv_bytes", feedback=1, sandbox="process")
    log = evaluated(tmp_path, task, reply, epochs=2)
    first, final = metrics(log, "pass_at_1"), metrics(log, "pass_after_feedback")
    assert first["mean"] == pytest.approx(1 / 3)
    assert final["mean"] == pytest.approx(2 / 3)
    assert first["stderr"] == pytest.approx(math.sqrt(1 / 3) / math.sqrt(3))
    assert (first["advantages"], first["losses"], final["losses"], final["memory"]) == (1.0, 0.0, 1.0, 0.0)
    # Both epochs count, and the standard error of a single task is left out.
    assert metrics(log, "graded")["masked_reduce.max_for_min"] == 2
    assert "losses_stderr" not in first
    # Every attempt has its own cases.
    seed = log.eval.metadata["seed"]
    assert sorted(asked for asked in client.asked if asked[0] == "masked_reduce") == [
        *[("masked_reduce", RIGHT, seed + 1)] * 2,
        *[("masked_reduce", WRONG, seed)] * 2,
    ]
    reasons = {sample.id: sample.scores["graded"].reason for sample in log.samples}
    assert reasons == {"gae": None, "masked_reduce": None, "kv_bytes": "no_response"}
    # The log can be read back, as inspect view does.
    assert import_module("inspect_ai.log").read_eval_log(log.location).status == "success"


def test_our_own_failure_is_unscored_and_another_solver_is_graded(client: FakeClient, tmp_path: Path) -> None:
    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")

    def reply(texts: list[str]) -> str:
        return code(BROKEN if "def gae(" in texts[1] else RIGHT)

    log = evaluated(tmp_path, tasks.coding(tasks="gae,kv_bytes"), reply)
    (score,) = (score for score in log.results.scores if score.name == "pass_at_1")
    assert (score.scored_samples, score.unscored_samples) == (1, 1)
    assert metrics(log, "pass_at_1")["mean"] == 1.0
    (broken,) = (sample.scores["graded"] for sample in log.samples if sample.id == "gae")
    assert (broken.reason, math.isnan(broken.value)) == ("grader_failed", True)
    # A failure after the first verdict leaves the sample unscored, too: its last attempt is unknown.
    fails_later = tasks.coding(tasks="gae", feedback=1)
    log = evaluated(tmp_path, fails_later, lambda texts: code(BROKEN if "Verdict:" in texts[-1] else WRONG))
    assert {score.scored_samples for score in log.results.scores if score.name == "pass_at_1"} <= {0}
    assert log.samples[0].scores["graded"].reason == "grader_failed"
    plain = import_module("inspect_ai.solver").generate()
    log = evaluated(tmp_path, tasks.coding(tasks="gae,kv_bytes"), reply, solver=plain)
    assert metrics(log, "pass_at_1")["mean"] == 1.0


def test_the_interview_reports_depth_by_topic_from_checked_answers(client: FakeClient, tmp_path: Path) -> None:
    """A model that knows nothing gets a low depth; one that recites the rubric does not get the full depth."""
    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")
    question = next(question for question in load_questions() if question.id == "ppo_clipping")
    recited = " ".join(point.says for point in question.points)
    reached = {}
    for name, said in (("silent", "I do not know."), ("recited", recited)):
        log = evaluated(tmp_path, tasks.interview(questions=question.id), lambda _, said=said: said)  # type: ignore[misc]
        (sample,) = log.samples
        score = sample.scores["depth"]
        assert score.metadata["judges"] == ["offline"]
        assert [message.role for message in sample.messages[:3]] == ["system", "user", "assistant"]
        assert question.prompt.split(".")[0] in sample.messages[1].text
        reached[name] = score
    silent, told = reached["silent"], reached["recited"]
    assert silent.value < 1.0
    assert silent.value < told.value < len(question.rungs)
    assert set(told.metadata["points"].values()) != set(silent.metadata["points"].values())
    by_topic = metrics(log, "depth")
    assert {topic: by_topic[topic] for topic in question.topics} == dict.fromkeys(question.topics, told.value)
    # None of this counts as the user's own practice.
    assert not list(tmp_path.glob("home/**/log.db"))


def test_a_language_model_may_judge_and_never_words_the_questions(client: FakeClient, tmp_path: Path) -> None:
    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")
    question = next(question for question in load_questions() if question.id == "ppo_clipping")
    script = tmp_path / "judge.json"
    # A judge that credits nothing; if it were asked to word a question, this would be the question.
    script.write_text(json.dumps({"replies": ["I am the judge."] * 20}))
    task = tasks.interview(questions=question.id, judge=f"scripted/{script}")
    log = evaluated(tmp_path, task, lambda _: "The clip removes the incentive to move the ratio further.")
    (sample,) = log.samples
    score = sample.scores["depth"]
    assert score.metadata["judges"] == [score.metadata["examiner"]] == [f"llm:scripted/{script}"]
    assert score.value < 1.0
    assert [message.text for message in sample.messages if "I am the judge" in message.text] == []


def test_a_depth_from_another_examiner_or_without_evidence_is_unscored() -> None:
    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")
    depth = import_module("interviewer.session.scoring").Depth(3.0, 2.5, 3.5, 0.4)
    assert tasks._depth_result(depth, ["offline"], "offline")["depth"] == 3.0
    assert tasks._depth_result(None, [], "offline")["depth"] is None
    mixed = tasks._depth_result(depth, ["llm:x", "offline"], "llm:x")
    assert (mixed["depth"], "judged by llm:x, offline instead of llm:x" in mixed["why"]) == (None, True)
    wide = tasks._depth_result(replace(depth, low=0.0, high=5.0), ["offline"], "offline")
    assert (wide["depth"], "not enough evidence" in wide["why"]) == (None, True)


@pytest.mark.content
def test_no_transcript_contains_a_reference_or_a_rubric(client: FakeClient, tmp_path: Path) -> None:
    """The first message of every sample is everything that the model gets before it replies."""
    tasks = import_module("interviewer.cli.benchmark.inspect_tasks")
    context = tasks._context("")
    for sample in tasks.coding().dataset:
        posed = context.task(sample.id)
        text = json.dumps([message.text for message in sample.input]) + json.dumps(sample.metadata)
        assert [mistake.id for mistake in posed.mistakes if mistake.wrong in text] == []
        lines = {line.strip() for line in posed.reference.splitlines() if len(line.strip()) > 25}
        known = posed.statement + posed.starter
        assert [line for line in lines if json.dumps(line)[1:-1] in text and line not in known] == []
    for sample in tasks.interview().dataset:
        question = context.question(sample.id)
        assert [point.id for point in question.points if point.says in str(sample.input)] == []
