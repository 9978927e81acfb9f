"""The types of a coding task; the only module that task content may import besides torch and the standard library.

This module does not import torch: tensors pass through as opaque values.
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
    """One value per rank, for an argument that differs between the ranks of a multi-rank case."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Relation:
    """One metamorphic check: a change to the inputs, and the outputs that are expected after this change.

    `change` maps a copy of the arguments to new arguments. `expect` maps the outputs of the unchanged run (by path:
    "loss", "grad.logp", ...) to what the changed run must return; by default, the outputs must stay the same. Outputs
    that `expect` leaves out are not compared.
    """

    name: str
    says: str
    change: Callable[[Args], Args]
    expect: Callable[[Outputs], Outputs] = field(default=lambda outputs: outputs)


@dataclass(frozen=True)
class Case:
    """One named set of inputs for a task.

    `grads` names the arguments for which the gradient of the first output is compared; `constants` names the arguments
    that require grad but must receive no gradient. `world` > 1 starts that many gloo ranks, and `args` may then contain
    PerRank values. `has_own_hash_seeds` gives each rank its own interpreter, so a set of strings has a different order
    on each rank, as in training. Each interpreter takes more than a second to start, so two ranks should be enough.
    `expected` is a literal result derived by hand from the source, with the same structure as the entry's return value.
    Without `expected`, the reference (or the task's `expected` function) provides the correct result. If the case is
    `visible`, the report shows more of its inputs. For a case at a kink, `settled_by` quotes the sentence of the
    statement that determines the gradient.
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
    """The tolerance of a result: |got - want| <= atol + rtol * |want|, compared in float64."""

    rtol: float
    atol: float


@dataclass(frozen=True)
class Limits:
    """The resource limits of one submission."""

    wall_seconds: float
    memory_mib: int


@dataclass(frozen=True)
class Mistake:
    """A known wrong program, the cases that catch it, and its follow-up question."""

    id: str
    wrong: str
    caught_by: tuple[str, ...]
    ask: str
    source: str
    same_as: str = ""


@dataclass(frozen=True)
class Equivalent:
    """One mutant that is equivalent to the reference, and the reason for the equivalence."""

    mutant: str
    reason: str


@dataclass(frozen=True)
class Task:
    """One coding problem, read from its folder. `area` and `id` are the folder names.

    `aliases` are the task's former ids. Logs and scripts may still contain former ids, so every lookup accepts them.
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
        """Return the topics that may be shown; a repair task's topics name its bug, so they are hidden until a pass."""
        return self.topics if has_passed or self.kind != "repair" else ()

    def for_device(self, device: str) -> Task:
        """Return the task adapted to this device; on a GPU, the tolerances of `tolerance_cuda` take precedence."""
        return replace(self, tolerance={**self.tolerance, **self.tolerance_cuda}) if device == "cuda" else self


@dataclass(frozen=True)
class TaskNames:
    """Maps from task id to title and from alias to current id, and the set of repair tasks."""

    titles: Mapping[str, str] = field(default_factory=dict)
    current: Mapping[str, str] = field(default_factory=dict)
    repairs: frozenset[str] = frozenset()

    def id_of(self, task_id: str) -> str:
        """Return the current id of a task; an id that is not an alias is returned unchanged."""
        return self.current.get(task_id, task_id)

    def title_of(self, task_id: str) -> str:
        """Return the title for a task id or alias; if the task no longer exists, return the id with spaces."""
        return self.titles.get(self.id_of(task_id)) or task_id.replace("_", " ")

    def titles_of(self, parts: str) -> str:
        """Return the titles for ids separated by ", "; an unknown id is shown with spaces."""
        return ", ".join(map(self.title_of, parts.split(", ")))
