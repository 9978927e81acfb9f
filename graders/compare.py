"""Compares what came back with what is right, in float64; only `error <= tolerance` passes, so NaN never does.

The order is fixed: outputs there, type, dtype, shape, finite, value, then the same for gradients.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from graders.verdict import Verdict
from graders.wire import Leaf, OmittedValue, Record
from tasks.task import Tolerance


@dataclass(frozen=True)
class ExpectedOutput:
    """Hold what is right for one output: the values in float64, and "tensor float32" or "float", "int", "bool"."""

    values: torch.Tensor
    kind: str


@dataclass(frozen=True)
class Expected:
    """Hold what is right on one rank; `constants` are arguments that must get no gradient, `detached` outputs through
    which none may flow."""

    outputs: Mapping[str, ExpectedOutput]
    gradients: Mapping[str, ExpectedOutput]
    constants: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """Hold one comparison. `ratio` is error over tolerance at the worst place of all outputs; infinite where no error
    can be given."""

    verdict: Verdict = Verdict.PASSED
    message: str = ""
    error: float | None = None
    tolerance: float | None = None
    where: str = ""
    ratio: float = 0.0


def kind_of(leaf: Leaf) -> str:
    """Return the kind of an output in the words of `ExpectedOutput`."""
    if isinstance(leaf, torch.Tensor):
        return f"tensor {str(leaf.dtype).removeprefix('torch.')}"
    return leaf.what if isinstance(leaf, OmittedValue) else type(leaf).__name__


def in_float64(leaf: Leaf) -> torch.Tensor:
    """Return a tensor or number as a float64 tensor; `as_tensor` alone would round a Python float to float32."""
    return torch.as_tensor(leaf, dtype=torch.float64)


def expected_output(leaf: Leaf) -> ExpectedOutput:
    """Return an output that is right as what is wanted."""
    return ExpectedOutput(in_float64(leaf), kind_of(leaf))


def tolerance_of(kind: str, tolerances: Mapping[str, Tolerance]) -> Tolerance:
    """Return how far an output of this kind may be off: whole numbers and truth values not at all."""
    dtype = kind.removeprefix("tensor ")
    exact = dtype in ("bool", "int") or dtype.startswith(("int", "uint"))
    return Tolerance(0.0, 0.0) if exact else tolerances.get(dtype, tolerances["float32"])


def compare(expected: Expected, record: Record, tolerances: Mapping[str, Tolerance]) -> Finding:
    """Return the first thing that is wrong with a run, or how far a right one is from the bound."""
    missing = [path for path in expected.outputs if path not in record.leaves]
    surplus = [path for path in record.leaves if path not in expected.outputs]
    if missing or surplus:
        due, got = ", ".join(expected.outputs), ", ".join(list(record.leaves)[:20])
        return _refused(Verdict.WRONG_SHAPE, f"expected the outputs {due}, got {got or 'none'}")
    pairs = [(path, record.leaves[path], right) for path, right in expected.outputs.items()]
    findings = [_compare_all(pairs, tolerances, Verdict.WRONG_VALUE)]
    if findings[0].verdict is Verdict.PASSED:
        findings.append(_compare_gradients(expected, record, tolerances))
    return _worst_of(findings)


def compare_some(expected: Expected, record: Record, tolerances: Mapping[str, Tolerance]) -> Finding:
    """Compare only the outputs and gradients that are expected; others may be there."""
    outputs = {path: leaf for path, leaf in record.leaves.items() if path in expected.outputs}
    return compare(expected, Record(record.run, record.status, outputs, record.gradients, record.complaint), tolerances)


def _refused(verdict: Verdict, message: str, where: str = "") -> Finding:
    return Finding(verdict, message, where=where, ratio=math.inf)


def _compare_gradients(expected: Expected, record: Record, tolerances: Mapping[str, Tolerance]) -> Finding:
    pairs = []
    for name, right in expected.gradients.items():
        slope = record.gradients.get(name)
        if slope is None:
            why = f": {record.complaint}" if record.complaint else ""
            return _refused(Verdict.WRONG_GRADIENT, f"no gradient reaches {name}{why}", f"grad.{name}")
        pairs.append((f"grad.{name}", slope, right))
    for name in expected.constants:
        slope = record.gradients.get(name)
        if slope is not None and not (isinstance(slope, torch.Tensor) and bool((slope == 0).all())):
            size = f" of up to {float(slope.abs().max()):.3g}" if isinstance(slope, torch.Tensor) else ""
            message = f"{name} must be treated as a constant, but a gradient{size} reaches it"
            return _refused(Verdict.WRONG_GRADIENT, message, f"grad.{name}")
    for path in record.attached:
        if path.split(".")[0] in expected.detached:
            message = f"a gradient can flow through {path}, which must be detached according to the statement"
            return _refused(Verdict.WRONG_GRADIENT, message, path)
    return _compare_all(pairs, tolerances, Verdict.WRONG_GRADIENT)


def _compare_all(
    pairs: list[tuple[str, Leaf, ExpectedOutput]], tolerances: Mapping[str, Tolerance], wrong: Verdict
) -> Finding:
    for path, leaf, right in pairs:
        if refusal := _check_form(path, leaf, right):
            return refusal
    for path, leaf, right in pairs:
        if refusal := _check_finite(path, leaf, right):
            return refusal
    return _worst_of([_check_values(path, leaf, right, tolerances, wrong) for path, leaf, right in pairs])


def _worst_of(findings: list[Finding]) -> Finding:
    """Return the first finding that failed, else the one nearest to its bound; `ratio` is the largest of all."""
    ratio = max((finding.ratio for finding in findings), default=0.0)
    failed = [finding for finding in findings if finding.verdict is not Verdict.PASSED]
    chosen = failed[0] if failed else max(findings, key=lambda finding: finding.ratio, default=Finding())
    return Finding(chosen.verdict, chosen.message, chosen.error, chosen.tolerance, chosen.where, ratio)


def _check_form(path: str, leaf: Leaf, right: ExpectedOutput) -> Finding | None:
    shape = list(right.values.shape)
    if isinstance(leaf, OmittedValue) and leaf.shape is not None:
        return _refused(Verdict.WRONG_SHAPE, f"{path}: expected shape {shape}, got {list(leaf.shape)}", path)
    got = kind_of(leaf)
    # A whole number is a right answer where any number is asked for; True is not.
    # What was not sent never has the right kind, however its type is called.
    if isinstance(leaf, OmittedValue) or (got != right.kind and (right.kind, got) != ("float", "int")):
        return _refused(Verdict.WRONG_DTYPE, f"{path}: expected a {right.kind}, got a {got}", path)
    if isinstance(leaf, torch.Tensor) and leaf.shape != right.values.shape:
        return _refused(Verdict.WRONG_SHAPE, f"{path}: expected shape {shape}, got {list(leaf.shape)}", path)
    return None


def _check_finite(path: str, leaf: Leaf, right: ExpectedOutput) -> Finding | None:
    values = in_float64(leaf)
    if bool(values.isfinite().all()):
        return None
    bad = ~values.isfinite() & right.values.isfinite()
    if not bool(bad.any()):
        return None
    place = _place(bad.reshape(-1).to(torch.uint8), list(bad.shape))
    where, got = f"{path}{place or ''}", float(values[tuple(place)] if place else values)
    count = f" ({int(bad.sum())} such values)" if int(bad.sum()) > 1 else ""
    message = f"{where}: {expected_and_got(float(right.values[tuple(place)]), got)}{count}"
    return _refused(Verdict.NON_FINITE, message, where)


def _check_values(
    path: str, leaf: Leaf, right: ExpectedOutput, tolerances: Mapping[str, Tolerance], wrong: Verdict
) -> Finding:
    got, want_values = in_float64(leaf), right.values
    if got.numel() == 0:
        return Finding()
    error, bound = deviation(got, want_values, tolerance_of(right.kind, tolerances))
    ratio = torch.where(error == 0.0, 0.0, error / bound)
    place = _place(ratio.reshape(-1), list(ratio.shape))
    at = tuple(place)
    largest, limit = float(error[at]), float(bound[at])
    where = f"{path}{place or ''}"
    passed = bool((error <= bound).all())
    message = ""
    if not passed:
        count = int((~(error <= bound)).sum())
        some = f"; {count} of {got.numel()} values differ" if count > 1 else ""
        off = f"off by {largest:.3g}, tolerance {limit:.2g}"
        message = f"{where}: {expected_and_got(float(want_values[at]), float(got[at]))} ({off}){some}"
    return Finding(Verdict.PASSED if passed else wrong, message, largest, limit, where, float(ratio.max()))


def deviation(
    got: torch.Tensor, want: torch.Tensor, tolerance: Tolerance, scale: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return by how much each value is off, and by how much it may be; `scale` widens the absolute part.

    Equal values are not off, NaN and infinities included; next to any other value these are off by infinity.
    """
    same = (got == want) | (got.isnan() & want.isnan())
    error = torch.where(same, 0.0, (got - want).abs()).nan_to_num(nan=math.inf, posinf=math.inf)
    bound = (tolerance.atol * scale + tolerance.rtol * want.abs()).nan_to_num(nan=0.0, posinf=0.0)
    return error, bound


def expected_and_got(want: float, got: float) -> str:
    """Return both numbers with six digits, or with as many as it takes to see that they differ."""
    # 17 digits tell any two numbers of float64 apart.
    pairs = [(f"{want:.{digits}g}", f"{got:.{digits}g}") for digits in range(6, 18)]
    expected, came = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    return f"expected {expected}, got {came}"


def _place(weights: torch.Tensor, shape: list[int]) -> list[int]:
    """Return the index of the largest weight, as a list with one number for each dimension."""
    flat = int(weights.argmax())
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return place[::-1]
