"""Many nodes, some of which fail: every submission gets a report or the reason for its absence, and none is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from graders.errors import GradingError
from graders.verdict import Report
from interviewer.cli.batch.dispatch import LOSSES_MAX, PATIENCE_SECONDS, Dispatcher, Graded, Submission
from interviewer.cli.batch.node import Answer
from interviewer.errors import InterviewerError
from tests.cli.batch.fake_nodes import FAILED, PASSED, WRONG, FakeNodes, lost

REFUSED: Answer = {"error": {"kind": "sandbox", "message": "no Docker engine answers", "fix": "Start Docker."}}


def submissions(*names: str) -> Iterator[Submission]:
    return (Submission(f"{name}.py", name, "") for name in names)


def graded(nodes: FakeNodes, *names: str, told: list[str] | None = None) -> list[Graded]:
    told = [] if told is None else told
    return list(Dispatcher(nodes, told.append, nodes.now).run(submissions(*names)))


def named(results: list[Graded]) -> dict[str, str]:
    return {
        submission.source: answer.verdict.value if isinstance(answer, Report) else answer.message
        for submission, answer in results
    }


def test_each_submission_gets_its_own_report() -> None:
    nodes = FakeNodes({"a": 1, "b": 2}, lambda node, source: WRONG if source.startswith("w") else PASSED)
    results = graded(nodes, "p1", "w1", "p2", "w2", "p3", "p4")
    assert named(results) == dict.fromkeys(("p1", "p2", "p3", "p4"), "passed") | dict.fromkeys(
        ("w1", "w2"), "wrong_value"
    )
    assert len(results) == 6
    assert {node for node, _ in nodes.asked} == {"a", "b"}


def test_nothing_is_read_before_a_node_has_room() -> None:
    read: list[int] = []

    def stream() -> Iterator[Submission]:
        for number in range(1000):
            read.append(number)
            yield Submission(f"{number}.py", str(number), "")

    nodes = FakeNodes({"a": 2, "b": 1})
    results = Dispatcher(nodes, print, nodes.now).run(stream())
    for place, _ in enumerate(results):
        # Two per worker are in flight, one is read in advance, and one was just yielded.
        assert len(read) <= place + 1 + 2 * 3 + 1
    assert len(read) == 1000
    assert nodes.most_waiting <= 2 * 3 + 2


def test_a_lost_nodes_work_is_tried_elsewhere() -> None:
    dead: set[str] = set()

    def behave(node: str, source: str) -> Answer:
        if source == "p3" and not dead:
            dead.add(node)
            nodes.workers.pop(node)
        return lost() if node in dead else PASSED

    nodes, told = FakeNodes({"a": 1, "b": 1}, behave), list[str]()
    names = [f"p{number}" for number in range(8)]
    assert named(graded(nodes, *names, told=told)) == dict.fromkeys(names, "passed")
    (node,) = dead
    assert nodes.stopped == [node]
    assert [line for line in told if "Lost" in line] == [f"Lost: node {node}: the process was killed"]
    assert all(other != node for other, source in nodes.asked[-1:])
    twice = [source for source, count in Counter(source for _, source in nodes.asked).items() if count > 1]
    assert "p3" in twice


@pytest.mark.parametrize("workers", [{"a": 1}, {"a": 1, "b": 1, "c": 1}, {"a": 2}])
def test_a_submission_that_takes_its_node_down_three_times_is_ungraded(workers: dict[str, int]) -> None:
    nodes = FakeNodes(workers, lambda node, source: lost() if source == "bomb" else PASSED)
    results = named(graded(nodes, "bomb", "p1", "p2", "p3", "p4"))
    assert results.pop("bomb") == "its node was lost 3 times"
    assert [source for _, source in nodes.asked].count("bomb") == 3
    if workers["a"] == 1:
        assert results == dict.fromkeys(("p1", "p2", "p3", "p4"), "passed"), "what waited behind it is not to blame"
    assert len(workers) > 1 or len(nodes.started) == 4, "a node that is alive is started again"


def test_lost_work_goes_to_a_different_node() -> None:
    nodes = FakeNodes({"a": 1, "b": 1, "c": 1}, lambda node, source: lost() if source == "bomb" else PASSED)
    graded(nodes, "bomb", *(f"p{number}" for number in range(20)))
    places = [node for node, source in nodes.asked if source == "bomb"]
    assert all(first != second for first, second in pairwise(places))


@pytest.mark.parametrize("fail", [lambda: FAILED, lost])
def test_a_retry_waits_for_a_different_node_while_its_own_has_room(fail: Callable[[], Answer]) -> None:
    nodes = FakeNodes({"a": 1, "b": 1}, lambda node, source: fail() if (node, source) == ("a", "odd") else PASSED)
    # b is ready but full, and a is ready again with room long before b gives its first answer.
    nodes.slow = {"b"}
    names = [f"p{number}" for number in range(10)]
    assert named(graded(nodes, "odd", *names)) == dict.fromkeys(("odd", *names), "passed")
    assert [node for node, source in nodes.asked if source == "odd"] == ["a", "b"]
    assert nodes.asked.index(("a", names[-1])) < nodes.asked.index(("b", "odd")), "meanwhile, a grades the others"


def test_a_retry_runs_on_its_own_node_if_no_different_one_is_ready() -> None:
    nodes = FakeNodes({"a": 1, "b": 1}, lambda node, source: FAILED if len(nodes.asked) == 1 else PASSED)
    nodes.checks["b"] = [REFUSED]
    assert named(graded(nodes, "odd")) == {"odd": "passed"}
    assert nodes.asked == [("a", "odd"), ("a", "odd")]


def test_a_failure_of_ours_is_tried_elsewhere_and_then_ungraded() -> None:
    nodes = FakeNodes({"a": 1, "b": 1}, lambda node, source: FAILED if source == "odd" or node == "a" else PASSED)
    nodes.checks["a"] = [{}, REFUSED]
    told: list[str] = []
    results = graded(nodes, "odd", "p1", "p2", "p3", told=told)
    assert named(results) == {"odd": "the grading worker exited", "p1": "passed", "p2": "passed", "p3": "passed"}
    assert [source for _, source in nodes.asked].count("odd") == 3
    assert told == ["Not used: node a: no Docker engine answers Start Docker."]
    assert nodes.started.count("a") == 1, "a node that fails its check is not started again"


def test_a_node_that_fails_at_everything_does_not_consume_the_batch() -> None:
    """It replies at once, so without a check it would get most of the work."""
    nodes = FakeNodes({"bad": 4, "good": 1}, lambda node, source: FAILED if node == "bad" else PASSED)
    nodes.checks["bad"] = [{}, REFUSED]
    names = [f"p{number}" for number in range(50)]
    assert named(graded(nodes, *names)) == dict.fromkeys(names, "passed")


def test_a_node_that_differs_gets_nothing() -> None:
    nodes = FakeNodes({"a": 1, "b": 1})
    nodes.checks["b"] = [REFUSED]
    assert len(graded(nodes, "p1", "p2", "p3")) == 3
    assert {node for node, _ in nodes.asked} == {"a"}


def test_without_a_node_that_can_grade_the_batch_stops() -> None:
    nodes = FakeNodes({"a": 1})
    nodes.checks["a"] = [REFUSED]
    with pytest.raises(InterviewerError, match="no node can grade: node a: no Docker engine answers") as error:
        graded(nodes, "p1")
    assert error.value.kind == "cluster"


def test_a_node_that_is_always_lost_is_given_up() -> None:
    nodes = FakeNodes({"a": 1}, lambda node, source: lost())
    results: list[Graded] = []
    with pytest.raises(InterviewerError, match="node a was lost repeatedly: the process was killed"):
        results.extend(Dispatcher(nodes, print, nodes.now).run(submissions(*(f"p{number}" for number in range(99)))))
    assert len(nodes.started) == LOSSES_MAX
    assert all(isinstance(answer, GradingError) for _, answer in results)


def test_the_last_submission_may_be_the_one_that_fails() -> None:
    nodes = FakeNodes({"a": 1}, lambda node, source: FAILED)
    assert named(graded(nodes, "only")) == {"only": "the grading worker exited"}


def test_a_node_that_joins_later_is_used() -> None:
    def behave(node: str, source: str) -> Answer:
        nodes.clock += 3.0
        if source == "p2":
            nodes.workers["late"] = 1
        return PASSED

    nodes = FakeNodes({"a": 1}, behave)
    graded(nodes, *(f"p{number}" for number in range(20)))
    assert nodes.started == ["a", "late"]
    assert "late" in {node for node, _ in nodes.asked}


def test_no_node_at_all_is_waited_for_and_told() -> None:
    nodes, told = FakeNodes({}), list[str]()
    with pytest.raises(InterviewerError, match="no node was ready within 30"):
        graded(nodes, "p1", told=told)
    assert nodes.clock > PATIENCE_SECONDS
    assert told
    assert all(line.startswith("Still waiting for a node") for line in told)
