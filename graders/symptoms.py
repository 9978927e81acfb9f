"""Describes wrong outputs with statements computed from those outputs, so every statement is true of this submission.

A symptom is one decorated function. The function gets one failing run on one rank and yields clauses that are true of
this run. A clause that is yielded for several cases must have the same meaning in each case.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import torch

from graders.compare import Expected, compare, deviation, in_float64, kind_of, tolerance_of
from graders.diagnose import Evidence
from graders.plan import Plan, Run, Setting, cotangent_of
from graders.reference import run_trusted
from graders.verdict import Symptom, Verdict
from graders.wire import OmittedValue, Record
from tasks.task import Args, Case, PerRank, Task, Tolerance

SYMPTOMS_MAX = 2
VARIANT_RUNS_MAX = 120
VARIANT_CASES = 2
# The minimum fraction of failing cases in which a statement must hold, so that a coincidence in one case is not
# reported.
SHARE_MIN = 0.5
# The maximum number of facts about the inputs that may distinguish the failing cases; an explanation with more facts
# would not be specific.
FACTS_MAX = 4
NAMED_CASES_MAX = 4
# Arguments that only define which positions belong to the same group.
GROUPING = re.compile(r"group|_ids?$|segment|prompt")
PRECISION = 2e-2
LOWER_KINDS = ("tensor float16", "tensor bfloat16")
DIMENSIONS = re.compile(r"((?:`\w+`(?:, | and | ))+)`\[(\w+(?:, \w+)*)\]`")


@dataclass(frozen=True)
class Clause:
    """One true clause.

    `is_number` is true for a clause that states a factor as a plain number. If exactly one other clause explains the
    same factor by a name, that clause is used instead. For a clause that is trivially true of a single case, such as
    one about the ratio between two numbers, `cases_min` is above 1. If a clause may hold by coincidence for a single
    number (for example, 0 is the logarithm of 1), `tested_on` is this number; the clause must then hold in cases with
    two different numbers.
    """

    says: str
    is_number: bool = False
    cases_min: int = 1
    tested_on: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Part:
    """One output or gradient: the submission's values and the right values, both in float64.

    `got` is None if there is no value, or if the value is not numeric.
    """

    name: str
    got: torch.Tensor | None
    right: torch.Tensor
    got_kind: str
    right_kind: str
    tolerance: Tolerance
    is_gradient: bool

    @property
    def label(self) -> str:
        """Return the part's name as used in a sentence."""
        return f"the gradient of `{self.name}`" if self.is_gradient else f"`{self.name}`"

    def is_near(self, candidate: torch.Tensor, scale: float = 1.0) -> bool:
        """Return whether the submission's values equal `candidate` within tolerance; `scale` widens the tolerance."""
        if self.got is None or self.got.shape != candidate.shape:
            return False
        error, bound = deviation(self.got, candidate, self.tolerance, scale)
        return bool((error <= bound).all())

    @cached_property
    def wrong_places(self) -> torch.Tensor:
        """Return a mask of the wrong values, with the same shape as the right values."""
        assert self.got is not None
        error, bound = deviation(self.got, self.right, self.tolerance)
        return error > bound

    @cached_property
    def has_right_values(self) -> bool:
        """Return whether the values and the shape are right, regardless of the dtype."""
        return self.is_near(self.right)

    @cached_property
    def is_varied(self) -> bool:
        """Return whether the right values differ from each other, so that a pattern in them is meaningful."""
        finite = self.right[self.right.isfinite()]
        return finite.numel() > 1 and float(finite.max() - finite.min()) > 10 * self.tolerance.atol


@dataclass(frozen=True)
class Failing:
    """One failing run on one rank.

    `variants` maps each clause that describes a change to the arguments, such as "`mask` is True everywhere", to the
    reference's results for the changed arguments. `letters` are the statement's names for dimensions. The backward pass
    starts from `cotangent`.
    """

    expected: Expected
    got: Record
    args: Args
    case: Case
    tolerances: Mapping[str, Tolerance]
    variants: Mapping[str, Record] = field(default_factory=dict)
    letters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cotangent: float = 1.0

    @cached_property
    def outputs(self) -> list[Part]:
        """Return the outputs that the case expects."""
        return [
            self._part(path, self.got.leaves.get(path), right, is_gradient=False)
            for path, right in self.expected.outputs.items()
        ]

    @cached_property
    def gradients(self) -> list[Part]:
        """Return the gradients that the case expects; each is named after its argument."""
        return [
            self._part(name, self.got.gradients.get(name), right, is_gradient=True)
            for name, right in self.expected.gradients.items()
        ]

    @cached_property
    def wrong_outputs(self) -> list[Part]:
        """Return the outputs that have the right shape but wrong values."""
        return [part for part in self.outputs if _is_comparable(part) and not part.has_right_values]

    @cached_property
    def wrong_gradients(self) -> list[Part]:
        """Return the gradients with wrong values, if all outputs are right."""
        if not self.has_right_outputs:
            return []
        return [part for part in self.gradients if _is_comparable(part) and not part.has_right_values]

    @cached_property
    def has_right_outputs(self) -> bool:
        """Return whether every output has the right values and the right dtype, and no other output was returned."""
        has_others = bool(self.got.leaves.keys() - self.expected.outputs.keys())
        return not has_others and all(part.has_right_values and _has_right_kind(part) for part in self.outputs)

    @cached_property
    def parts(self) -> list[Part]:
        """Return all outputs and gradients."""
        return [*self.outputs, *self.gradients]

    @cached_property
    def quantities(self) -> list[tuple[str, float]]:
        """Return named quantities, such as the world size, that wrong results are often multiplied by."""
        return list(_quantities(self))

    def _part(self, name: str, leaf: Any, right: Any, is_gradient: bool) -> Part:
        has_numbers = leaf is not None and not isinstance(leaf, OmittedValue)
        got = in_float64(leaf) if has_numbers else None
        kind = kind_of(leaf) if leaf is not None else "missing"
        return Part(name, got, right.values, kind, right.kind, tolerance_of(right.kind, self.tolerances), is_gradient)


