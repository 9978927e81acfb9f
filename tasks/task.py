"""The types of a coding task; the only module that task content may import besides torch and the standard library.

Nothing here imports torch: tensors pass through as opaque values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

Kind = Literal["implement", "repair", "estimate"]
Args = dict[str, Any]
Outputs = dict[str, Any]


@dataclass(frozen=True)
class PerRank:
    """Hold one value per rank, for an argument that differs between the ranks of a multi-rank case."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Relation:
    """Hold one metamorphic check: how the inputs change and what the outputs then must be.

    `change` maps a copy of the arguments to new arguments. `expect` maps the outputs of the unchanged run (by path:
    "loss", "grad.logp", ...) to what the changed run must return; the default says that nothing changes. Outputs that
    `expect` leaves out are not compared.
    """

    name: str
    says: str
    change: Callable[[Args], Args]
    expect: Callable[[Outputs], Outputs] = field(default=lambda outputs: outputs)


@dataclass(frozen=True)
class Case:
    """Hold one named input set of a task.

    `grads` names the arguments whose gradient of the first output is compared; `constants` those that require grad
    but must receive no gradient. `world` > 1 starts that many gloo ranks, and `args` may then hold PerRank values.
    `has_own_hash_seeds` gives each rank an interpreter of its own, so that a set of strings has a different order on
    each rank, as in training. Each interpreter takes more than a second to start, so two ranks should do.
    `expected` is a literal result worked by hand from the source, in the shape the entry returns it; without it the
    reference (or the task's `expected` function) gives the right result. A report shows more of the inputs
    of a `visible` case.
    `settled_by` quotes the sentence of the statement that decides the gradient of a case at a kink.
    """

    name: str
    args: Args
    grads: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    world: int = 1
    has_own_hash_seeds: bool = False
    relations: tuple[Relation, ...] = ()
    visible: bool = False
    expected: Any = None
    weight: float = 1.0
    settled_by: str = ""


@dataclass(frozen=True)
class Tolerance:
    """Hold the tolerance of a result: |got - want| <= atol + rtol * |want|, compared in float64."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Limits:
    """Hold the resource limits of one submission."""

    wall_seconds: float
    memory_mib: int


@dataclass(frozen=True)
class Mistake:
    """Hold one known wrong program, the cases that catch it and its follow-up question."""

    id: str
    wrong: str
    caught_by: tuple[str, ...]
    ask: str
    source: str
    same_as: str = ""


@dataclass(frozen=True)
class Equivalent:
    """Hold one mutant that is equivalent to the reference, and why."""

    mutant: str
    reason: str


@dataclass(frozen=True)
class Task:
    """Hold one coding problem, read from its folder. `area` and `id` are the folder's names.

    `aliases` are ids that the task had before. Logs and scripts still contain them, so every lookup accepts them.
    """

    id: str
    area: str
    folder: Path
    title: str
    kind: Kind
    entry: str
    level: int
    minutes: int
    devices: tuple[str, ...]
    topics: tuple[str, ...]
    seeds: tuple[str, ...]
    source: tuple[str, ...]
    returns: tuple[str, ...]
    limits: Limits
    tolerance: Mapping[str, Tolerance]
    tolerance_cuda: Mapping[str, Tolerance]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, ...]
    equivalents: tuple[Equivalent, ...]
    statement: str
    starter: str
    starter_verdict: str
    reference: str
    cases_source: str
    case_names: tuple[str, ...]
    harness: str
    signature: str
    detached: tuple[str, ...] = ()
    after_pass: str = ""
    aliases: tuple[str, ...] = ()

    def topics_shown(self, *, has_passed: bool) -> tuple[str, ...]:
        """Return the topics that a person may read: those of a repair task name its bug, so only after a pass."""
        return self.topics if has_passed or self.kind != "repair" else ()

    def for_device(self, device: str) -> Task:
        """Return the task for this device: on a GPU, the tolerances of `tolerance_cuda` take precedence."""
        return replace(self, tolerance={**self.tolerance, **self.tolerance_cuda}) if device == "cuda" else self


@dataclass(frozen=True)
class TaskNames:
    """Hold what tasks are called: the title by id, the current id by alias, and which of them are repair tasks."""

    titles: Mapping[str, str] = field(default_factory=dict)
    current: Mapping[str, str] = field(default_factory=dict)
    repairs: frozenset[str] = frozenset()

    def id_of(self, task_id: str) -> str:
        """Return the current id of a task; an id that is no alias is returned unchanged."""
        return self.current.get(task_id, task_id)

    def title_of(self, task_id: str) -> str:
        """Return the title of a task, given its id or an alias; the words of the id if the task no longer exists."""
        return self.titles.get(self.id_of(task_id)) or task_id.replace("_", " ")

    def titles_of(self, parts: str) -> str:
        """Return the titles of ids that are separated by ", "; an id that is no task's becomes its words."""
        return ", ".join(map(self.title_of, parts.split(", ")))
