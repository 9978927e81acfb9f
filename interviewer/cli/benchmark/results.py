"""Benchmark runs on disk, one JSON Lines file per run, and the statistics computed from them.

The first line of a run's file describes the run, and each further line is one sample. Every line is written to disk
before the next sample is counted, so an interrupted run continues where it stopped. Secrets are masked before a line is
written.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from interviewer.chat.model import Usage
from interviewer.cli.benchmark.candidate import SYSTEM, Attempt, task_text
from interviewer.errors import BadInput
from interviewer.sanitize import masked, masker
from interviewer.session.codec import CodecError, from_plain, to_plain
from tasks.task import Task

FORMAT = 1


@dataclass(frozen=True)
class PosedTask:
    """A task in a run. Two runs used the same task only if its digest is the same in both."""

    id: str
    area: str
    digest: str


@dataclass(frozen=True)
class Run:
    """One benchmark run: the model, its settings and its tasks. `at` is the start of the run in seconds since 1970.

    `seed` is drawn when the run starts. Attempt k of every sample is graded on the cases for seed `seed` + k.
    """

    id: str
    at: float
    version: str
    model: str
    seed: int
    samples: int
    feedback: int
    temperature: float
    sandbox: str
    tasks: tuple[PosedTask, ...]
    format: int = FORMAT


@dataclass(frozen=True)
class Sample:
    """One sample: the model's attempts at a task.

    `number` counts from 0; `why` is the reason if the sample is ungraded.
    """

    task: str
    number: int
    attempts: tuple[Attempt, ...]
    usage: Usage
    why: str = ""

    @property
    def is_graded(self) -> bool:
        """Return whether every attempt could be graded."""
        return not self.why

    @property
    def has_passed_first(self) -> bool:
        """Return whether the first attempt passed."""
        return self.attempts[0].has_passed

    @property
    def has_passed(self) -> bool:
        """Return whether the last attempt passed."""
        return self.attempts[-1].has_passed


@dataclass(frozen=True)
class Rate:
    """A pass rate: the mean over tasks of the fraction of samples that pass.

    `stderr` is the standard error; it is None for a single task.
    """

    value: float
    stderr: float | None
    tasks: int

    def __str__(self) -> str:
        """Return the rate and its standard error, for example "62.5% ± 4.1"."""
        spread = "" if self.stderr is None else f" ± {100 * self.stderr:.1f}"
        return f"{100 * self.value:.1f}%{spread}"


@dataclass(frozen=True)
class AreaResult:
    """The results in one area, or in all areas. The rates are None if no sample was graded."""

    area: str
    tasks: int
    graded: int
    ungraded: int
    first: Rate | None
    final: Rate | None
    usage: Usage


@dataclass(frozen=True)
class Comparison:
    """The pass@1 of two runs on the tasks graded in both, and the `difference` (this run minus the other run).

    `stderr` is the standard error of the mean of the per-task differences; None for a single task.
    """

    run: Run
    this: Rate
    other: Rate
    difference: float
    stderr: float | None


def posed(task: Task) -> PosedTask:
    """Return a task with a digest of everything that determines whether a given program passes."""
    parts = (SYSTEM, task_text(task), task.reference, task.cases_source, task.harness, repr(task.tolerance))
    return PosedTask(task.id, task.area, hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16])


class RunFile:
    """The file of one run: its description, and its samples so far. A line cut off by a crash is ignored."""

    def __init__(self, path: Path, run: Run, samples: Iterable[Sample] = ()) -> None:
        self.path = path
        self.run = run
        self._samples: dict[tuple[str, int], Sample] = {}
        for sample in samples:
            self._keep(sample)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Return the latest result of each sample; its usage includes earlier tries that could not be graded."""
        return tuple(self._samples.values())

    @property
    def missing(self) -> list[tuple[str, int]]:
        """Return the samples that have not been graded yet, as task id and number, ordered by number, then by task."""
        wanted = [(task.id, number) for number in range(self.run.samples) for task in self.run.tasks]
        return [key for key in wanted if key not in self._samples or not self._samples[key].is_graded]

    @classmethod
    def create(cls, folder: Path, run: Run) -> RunFile:
        """Create the file for a new run. Raises BadInput if the file cannot be written."""
        made = cls(folder / f"{run.id}.jsonl", run)
        made._write({"kind": "run", **to_plain(run)})
        return made

    @classmethod
    def read(cls, path: Path) -> RunFile:
        """Return a run with its samples. Raises BadInput if the file cannot be read or does not contain a run."""
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
            first = json.loads(lines[0])
            if not isinstance(first, dict) or first.pop("kind", "") != "run" or first.get("format") != FORMAT:
                raise ValueError("the first line does not describe a run in this version's format")
            samples = [_sample(line) for line in lines[1:]]
            return cls(path, from_plain(Run, first), [sample for sample in samples if sample is not None])
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror or error}", "Pass the id of an existing run.") from None
        except (ValueError, CodecError) as error:
            raise BadInput(
                f"{path}: {error}", "Move the file to a different folder; interviewer then ignores it."
            ) from None

    def add(self, sample: Sample) -> None:
        """Save a sample; on return, it is on disk. Raises BadInput if the file cannot be written."""
        self._write({"kind": "sample", **to_plain(sample)})
        self._keep(sample)

    def _keep(self, sample: Sample) -> None:
        key = (sample.task, sample.number)
        earlier = self._samples.get(key)
        self._samples[key] = replace(sample, usage=earlier.usage.plus(sample.usage)) if earlier else sample

    def _write(self, record: Mapping[str, object]) -> None:
        line = json.dumps(masked(record, masker(os.environ)), allow_nan=False)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self.path.open("a+b") as file:
                # A crash may have cut off the last line; the new line must not be appended to it.
                is_cut = file.tell() > 0 and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
                file.write(b"\n" * is_cut + line.encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            fix = "Make the data folder writable. To print its path, run interviewer paths."
            raise BadInput(f"{self.path}: {error.strerror or error}", fix, "output") from None


def _sample(line: str) -> Sample | None:
    """Return the sample recorded in a line; None for a line cut off by a crash."""
    try:
        record = json.loads(line)
        return from_plain(Sample, record) if record.pop("kind", "") == "sample" else None
    except (ValueError, AttributeError):
        return None


def read_runs(folder: Path) -> tuple[RunFile, ...]:
    """Return all readable runs in a folder, earliest first."""
    runs = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            runs.append(RunFile.read(path))
        except BadInput:
            continue  # the file comes from a different version, or is not a run, so it cannot be compared
    return tuple(sorted(runs, key=lambda file: file.run.at))


def pass_rate(samples: Iterable[Sample], has_passed: Callable[[Sample], bool]) -> Rate | None:
    """Return the pass rate of the graded samples; None if there are none."""
    fractions = list(_fractions(samples, has_passed).values())
    return _rate_of(fractions) if fractions else None


def _fractions(samples: Iterable[Sample], has_passed: Callable[[Sample], bool]) -> dict[str, float]:
    """Return the fraction of the graded samples that passed, by task id."""
    by_task: dict[str, list[bool]] = {}
    for sample in samples:
        if sample.is_graded:
            by_task.setdefault(sample.task, []).append(has_passed(sample))
    return {task: statistics.fmean(passed) for task, passed in by_task.items()}


def _stderr(values: Sequence[float]) -> float | None:
    """Return the standard error of the mean; None for a single value."""
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None


def total_usage(samples: Iterable[Sample]) -> Usage:
    """Return the total usage of all samples; the cost is None if any price is unknown."""
    return reduce(Usage.plus, (sample.usage for sample in samples), Usage())


def result_of(area: str, tasks: Iterable[PosedTask], samples: Iterable[Sample]) -> AreaResult:
    """Return the results on these tasks, labeled with the name of an area."""
    wanted = {task.id for task in tasks}
    inside = [sample for sample in samples if sample.task in wanted]
    graded = sum(sample.is_graded for sample in inside)
    return AreaResult(
        area,
        len(wanted),
        graded,
        len(inside) - graded,
        pass_rate(inside, lambda sample: sample.has_passed_first),
        pass_rate(inside, lambda sample: sample.has_passed),
        total_usage(inside),
    )


def area_results(run: Run, samples: Sequence[Sample]) -> list[AreaResult]:
    """Return the results by area, sorted by name."""
    areas = sorted({task.area for task in run.tasks})
    return [result_of(area, [task for task in run.tasks if task.area == area], samples) for area in areas]


def mistake_counts(samples: Iterable[Sample]) -> Counter[tuple[str, str]]:
    """Return the number of attempts with each diagnosed mistake, by task id and mistake id."""
    return Counter(
        (sample.task, mistake)
        for sample in samples
        if sample.is_graded
        for attempt in sample.attempts
        for mistake in attempt.mistakes
    )


def verdict_counts(samples: Iterable[Sample]) -> Counter[str]:
    """Return the number of first attempts with each verdict."""
    return Counter(sample.attempts[0].verdict for sample in samples if sample.is_graded)


def compare(this: RunFile, other: RunFile) -> Comparison | None:
    """Compare two runs by pass@1 on the unchanged tasks that were graded in both; None if there are no such tasks."""
    same = {task.id for task in set(this.run.tasks) & set(other.run.tasks)}
    mine = _fractions(this.samples, lambda sample: sample.has_passed_first)
    theirs = _fractions(other.samples, lambda sample: sample.has_passed_first)
    both = sorted(same & set(mine) & set(theirs))
    if not both:
        return None
    differences = [mine[task] - theirs[task] for task in both]
    return Comparison(
        other.run,
        _rate_of([mine[task] for task in both]),
        _rate_of([theirs[task] for task in both]),
        statistics.fmean(differences),
        _stderr(differences),
    )


def _rate_of(fractions: Sequence[float]) -> Rate:
    return Rate(statistics.fmean(fractions), _stderr(fractions), len(fractions))
