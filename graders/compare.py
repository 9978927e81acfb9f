"""Compares a submission's results with the expected ones in float64; NaN fails, because NaN <= tolerance is false.

The order is fixed: outputs present, type, dtype, shape, finite, value, then the same for gradients.
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
    """One expected output: the values in float64, and its kind: "tensor float32", "float", "int" or "bool"."""

    values: torch.Tensor
    kind: str


@dataclass(frozen=True)
class Expected:
    """The expected results on one rank.

    `constants` are arguments that must receive no gradient; `detached` are outputs that must be detached.
    """

    outputs: Mapping[str, ExpectedOutput]
    gradients: Mapping[str, ExpectedOutput]
    constants: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The result of one comparison.

    `error` is None if no finite error can be computed. `ratio` is the largest error-to-tolerance ratio across all
    outputs; it is infinite if `error` is None.
    """

    verdict: Verdict = Verdict.PASSED
    message: str = ""
    error: float | None = None
    tolerance: float | None = None
    where: str = ""
    ratio: float = 0.0


def kind_of(leaf: Leaf) -> str:
    """Return the kind of an output, as used in `ExpectedOutput`."""
    if isinstance(leaf, torch.Tensor):
        return f"tensor {str(leaf.dtype).removeprefix('torch.')}"
    return leaf.what if isinstance(leaf, OmittedValue) else type(leaf).__name__


def in_float64(leaf: Leaf) -> torch.Tensor:
    """Return a tensor or number as a float64 tensor; `as_tensor` alone would round a Python float to float32."""
    return torch.as_tensor(leaf, dtype=torch.float64)


def expected_output(leaf: Leaf) -> ExpectedOutput:
    """Convert a correct output to an expected output."""
    return ExpectedOutput(in_float64(leaf), kind_of(leaf))


def tolerance_of(kind: str, tolerances: Mapping[str, Tolerance]) -> Tolerance:
    """Return the tolerance for an output of this kind; integers and booleans must match exactly."""
    dtype = kind.removeprefix("tensor ")
    exact = dtype in ("bool", "int") or dtype.startswith(("int", "uint"))
    return Tolerance(0.0, 0.0) if exact else tolerances.get(dtype, tolerances["float32"])


def compare(expected: Expected, record: Record, tolerances: Mapping[str, Tolerance]) -> Finding:
    """Return the first problem with a run or, for a correct run, how close the run came to the tolerance."""
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
    """Compare only the expected outputs and gradients; ignore any others."""
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
    """Return the first failed finding, else the finding closest to its tolerance; `ratio` is the largest ratio."""
    ratio = max((finding.ratio for finding in findings), default=0.0)
    failed = [finding for finding in findings if finding.verdict is not Verdict.PASSED]
    chosen = failed[0] if failed else max(findings, key=lambda finding: finding.ratio, default=Finding())
    return Finding(chosen.verdict, chosen.message, chosen.error, chosen.tolerance, chosen.where, ratio)


def _check_form(path: str, leaf: Leaf, right: ExpectedOutput) -> Finding | None:
    shape = list(right.values.shape)
    if isinstance(leaf, OmittedValue) and leaf.shape is not None:
        return _refused(Verdict.WRONG_SHAPE, f"{path}: expected shape {shape}, got {list(leaf.shape)}", path)
    got = kind_of(leaf)
    # An int is accepted where a float is expected; True is not. An omitted value never has the right type, even if its
    # type's name matches.
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
        off = f" (off by {largest:.3g}, tolerance {limit:.2g})" if math.isfinite(largest) else ""
        message = f"{where}: {expected_and_got(float(want_values[at]), float(got[at]))}{off}{some}"
    # JSON has no infinity.
    shown = largest if math.isfinite(largest) else None
    return Finding(Verdict.PASSED if passed else wrong, message, shown, limit, where, float(ratio.max()))


def deviation(
    got: torch.Tensor, want: torch.Tensor, tolerance: Tolerance, scale: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each value's error and tolerance; `scale` widens the absolute tolerance.

    Equal values have zero error, and so do two NaNs; a NaN or infinity compared with any other value has an infinite
    error.
    """
    same = (got == want) | (got.isnan() & want.isnan())
    error = torch.where(same, 0.0, (got - want).abs()).nan_to_num(nan=math.inf, posinf=math.inf)
    bound = (tolerance.atol * scale + tolerance.rtol * want.abs()).nan_to_num(nan=0.0, posinf=0.0)
    return error, bound


def expected_and_got(want: float, got: float) -> str:
    """Return both numbers with six digits, or with as many digits as needed to show a difference."""
    # 17 digits are enough to distinguish any two float64 numbers.
    pairs = [(f"{want:.{digits}g}", f"{got:.{digits}g}") for digits in range(6, 18)]
    expected, came = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    return f"expected {expected}, got {came}"


def _place(weights: torch.Tensor, shape: list[int]) -> list[int]:
    """Return the index of the largest weight, as a list with one number per dimension."""
    flat = int(weights.argmax())
    place = []
    for size in reversed(shape):
        place.append(flat % size)
        flat //= size
    return place[::-1]