def _is_comparable(part: Part) -> bool:
    return part.got is not None and part.got.shape == part.right.shape and part.right.numel() > 0


def _has_right_kind(part: Part) -> bool:
    return part.got_kind == part.right_kind or (part.right_kind, part.got_kind) == ("float", "int")


Find = Callable[[Failing], Iterator[Clause]]


@dataclass(frozen=True)
class Kind:
    """One symptom: its id, the matching question, and the function that detects it.

    `share` is the fraction of the failing cases in which the symptom must hold. A symptom that may hold by coincidence
    in some cases must hold in all failing cases. An `is_general` symptom is omitted if a more specific symptom holds
    for all failing cases.
    """

    id: str
    ask: str
    find: Find
    share: float = SHARE_MIN
    is_general: bool = False


# The kinds of symptoms, ordered from most to least specific.
KINDS: list[Kind] = []


def symptom(name: str, ask: str, *, share: float = SHARE_MIN, is_general: bool = False) -> Callable[[Find], Find]:
    """Register a symptom function; functions earlier in this file are more specific and are reported first."""

    def register(find: Find) -> Find:
        KINDS.append(Kind(name, ask, find, share, is_general))
        return find

    return register


# --- Symptoms of one run ---------------------------------------------------------------------------------------------


@symptom("wrong_dtype", "Where does your code set the dtype of its result, and which dtype does the statement ask for?")
def wrong_dtype(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that have the right values in a different dtype, up to that dtype's precision."""
    for part in failing.outputs:
        if part.got is None or _has_right_kind(part) or not _is_comparable(part):
            continue
        if part.got_kind in LOWER_KINDS:
            if _is_roughly_right(part):
                yield Clause(
                    f"`{part.name}` is a {part.got_kind} instead of a {part.right_kind}; its values are nearly right"
                )
        elif part.has_right_values:
            yield Clause(f"`{part.name}` has the right values but is a {part.got_kind} instead of a {part.right_kind}")


def _is_roughly_right(part: Part) -> bool:
    assert part.got is not None
    is_near = (part.got - part.right).abs() <= PRECISION * part.right.abs().max()
    return bool((is_near & part.right.isfinite()).all())


@symptom("wrong_shape", "What shape does your result have, and which operation adds or removes a dimension?")
def wrong_shape(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that have the right values in a different shape, or that are one position too long or too short."""
    for part in failing.outputs:
        yield from _off_by_one(part)
        if part.got is None or part.got.shape == part.right.shape or part.got.numel() != part.right.numel():
            continue
        if part.got.dim() == 2 and part.got.T.shape == part.right.shape and _flat(part, part.got.T).has_right_values:
            yield Clause(f"`{part.name}` is transposed: its values are right if you swap the dimensions")
        elif _flat(part, part.got).has_right_values:
            yield Clause(f"`{part.name}` has the right values in the wrong shape")


def _off_by_one(part: Part) -> Iterator[Clause]:
    if part.got is None or part.got.dim() != part.right.dim():
        return
    surplus = [got - right for got, right in zip(part.got.shape, part.right.shape, strict=True)]
    for words, size in (("longer", 1), ("shorter", -1)):
        if sorted(map(abs, surplus))[-2:] in ([1], [0, 1]) and size in surplus:
            yield Clause(f"`{part.name}` is one position {words} than expected along dimension {surplus.index(size)}")


def _flat(part: Part, got: torch.Tensor) -> Part:
    return replace(part, got=got.reshape(-1), right=part.right.reshape(-1))


@symptom("negated", "Which direction does an optimizer step take with your sign, and which direction is asked for?")
def negated(failing: Failing) -> Iterator[Clause]:
    """Yield outputs with the opposite sign."""
    for part in failing.wrong_outputs:
        if part.is_near(-part.right):
            yield Clause(f"`{part.name}` is the expected value with the opposite sign")


@symptom("gradient_negated", "Your values are right. What flips the sign between the loss and its gradient?")
def gradient_negated(failing: Failing) -> Iterator[Clause]:
    """If the outputs are right, yield a clause for each gradient that has the opposite sign."""
    for part in failing.wrong_gradients:
        if part.is_near(-part.right):
            yield Clause(f"the outputs are right, and the gradient of `{part.name}` has the opposite sign")


@symptom("as_if", "Where does your code read that argument, and what does it do with each of its values?")
def as_if(failing: Failing) -> Iterator[Clause]:
    """Yield changes to the arguments with which the reference returns the submission's wrong results."""
    wrong = [*failing.wrong_outputs, *failing.wrong_gradients]
    for says in matching_variants(failing):
        yield Clause(f"{_labels(wrong)} {_is_or_are(wrong)} what is expected when {says}")


def matching_variants(failing: Failing) -> list[str]:
    """Return the changes to the arguments that explain every wrong output and gradient."""
    wrong = [*failing.wrong_outputs, *failing.wrong_gradients]
    matches = []
    for says, record in failing.variants.items() if wrong else ():
        if record.status != "ok":
            continue
        theirs = {part.label: part.got for part in replace(failing, got=record, variants={}).parts}
        candidates = [theirs.get(part.label) for part in wrong]
        if all(other is not None and part.is_near(other) for part, other in zip(wrong, candidates, strict=True)):
            matches.append(says)
    return matches


@symptom("no_gradient", "Follow the loss back to that argument: at which operation does the graph end?")
def no_gradient(failing: Failing) -> Iterator[Clause]:
    """Yield arguments whose required gradient is missing or all zeros.

    If the backward pass itself failed, there are no gradients either, but this does not show where the graph ends.
    """
    for part in failing.gradients if failing.has_right_outputs and not failing.got.complaint else []:
        if failing.got.gradients.get(part.name) is None:
            yield Clause(f"the outputs are right, but no gradient reaches `{part.name}`")
        elif part.got is not None and not part.has_right_values and bool((part.got == 0).all()):
            yield Clause(f"the outputs are right, but the gradient of `{part.name}` is zero everywhere")


@symptom("leaking_gradient", "Which tensors does your loss treat as constants, and where does your code say so?")
def leaking_gradient(failing: Failing) -> Iterator[Clause]:
    """Yield arguments that wrongly receive a gradient, and outputs that are still attached to the graph."""
    if not failing.has_right_outputs:
        return
    for name in failing.expected.constants:
        gradient = failing.got.gradients.get(name)
        if isinstance(gradient, torch.Tensor) and bool((gradient != 0).any()):
            yield Clause(f"the outputs are right, but a gradient reaches `{name}`, which must receive none")
    for path in failing.got.attached:
        if path in failing.expected.outputs and path.split(".")[0] in failing.expected.detached:
            yield Clause(f"the values are right, but `{path}` is still attached to the graph")


@symptom("shifted", "For position t of the result, which position of each input do you read?")
def shifted(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are shifted by one position along a dimension."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        for dimension, size in enumerate(part.right.shape):
            if size < 3:
                continue
            for start, source, place in ((0, 1, "t + 1"), (1, 0, "t - 1")):
                got, wrong = (each.narrow(dimension, start, size - 1) for each in (part.got, part.wrong_places))
                moved = replace(part, got=got, right=part.right.narrow(dimension, source, size - 1))
                # If only the remaining position is wrong, neighboring values are equal, and nothing was shifted.
                if moved.is_varied and moved.has_right_values and bool(wrong.any()):
                    yield Clause(
                        f"`{part.name}` is shifted by one along dimension {dimension}: position t holds what is"
                        f" expected at {place}"
                    )


@symptom("wrong_output", "In what order does the statement ask for the outputs, and what is in each of them?")
def other_output(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that contain the expected values of a different output, even if the shapes differ."""
    for part in failing.outputs:
        if part.has_right_values:
            continue
        for other in failing.outputs:
            if other.name != part.name and other.right.numel() and part.is_near(other.right):
                yield Clause(
                    f"`{part.name}` contains the expected value of `{other.name}`", tested_on=_only_number(other)
                )


@symptom("reversed", "In which direction does your loop run, and in what order does it store its results?")
def in_reverse(failing: Failing) -> Iterator[Clause]:
    """Yield outputs whose values are reversed along a dimension."""
    for part in failing.wrong_outputs:
        for dimension in range(part.right.dim()):
            if part.is_varied and part.is_near(part.right.flip(dimension)):
                yield Clause(f"`{part.name}` is reversed along dimension {dimension}")


@symptom("scaled", "Where does that factor come from in your code, and what should you divide or multiply by instead?")
def scaled(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are the expected values multiplied by a single factor, with possible names for the factor."""
    for part in failing.wrong_outputs:
        yield from _factors(failing, part)


@symptom(
    "upstream_ignored",
    "What does backward receive from the operations after your function, and where do you use it?",
    share=1.0,
)
def upstream_ignored(failing: Failing) -> Iterator[Clause]:
    """Yield a clause for each gradient that ignores its upstream gradient.

    No run uses an upstream gradient of 1, which would hide this mistake. A gradient that is twice too large looks the
    same for an upstream gradient of 1/2, so two different upstream gradients are needed.
    """
    for part in failing.wrong_gradients:
        if failing.cotangent != 1 and part.is_near(part.right / failing.cotangent, scale=1 / abs(failing.cotangent)):
            yield Clause(
                f"the outputs are right, but the gradient of `{part.name}` ignores its upstream gradient",
                tested_on=failing.cotangent,
            )


@symptom("gradient_scaled", "Your values are right. What scales the gradient in the backward pass?")
def gradient_scaled(failing: Failing) -> Iterator[Clause]:
    """Yield gradients that equal the expected gradients multiplied by a single factor, if the outputs are right."""
    for part in failing.wrong_gradients:
        yield from _factors(failing, part)


@symptom("function_of", "Compare one of your values with the expected one. Which operation is missing or extra?")
def function_of(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are a simple function of the expected values; every wrong bool is 1 minus the expected one."""
    for part in failing.wrong_outputs:
        for words, function in FUNCTIONS.items() if not part.right_kind.endswith("bool") else ():
            candidate = function(part.right)
            if not part.is_near(candidate) or not bool(candidate.isfinite().all()):
                continue
            yield Clause(f"`{part.name}` is {words}", tested_on=_only_number(part))


def _only_number(part: Part) -> float | None:
    """Return the only expected value, with four digits, of a part whose expected values are all equal; else None."""
    return None if part.is_varied else float(f"{float(part.right.reshape(-1)[0]):.4g}")


FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "the absolute value of the expected value": torch.abs,
    "the square of the expected value": torch.square,
    "the square root of the expected value": torch.sqrt,
    "the logarithm of the expected value": torch.log,
    "the exponential of the expected value": torch.exp,
    "1 divided by the expected value": torch.reciprocal,
    "1 minus the expected value": lambda right: 1 - right,
    "the expected value with negative values set to 0": lambda right: right.clamp(min=0),
}


@symptom(
    "low_precision",
    "What dtype does each step of your code compute in, and how many digits of precision does it have?",
    share=1,
)
def low_precision(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are exactly representable in a lower precision and close to the expected values."""
    for part in failing.wrong_outputs:
        if not part.right_kind.endswith(("float32", "float64")):
            continue
        assert part.got is not None
        is_close = _is_roughly_right(part)
        for dtype in (torch.bfloat16, torch.float16):
            lowered = part.got.to(dtype).to(torch.float64)
            if is_close and bool((lowered == part.got).all()) and bool((part.got != part.got.round()).any()):
                name = str(dtype).removeprefix("torch.")
                yield Clause(
                    f"`{part.name}` is near the expected value, and each entry is exactly representable in {name}"
                )
                break


@symptom(
    "constant", "Which of your inputs should that output depend on, and where does your code lose that dependence?"
)
def constant(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are 0, NaN or a single number everywhere."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        if bool((part.got == 0).all()):
            yield Clause(f"`{part.name}` is 0" + (" everywhere" if part.got.numel() > 1 else ""))
        elif bool(part.got.isnan().all()):
            yield Clause(f"`{part.name}` is NaN" + (" everywhere" if part.got.numel() > 1 else ""))
        elif part.is_varied and bool((part.got == part.got.reshape(-1)[0]).all()):
            yield Clause(f"`{part.name}` has the same value everywhere")


@symptom("offset", "What term, common to these positions, does your code add or leave out?", share=1.0)
def offset(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that differ from the expected values by a single constant, or by one constant per row or group."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        gaps = part.got - part.right
        if not part.is_varied or not bool(gaps.isfinite().all()):
            continue
        for words, cells in _cells(failing, part):
            if part.is_near(part.right + _means(gaps, cells)):
                yield Clause(f"`{part.name}` minus the expected value is constant {words}")


@symptom(
    "uneven_factor",
    "What do you divide or multiply the values of one group by?",
    share=1.0,
    is_general=True,
)
def uneven_factor(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are the expected values times a separate factor for each row or group."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        if not part.is_varied or not bool((part.got.isfinite() & part.right.isfinite()).all()):
            continue
        for words, cells in list(_cells(failing, part))[1:]:
            squares = _means(part.right**2, cells)
            factors = torch.where(squares > 0, _means(part.got * part.right, cells) / squares, 1.0)
            if part.is_near(factors * part.right, scale=float(factors.abs().max())):
                yield Clause(f"`{part.name}` divided by the expected value is constant {words}")


def _cells(failing: Failing, part: Part) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield ways to group positions into cells, with the cell number of each position.

    If every cell contained a single position, the cells would fit any values. There are therefore at most half as many
    cells as positions.
    """
    shape = part.right.shape
    yield "everywhere", torch.zeros(shape, dtype=torch.int64)
    for dimension in range(len(shape) if len(shape) == 2 else 0):
        words = ("in each row", "in each column")[dimension]
        places = torch.arange(shape[dimension]).reshape([-1, 1] if dimension == 0 else [1, -1])
        if 2 * shape[dimension] <= part.right.numel():
            yield words, places.expand(shape)
    for name, value in failing.args.items():
        if (
            isinstance(value, torch.Tensor)
            and value.dtype == torch.int64
            and value.shape == shape
            and GROUPING.search(name)
        ):
            number = {group: place for place, group in enumerate(dict.fromkeys(value.tolist()))}
            if 2 * len(number) <= value.numel():
                yield f"for each value of `{name}`", torch.tensor([number[group] for group in value.tolist()])


def _means(values: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
    """Return, for each position, the mean of the values at all positions that have the same number in `cells`."""
    flat = cells.reshape(-1)
    totals = torch.zeros(int(flat.max()) + 1, dtype=torch.float64).index_add(0, flat, values.reshape(-1))
    return (totals / flat.bincount())[flat].reshape(values.shape)


@symptom(
    "only_where", "Pick a position where that holds and work it out by hand. What does your code do there?", share=1.0
)
def only_where(failing: Failing) -> Iterator[Clause]:
    """Yield input properties that hold at every wrong position and at few right positions."""
    for part in [*failing.wrong_outputs, *failing.wrong_gradients]:
        wrong = part.wrong_places
        for words, marked in _marks(failing.args, part.right.shape):
            is_telling = not bool(marked.all()) and 2 * int(wrong.sum()) >= int(marked.sum())
            if is_telling and not bool((wrong & ~marked).any()):
                yield Clause(f"{part.label} is wrong only where {words}")
        sizes = part.right.abs()
        if bool(wrong.any()) and not bool(wrong.all()) and float(sizes[wrong].min()) > float(sizes[~wrong].max()):
            yield Clause(f"{part.label} is wrong only where the expected magnitude is large")


def _marks(args: Args, shape: torch.Size) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield properties of positions, such as "`mask` is True", each with a mask of the positions that have it."""
    for dimension, size in enumerate(shape):
        if size > 1:
            places = torch.arange(size).reshape([-1 if each == dimension else 1 for each in range(len(shape))])
            for words, marked in (("first", places == 0), ("last", places == size - 1)):
                yield f"the position is the {words} one along dimension {dimension}", marked.expand(shape)
                yield f"the position is not the {words} one along dimension {dimension}", (~marked).expand(shape)
    for name, value in args.items():
        if not isinstance(value, torch.Tensor) or value.shape != shape or not value.numel():
            continue
        if value.dtype == torch.bool:
            yield f"`{name}` is True", value
            yield f"`{name}` is False", ~value
            if value.dim() > 1:
                yield f"a row of `{name}` has no True value", ~value.any(-1, keepdim=True).expand(shape)
        elif not value.is_floating_point() and value.dim() == 1:
            yield f"the value in `{name}` occurs only once", _group_sizes(value) == 1
            yield f"`{name}` is negative", value < 0


@symptom("reordered", "Which input position does the first value of your result belong to?", share=1.0, is_general=True)
def reordered(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that contain the expected values in a different order."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        in_order = replace(part, got=part.got.reshape(-1).sort().values, right=part.right.reshape(-1).sort().values)
        if part.is_varied and in_order.has_right_values:
            yield Clause(f"`{part.name}` contains the expected values in a different order")


@symptom(
    "one_sided", "Which step of your code could push that output in only one direction?", share=1.0, is_general=True
)
def one_sided(failing: Failing) -> Iterator[Clause]:
    """Yield outputs whose wrong values are all too large or all too small, at least in magnitude."""
    for part in failing.wrong_outputs:
        assert part.got is not None
        got, right = part.got[part.wrong_places], part.right[part.wrong_places]
        subject = "is" if part.got.numel() == 1 else "has wrong values, and all of them are"
        for words, gaps in (("", got - right), (" in magnitude", got.abs() - right.abs())):
            if bool((gaps > 0).all()):
                yield Clause(f"`{part.name}` {subject} too large{words}", cases_min=3)
            elif bool((gaps < 0).all()):
                yield Clause(f"`{part.name}` {subject} too small{words}", cases_min=3)


@symptom("everywhere", "Work out one position by hand. Where does your code first differ?", is_general=True)
def everywhere(failing: Failing) -> Iterator[Clause]:
    """Yield outputs that are wrong at every position, so that no special case of the inputs explains them."""
    for part in failing.wrong_outputs:
        if part.right.numel() > 1 and bool(part.wrong_places.all()):
            yield Clause(f"`{part.name}` is wrong at every position", cases_min=2)


@symptom(
    "one_output", "How does the statement define the output that is wrong, and what does your code compute?", share=1.0
)
def one_output(failing: Failing) -> Iterator[Clause]:
    """If some outputs are wrong and others are right, yield a clause that says which are which."""
    wrong = [part for part in failing.outputs if not part.has_right_values]
    right = [part for part in failing.outputs if part.has_right_values and _has_right_kind(part) and part.right.numel()]
    if wrong and right:
        verb = "is" if len(wrong) == 1 else "are"
        yield Clause(f"{_labels(wrong)} {verb} wrong, and {_labels(right)} {_is_or_are(right)} right")


@symptom(
    "gradient_only",
    "Your values are right. Which step has the right value but the wrong derivative?",
    share=1.0,
    is_general=True,
)
def gradient_only(failing: Failing) -> Iterator[Clause]:
    """Yield gradients with wrong values if all outputs are correct."""
    wrong = failing.wrong_gradients
    if wrong:
        yield Clause(f"all outputs are right, but {_labels(wrong)} {_is_or_are(wrong)} wrong")


def _labels(parts: Sequence[Part]) -> str:
    *others, last = [part.label for part in parts]
    return f"{', '.join(others)} and {last}" if others else last


def _is_or_are(parts: Sequence[Part]) -> str:
    return "is" if len(parts) == 1 else "are"


# --- Factors and their names -----------------------------------------------------------------------------------------

CONSTANTS = {
    "2": 2.0,
    "1/2": 0.5,
    "-2": -2.0,
    "-1/2": -0.5,
    "ln 2": math.log(2),
    "1/ln 2": 1 / math.log(2),
    "-ln 2": -math.log(2),
    "-1/ln 2": -1 / math.log(2),
}


def _factors(failing: Failing, part: Part) -> Iterator[Clause]:
    """If an output or gradient is a multiple of the expected one, yield the factor and its possible names."""
    assert part.got is not None
    finite = part.right.isfinite() & part.got.isfinite()
    if not bool(finite.all()) or not bool((part.right.abs() > part.tolerance.atol).any()):
        return
    place = int(part.right.abs().reshape(-1).argmax())
    factor = float(part.got.reshape(-1)[place] / part.right.reshape(-1)[place])
    is_whole = abs(factor) > 0 and part.is_near(factor * part.right, scale=abs(factor))
    if is_whole and abs(factor + 1) > 1e-4:
        constants = [name for name, value in CONSTANTS.items() if _is_about(part, factor, value)]
        number = constants[0] if constants else f"{factor:.4g}"
        is_telling = bool(constants) or part.is_varied
        # With four digits, a factor near 1 would read as if the value were right.
        if number not in ("1", "-1"):
            yield Clause(f"{part.label} is {number} times what is expected", True, 1 if is_telling else 2)
        for name, value in failing.quantities:
            if _is_about(part, factor, value):
                yield Clause(f"{part.label} is {name} times what is expected")
    for name, factors in _group_factors(failing, part.right.shape):
        if part.is_near(factors * part.right, scale=float(factors.abs().max())):
            yield Clause(f"{part.label} is {name} times what is expected")


def _is_about(part: Part, factor: float, value: float) -> bool:
    """Return whether `value` explains the factor; a rounded value such as 2 for 2.0001 must also fit the tolerance."""
    return abs(factor - value) <= 1e-4 * abs(value) and part.is_near(value * part.right, scale=abs(value))


def _quantities(failing: Failing) -> Iterator[tuple[str, float]]:
    """Yield the names and values of factors by which wrong results are often off.

    Factors of 0 and 1 are left out, because they explain nothing.
    """
    for name, value in _counts(failing):
        if value not in (0.0, 1.0):
            yield name, value
            yield f"1/({name})" if " " in name or "/" in name else f"1/{name}", 1 / value
    for name, size in _sizes(failing):
        if size > 1:
            short = name.partition(" (")[0]
            note = name[len(short) :]
            yield f"{short}/({short} - 1){note}", size / (size - 1)
            yield f"({short} - 1)/{short}{note}", (size - 1) / size
            yield f"the square root of {short}/({short} - 1){note}", math.sqrt(size / (size - 1))
            yield f"the square root of ({short} - 1)/{short}{note}", math.sqrt((size - 1) / size)


def _counts(failing: Failing) -> Iterator[tuple[str, float]]:
    sizes = dict(_sizes(failing))
    yield from sizes.items()
    if failing.case.world > 1:
        yield "the world size", float(failing.case.world)
    for name, value in failing.args.items():
        if isinstance(value, torch.Tensor) and value.dim() > 1 and value.numel():
            letters = failing.letters.get(name, ())
            is_named = len(letters) == value.dim()
            yield "·".join(letters) if is_named else f"the number of values in `{name}`", float(value.numel())
        if isinstance(value, torch.Tensor) and value.dtype == torch.bool and bool(value.any()):
            yield f"the number of True values in `{name}`", float(value.sum())
            yield f"the share of True values in `{name}`", float(value.sum()) / value.numel()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            yield f"`{name}`", float(value)


def _sizes(failing: Failing) -> Iterator[tuple[str, float]]:
    """Yield the sizes of dimensions, each named by its letter in the statement if the dimension has a letter."""
    seen = set()
    for name, value in failing.args.items():
        if not isinstance(value, torch.Tensor):
            continue
        letters = failing.letters.get(name, ())
        for dimension, size in enumerate(value.shape):
            is_named = len(letters) == value.dim()
            word = letters[dimension] if is_named else f"n (n: dimension {dimension} of `{name}`)"
            if word not in seen:
                seen.add(word)
                yield word, float(size)


def _group_factors(failing: Failing, shape: torch.Size) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield factors that depend on the size of each position's group."""
    for name, value in failing.args.items():
        if not isinstance(value, torch.Tensor) or value.dtype not in (torch.int64, torch.int32) or value.dim() != 1:
            continue
        sizes = _group_sizes(value)
        if value.shape != shape or not value.numel() or int(sizes.max()) < 2:
            continue
        less = (sizes - 1).clamp(min=1)
        note = f"(n: size of the group in `{name}`)"
        note_less = f"(n: size of the group in `{name}`; the factor is 1 if n is 1)"
        yield f"n/(n - 1) {note_less}", sizes / less
        yield f"(n - 1)/n {note_less}", less / sizes
        yield f"the square root of n/(n - 1) {note_less}", (sizes / less).sqrt()
        yield f"the square root of (n - 1)/n {note_less}", (less / sizes).sqrt()
        yield f"n {note}", sizes
        yield f"1/n {note}", 1 / sizes


def _group_sizes(ids: torch.Tensor) -> torch.Tensor:
    """Return, for each position, the number of times its value occurs, as float64."""
    counts = Counter(ids.tolist())
    return torch.tensor([counts[number] for number in ids.tolist()], dtype=torch.float64)


@cache
def letters_of(statement: str) -> Mapping[str, tuple[str, ...]]:
    """Return the statement's letters for the dimensions of each argument, for example B and T for `x` `[B, T]`."""
    letters: dict[str, tuple[str, ...]] = {}
    for names, dimensions in DIMENSIONS.findall(statement):
        for name in re.findall(r"\w+", names):
            letters[name] = tuple(letter.strip() for letter in dimensions.split(","))
    return letters


# --- Symptoms of a whole case, and of all cases ----------------------------------------------------------------------

ASK_FACTS = "What does your code do differently when that holds, and what should it do?"
RANK_0 = Kind(
    "rank_0",
    "Which lines of your code depend on the rank, and what does every other rank do there?",
    lambda failing: iter(()),
)
ONLY_WHEN_CHANGED = Kind(
    "only_when_changed",
    "Which step of your code could be affected by that change of the inputs?",
    lambda failing: iter(()),
)


def rank_clause(is_right: Sequence[bool]) -> str:
    """Return a clause that says that only rank 0 is right, or that only rank 0 is wrong; "" if neither is true.

    A rank can fail although its outputs are right, for example because of a gradient.
    """
    if len(is_right) < 2 or len(set(is_right[1:])) != 1 or is_right[0] == is_right[1]:
        return ""
    if is_right[0]:
        return "rank 0 passes, and every other rank fails"
    return "rank 0 fails, and every other rank passes"


# Facts about the inputs of a case, most informative first, as clauses that may also hold for other cases. The value of
# a fact says whether the fact may explain a failure. A fact may not if it holds trivially, if it holds on only some of
# the ranks, or if another fact says more. Such a fact still matters in a passing case: there, it shows that the fact
# explains no failure.
Facts = dict[str, bool]


def facts_of(case: Case, defaults: Mapping[str, Any]) -> Facts:
    """Return the facts about a case's inputs on any rank; a fact must hold on every rank to explain a failure."""
    ranks = [dict(_facts_of_args({**defaults, **args_of(case, rank)}, defaults)) for rank in range(case.world)]
    facts = {fact: all(known.get(fact) for known in ranks) for known in ranks for fact in known}
    return facts | ({f"there are {case.world} ranks": True} if case.world > 1 else {})


def _facts_of_args(args: Args, defaults: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    flags = [name for name, value in args.items() if isinstance(value, torch.Tensor) and value.dtype == torch.bool]
    for left, right in itertools.combinations(sorted(flags), 2):
        if args[left].shape == args[right].shape and bool((args[left] & args[right]).any()):
            yield f"`{left}` and `{right}` are True at the same position", True
    for name, value in args.items():
        yield from _facts_of_argument(name, value, defaults)


def _facts_of_argument(name: str, value: Any, defaults: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    is_plain = value is None or isinstance(value, bool | int | float | str)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, torch.Tensor):
        yield from _facts_of_tensor(name, value)
    elif isinstance(value, bool | str):
        yield f"`{name}` is {value!r}", True
    elif is_number and value == 0:
        yield f"`{name}` is 0", True
    elif isinstance(value, list | dict | tuple | set) and not value:
        yield f"`{name}` is empty", True
    if name not in defaults:
        return
    if defaults[name] is None and value is not None:
        yield f"`{name}` is given", not isinstance(value, torch.Tensor | bool | str)
    elif defaults[name] is not None and (value != defaults[name] if is_plain else value is not defaults[name]):
        yield f"`{name}` differs from its default", is_number and value != 0


def _facts_of_tensor(name: str, value: torch.Tensor) -> Iterator[tuple[str, bool]]:
    if not value.numel():
        yield f"`{name}` is empty", True
    if value.dtype == torch.bool:
        yield from _facts_of_flags(name, value)
    else:
        yield from _facts_of_numbers(name, value)


def _facts_of_flags(name: str, value: torch.Tensor) -> Iterator[tuple[str, bool]]:
    is_any = bool(value.any())
    if is_any:
        yield f"`{name}` is True somewhere", True
    else:
        yield f"`{name}` is False everywhere", value.numel() > 0
    if value.dim() > 1 and not bool(value.any(-1).all()):
        yield f"a row of `{name}` has no True value", is_any
    if not bool(value.all()):
        yield f"`{name}` is False somewhere", True


def _facts_of_numbers(name: str, value: torch.Tensor) -> Iterator[tuple[str, bool]]:
    if value.is_floating_point():
        if value.dtype != torch.float32:
            yield f"`{name}` is a {kind_of(value)}", value.numel() > 0
        if not bool(value.isfinite().all()):
            yield f"`{name}` contains NaN or infinity", True
    if bool((value < 0).any()):
        yield f"`{name}` contains a negative number", not value.is_floating_point()
    if not value.is_floating_point():
        occurs_once = _group_sizes(value.reshape(-1)) == 1
        if bool(occurs_once.any()):
            yield f"a value of `{name}` occurs only once", value.dim() == 1 and not bool(occurs_once.all())
    if not value.is_contiguous():
        yield f"`{name}` is not contiguous", True
    if not value.numel() or bool((value == value.reshape(-1)[0]).all()):
        yield f"all values of `{name}` are equal", value.numel() > 1


def shared_facts(plan: Plan, failed: set[str]) -> list[str]:
    """Return the facts shared by the inputs of all failing cases and of no other case; empty if there are too many."""
    defaults = defaults_of(plan.task)
    facts = {case.name: facts_of(case, defaults) for case in plan.cases}
    passing = {fact for name, known in facts.items() if name not in failed for fact in known}
    if failed >= set(facts):
        return []
    first, *others = [facts[case.name] for case in plan.cases if case.name in failed]
    shared = [fact for fact in first if fact not in passing and all(known.get(fact) for known in (first, *others))]
    return shared if len(shared) <= FACTS_MAX else []


def args_of(case: Case, rank: int) -> Args:
    """Return the arguments of one rank."""
    return {name: value.values[rank] if isinstance(value, PerRank) else value for name, value in case.args.items()}


@cache
def _signature(signature: str) -> ast.arguments:
    (function,) = ast.parse(f"def {signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    return function.args


def defaults_of(task: Task) -> dict[str, Any]:
    """Return the defaults of the entry's parameters, if they are plain values."""
    arguments = _signature(task.signature)
    in_order = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(in_order[len(in_order) - len(arguments.defaults) :], arguments.defaults, strict=True))
    pairs += [
        (name, value)
        for name, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if value is not None
    ]
    return {name.arg: ast.literal_eval(value) for name, value in pairs if _is_literal(value)}


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


# --- What the reference returns with changed arguments ---------------------------------------------------------------


def variants_of(args: Args, defaults: Mapping[str, Any]) -> Iterator[tuple[str, Args]]:
    """Yield plausible argument mistakes: one argument is changed, or two arguments are swapped."""
    flags = {name: value for name, value in defaults.items() if isinstance(value, bool)}
    for name, value in {**flags, **args}.items():
        if isinstance(value, torch.Tensor) and value.dtype == torch.bool and value.numel():
            for filled in (True, False):
                changed = torch.full_like(value, filled)
                if not torch.equal(changed, value):
                    yield f"`{name}` is {filled} everywhere", {**args, name: changed}
        elif isinstance(value, torch.Tensor) and _is_grouping(name, value):
            yield f"`{name}` is the same value everywhere", {**args, name: torch.zeros_like(value)}
        elif isinstance(value, bool):
            yield f"`{name}` is flipped", {**args, name: not value}
        elif name in defaults and not isinstance(value, torch.Tensor) and value != defaults[name]:
            yield f"`{name}` keeps its default {defaults[name]!r}", {**args, name: defaults[name]}
    for left, right in itertools.combinations(args, 2):
        if _can_swap(args[left], args[right]):
            yield f"`{left}` and `{right}` are swapped", {**args, left: args[right], right: args[left]}


def _is_grouping(name: str, value: torch.Tensor) -> bool:
    return value.dtype == torch.int64 and bool(GROUPING.search(name))


def _can_swap(left: Any, right: Any) -> bool:
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
        return left.shape == right.shape and left.dtype == right.dtype and not torch.equal(left, right)
    return type(left) is float and type(right) is float and left != right


def _run_variants(
    plan: Plan, evidence: Sequence[Evidence], chosen: set[str] | None = None
) -> dict[int, dict[str, Record]]:
    """Return the reference's results for each run and each argument change; `chosen` restricts the changes.

    The arguments and the reference are trusted. If the reference fails with changed arguments, the change explains
    nothing and is skipped.
    """
    defaults = defaults_of(plan.task)
    variants: list[tuple[Run, str, Run]] = []
    for case in evidence:
        run = case.runs[-1]
        if run.relation is None and case.has_outputs:
            changes = variants_of(run.args, defaults)
            variants += [
                (run, says, replace(run, args=args)) for says, args in changes if chosen is None or says in chosen
            ]
    variants = variants[:VARIANT_RUNS_MAX]
    if not variants:
        return {}
    records = run_trusted(plan, [changed for _, _, changed in variants], plan.task.reference, Setting())
    answers: dict[int, dict[str, Record]] = {}
    for (run, says, _), (record,) in zip(variants, records, strict=True):
        # If two arguments are swapped, their gradients are swapped, too, so only the outputs' values can be compared.
        comparable = replace(record, gradients={}) if says.endswith("swapped") else record
        answers.setdefault(id(run), {})[says] = comparable
    return answers


def _failing_runs(plan: Plan, evidence: Sequence[Evidence]) -> dict[str, list[Failing]]:
    """Return the failing runs of each case, one for each rank with wrong results, with variants that may explain them.

    A variant is a run of the reference with changed arguments. Most variants explain nothing. A variant that explains
    neither of the first two cases is therefore not run on the other cases.
    """
    if plan.is_distributed or plan.task.harness:
        return {case.name: _failing_ranks(plan, case, {}) for case in evidence}
    with_outputs = [case for case in evidence if case.has_outputs and case.runs[-1].relation is None]
    first, others = with_outputs[:VARIANT_CASES], with_outputs[VARIANT_CASES:]
    variants = _run_variants(plan, first)
    matches = {
        says for case in first for run in _failing_ranks(plan, case, variants) for says in matching_variants(run)
    }
    if matches:
        variants |= _run_variants(plan, others, matches)
    return {case.name: _failing_ranks(plan, case, variants) for case in evidence}


# --- From clauses to the reported text -------------------------------------------------------------------------------


Clauses = dict[Clause, set[str]]


def find_symptoms(plan: Plan, evidence: Sequence[Evidence]) -> tuple[Symptom, ...]:
    """Return up to two statements about the failing cases, most specific first; each says in which cases it holds.

    A statement that holds in all failing cases comes before a statement that holds in only some of them.
    """
    names = [case.name for case in evidence]
    candidates: list[tuple[bool, int, Symptom]] = []
    for place, (kind, clauses) in enumerate(_clauses_by_kind(plan, evidence)):
        if chosen := choose_clause(clauses, len(names), kind.share):
            clause, cases = chosen
            says = _sentence(clause, [name for name in names if name in cases], len(names))
            candidates.append((len(cases) < len(names), place, Symptom(kind.id, says, kind.ask)))
    if evidence and (facts := shared_facts(plan, set(names))):
        says = f"The failing cases are exactly those where {' and '.join(facts[:2])}."
        # If most of the cases fail, a fact that the failing cases share says less than a statement about the outputs of
        # some of them.
        is_rare = 2 * len(names) <= len(plan.cases)
        place = next(place for place, kind in enumerate(KINDS) if kind.id == "only_where") if is_rare else len(KINDS)
        candidates.append((not is_rare, place, Symptom("only_cases_with", says, ASK_FACTS)))
    general = {kind.id for kind in KINDS if kind.is_general}
    if any(not is_partial and chosen.id not in general for is_partial, _, chosen in candidates):
        candidates = [candidate for candidate in candidates if candidate[2].id not in general]
    candidates.sort(key=lambda candidate: candidate[:2])
    return tuple(chosen for _, _, chosen in candidates[:SYMPTOMS_MAX])


def is_one_change(plan: Plan, evidence: Sequence[Evidence]) -> bool:
    """Return whether one change to the arguments explains the outputs of every failing case."""
    matches = [set(matching_variants(run)) for runs in _failing_runs(plan, evidence).values() for run in runs]
    return len(matches) == len(evidence) and bool(set.intersection(*matches))


def _clauses_by_kind(plan: Plan, evidence: Sequence[Evidence]) -> Iterator[tuple[Kind, Clauses]]:
    """Yield each kind of symptom with its clauses and, for each clause, the cases in which it holds."""
    failing = _failing_runs(plan, evidence)
    ranks: Clauses = {}
    relations: Clauses = {}
    for case in evidence:
        relation = case.runs[-1].relation
        if relation is not None and not any(record.mutated for record in case.records[-1]):
            says = f"the outputs for the original inputs are right, but this rule is violated: {relation.says}"
            relations.setdefault(Clause(says.rstrip(".")), set()).add(case.name)
        elif relation is None and case.has_outputs and (says := rank_clause(_right_ranks(plan, case))):
            ranks.setdefault(Clause(says), set()).add(case.name)
    yield RANK_0, ranks
    has_right_ranks = any(0 < len(runs) < runs[0].case.world for runs in failing.values())
    where = "on every failing rank, " if has_right_ranks else ""
    for kind in KINDS:
        clauses = clauses_of(kind, failing)
        yield kind, {replace(clause, says=where + clause.says): cases for clause, cases in clauses.items()}
    yield ONLY_WHEN_CHANGED, relations


def clauses_of(kind: Kind, failing: Mapping[str, Sequence[Failing]]) -> Clauses:
    """Return the clauses of one kind that may not be coincidences and, for each clause, the cases in which it holds."""
    clauses: Clauses = {}
    numbers: dict[Clause, set[float | None]] = {}
    for name, runs in failing.items():
        for clause in _shared_clauses(kind, runs):
            clauses.setdefault(clause, set()).add(name)
            numbers.setdefault(clause, set()).add(clause.tested_on)
    return {clause: cases for clause, cases in clauses.items() if None in numbers[clause] or len(numbers[clause]) > 1}


def _shared_clauses(kind: Kind, runs: Sequence[Failing]) -> list[Clause]:
    """Return the clauses that hold on every rank whose results are wrong in a case."""
    try:
        found = [list(dict.fromkeys(kind.find(run))) for run in runs]
    except Exception:  # a bug in one symptom's check must not affect the verdict or other symptoms
        traceback.print_exc(file=sys.stderr)
        return []
    return [clause for clause in found[0] if all(clause in other for other in found[1:])] if found else []


def _failing_ranks(plan: Plan, case: Evidence, variants: Mapping[int, Mapping[str, Record]]) -> list[Failing]:
    """Return a `Failing` for each rank whose results are wrong in this case.

    The list is empty if a rank has no outputs, or if the case's own run passes and only a run that checks a relation
    fails.
    """
    run = case.runs[-1]
    if run.relation is not None or not case.has_outputs:
        return []
    letters = letters_of(plan.task.statement)
    ranks = [
        Failing(
            expected,
            record,
            args_of(run.case, rank),
            run.case,
            plan.task.tolerance,
            variants.get(id(run), {}),
            letters,
            cotangent_of(run),
        )
        for rank, (expected, record) in enumerate(zip(case.right, case.records[-1], strict=True))
    ]
    return [ranks[place] for place, is_right in enumerate(_right_ranks(plan, case)) if not is_right]


def _right_ranks(plan: Plan, case: Evidence) -> list[bool]:
    """Return, for each rank, whether its outputs and gradients are right."""
    return [
        not record.mutated and compare(expected, record, plan.task.tolerance).verdict is Verdict.PASSED
        for expected, record in zip(case.right, case.records[-1], strict=True)
    ]


def choose_clause(clauses: Clauses, count: int, share: float) -> tuple[Clause, set[str]] | None:
    """Return the clause that holds in the most cases, and these cases.

    If several clauses hold equally often, a clause that explains a factor by a name is preferred to one with a plain
    number, unless several names fit.
    """
    least = max(2, math.ceil(share * count)) if count > 1 else 1
    known = {clause: cases for clause, cases in clauses.items() if len(cases) >= max(least, clause.cases_min)}
    if not known:
        return None
    most = max(map(len, known.values()))
    best = [clause for clause, cases in known.items() if len(cases) == most]
    names = [clause for clause in best if not clause.is_number]
    numbers = [clause for clause in best if clause.is_number]
    chosen = names[0] if len(names) == 1 or (names and not numbers) else (numbers or names)[0]
    return chosen, known[chosen]


def _sentence(clause: Clause, cases: Sequence[str], count: int) -> str:
    """Return a sentence that consists of a clause and the failing cases in which it holds."""
    if count == 1:
        where = "In the failing case"
    elif len(cases) == count:
        where = "In both failing cases" if count == 2 else f"In all {count} failing cases"
    else:
        where = f"In {len(cases)} of {count} failing cases"
        if len(cases) <= NAMED_CASES_MAX:
            where += f" ({', '.join(cases)})"
    return f"{where}, {clause.says}."
