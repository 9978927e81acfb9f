"""Memory does not grow with the number of submissions. `python -m tests.bench.cluster memory` tries 100,000."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from graders.verdict import Outcome, Report, Verdict
from interviewer.cli.batch.node import Answer
from interviewer.cli.group import run
from tests.cli.batch.fake_nodes import FakeNodes
from tests.session.build import report

SOURCE_BYTES = MESSAGE_BYTES = 4096
FEW, MANY = 100, 800
# A name, a path, and the position of its row in the CSV.
MORE_BYTES_MAX = 1000 * (MANY - FEW)


def long_report(source: str) -> Report:
    """Return a report with a unique message of the maximum length."""
    text = (source[:64] * MESSAGE_BYTES)[:MESSAGE_BYTES]
    return replace(report(), cases=(Outcome("f6", Verdict.RAISED, 1.0, text),))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> list[FakeNodes]:
    """Replace the cluster with nodes that do not need Ray, and return them."""
    made: list[FakeNodes] = []

    def behave(node: str, source: str) -> Answer:
        return {"report": long_report(source).to_json()}

    class Nodes(FakeNodes):
        def __init__(self, *_: Any) -> None:
            super().__init__({"a": 2, "b": 2}, behave)
            made.append(self)

        def grade(self, node: str, source: str) -> Any:
            return self._ask(node, source)

        def close(self) -> None:
            pass

    @contextmanager
    def connected(on: str) -> Iterator[None]:
        yield

    module = ModuleType("interviewer.cli.batch.ray_cluster")
    module.__dict__.update(RayNodes=Nodes, connected=connected)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return made


def peak_bytes(folder: Path, count: int) -> int:
    """Return the peak memory of a batch with this many submissions."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:06}.py").write_text(f"# {number:06}\n".ljust(SOURCE_BYTES, "#"))
    tracemalloc.start()
    try:
        code = run(["grade-all", "gae", str(folder), "--on", "ray", "--csv", str(folder / "out.csv"), "--json"])
        assert code == 1
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_neither_sources_nor_reports_pile_up(
    tmp_path: Path, cluster: list[FakeNodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/null", "w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        monkeypatch.setattr(sys, "stderr", nowhere)
        peak_bytes(tmp_path / "first", 10)  # loads modules and the task
        few, many = peak_bytes(tmp_path / "few", FEW), peak_bytes(tmp_path / "many", MANY)
    assert cluster[-1].most_waiting <= 10
    assert many - few < MORE_BYTES_MAX, f"{(many - few) / (MANY - FEW):.0f} bytes for each submission"
