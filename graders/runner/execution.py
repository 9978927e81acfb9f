"""Runs a submission on one set of inputs inside the sandbox; contains no information about the expected results.

A frame consists of `<II` (the sizes of header and blob in bytes), a JSON header, and a safetensors blob.
"""

from __future__ import annotations

import inspect
import itertools
import json
import numbers
import re
import struct
import sys
import types
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch
from safetensors.torch import load, save

SUBMISSION = "submission.py"
LEAVES_MAX = 200
DTYPES = ("float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")
SOURCE_CHARACTERS_MAX = 40
COLLECTIVE = re.compile(r"gloo/|monitored ?barrier|connection (closed|reset)|timed out", re.IGNORECASE)
Json = dict[str, Any]
NOWHERE = {"stood": "", "is_waiting": False}  # the collective that a rank was in is known only for forked ranks
Call = Callable[[Json], Any]


class NotLoaded(Exception):
    """The submission cannot be called; the error message gives the reason."""


def frame(header: Json, blob: dict[str, torch.Tensor] | None = None) -> bytes:
    """Encode one record as bytes."""
    head = json.dumps(header).encode()
    body = save(blob) if blob else b""
    return struct.pack("<II", len(head), len(body)) + head + body


def read_payload(payload: bytes) -> Json:
    """Return the work to do: the payload's header, with the input tensors under "tensors"."""
    (size,) = struct.unpack_from("<I", payload)
    work: Json = json.loads(payload[4 : 4 + size])
    work["tensors"] = load(payload[4 + size :])
    return work


def rebuild(node: list[Any], tensors: dict[str, torch.Tensor], rank: int, device: str) -> Any:
    """Return a fresh copy of one argument for one rank."""
    kind, content = node
    if kind == "tensor":
        name, stride = content
        sent = tensors[name].to(device)
        return torch.empty_strided(sent.shape, stride, dtype=sent.dtype, device=device).copy_(sent)
    if kind == "ranks":
        return rebuild(content[rank], tensors, rank, device)
    if kind == "dict":
        return {key: rebuild(value, tensors, rank, device) for key, value in content}
    if kind in ("tuple", "list", "set"):
        items = [rebuild(item, tensors, rank, device) for item in content]
        return {"tuple": tuple, "list": list, "set": set}[kind](items)
    return content


def is_same(left: Any, right: Any) -> bool:
    """Return whether two arguments have the same values, bit for bit."""
    if type(left) is not type(right):
        return False
    if isinstance(left, torch.Tensor):
        if left.shape != right.shape or left.dtype != right.dtype:
            return False
        # Clone, because a one-element tensor counts as contiguous whatever its stride, but can be viewed as bytes only
        # if its stride is 1.
        flat = [tensor.detach().clone(memory_format=torch.contiguous_format).reshape(-1) for tensor in (left, right)]
        bits = [tensor.view(torch.uint8) for tensor in flat]
        return torch.equal(bits[0], bits[1])
    if isinstance(left, dict):
        return list(left) == list(right) and all(is_same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(is_same, left, right))
    return bool(left == right) or left != left  # noqa: PLR0124 -- NaN is the one value that differs from itself


def flatten(value: Any, labels: list[str] | tuple[str, ...]) -> list[tuple[str, Any]]:
    """Return the leaves of a result with their paths; tuple items are named by the labels, dict items by their keys."""
    if isinstance(value, dict):
        return _leaves("", value)
    if isinstance(value, list | tuple) and len(labels) > 1:
        names = [*labels, *(str(index) for index in range(len(labels), len(value)))]
        return [leaf for name, item in zip(names, value, strict=False) for leaf in _leaves(name, item)]
    return _leaves(labels[0] if labels else "result", value)


def _leaves(path: str, value: Any, depth: int = 0) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        items = [(str(key), item) for key, item in itertools.islice(value.items(), LEAVES_MAX + 1)]
    elif isinstance(value, list | tuple):
        items = [(str(index), item) for index, item in enumerate(value[: LEAVES_MAX + 1])]
    else:
        return [(path, value)]
    if depth > 8:
        return [(path, value)]
    return [leaf for key, item in items for leaf in _leaves(f"{path}.{key}".lstrip("."), item, depth + 1)]


def reset_torch_state(work: Json) -> None:
    """Reset the torch settings that an earlier run, or the submission, may have changed."""
    torch.set_num_threads(1)
    torch.set_default_dtype(getattr(torch, work["default_dtype"]))
    torch.set_grad_enabled(True)
    torch.set_deterministic_debug_mode("warn")  # use_deterministic_algorithms would import inductor (1 s)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    # Avoid torch.manual_seed: in every run, it stores a call and a stack trace for each device type that is not
    # available.
    torch.default_generator.manual_seed(0)
    if work["device"] == "cuda":
        torch.cuda.manual_seed_all(0)


def run_module(name: str, source: str) -> types.ModuleType:
    """Create a module from source text; dataclasses require it in sys.modules."""
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 -- this is the sandbox
    return module


def load_submission(work: Json, made: Sequence[str] = ()) -> Call:
    """Return a callable that takes the arguments: the entry point, or the harness that drives it.

    If a harness's `drive` takes a third parameter, it gets `made`: the collectives this rank has called in the run.
    """
    try:
        entry = getattr(run_module("submission", work["source"]), work["entry"], None)
    except BaseException as error:
        raise NotLoaded(describe_load_failure(error, work["source"])) from error
    if not callable(entry):
        raise NotLoaded(f"the file defines no function `{work['entry']}`")
    try:
        parameters = list(inspect.signature(entry).parameters)
    except (TypeError, ValueError) as error:
        raise NotLoaded(f"the signature of `{work['entry']}` cannot be read") from error
    if parameters != work["parameters"]:
        odd = [f"`{name}` is missing" for name in work["parameters"] if name not in parameters]
        odd += [f"`{name}` is unexpected" for name in parameters if name not in work["parameters"]]
        why = "; ".join(odd) or "the order differs"
        raise NotLoaded(
            f"`{work['entry']}` takes ({', '.join(parameters)}), expected ({', '.join(work['parameters'])}): {why}"
        )
    if not work["harness"]:
        return lambda given: entry(**given)
    drive = run_module("harness", work["harness"]).drive
    if len(inspect.signature(drive).parameters) == 3:
        return lambda given: drive(entry, given, made)
    return lambda given: drive(entry, given)


def describe_failure(error: BaseException) -> Json:
    """Return the type, message and line of an exception as plain data.

    Calling `str` on a submission's exception may itself raise an exception.
    """
    try:
        message = str(error)[:2000]
    except BaseException:
        message = "its message cannot be displayed"
    line, step = None, error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        line = step.tb_lineno if file == SUBMISSION else line
        step = step.tb_next
    is_memory = isinstance(error, MemoryError | torch.OutOfMemoryError) or "not enough memory" in message
    return {
        "type": type(error).__name__[:100],
        "message": message.encode("utf-8", "replace").decode(),
        "line": line,
        "is_memory": is_memory,
        "is_collective": isinstance(error, RuntimeError) and bool(COLLECTIVE.search(message)),
    }


def describe_load_failure(error: BaseException, source: str) -> str:
    """Return why a file could not be loaded: a complete one-line message, then the source line and a caret below."""
    failure = describe_failure(error)
    line, before = failure["line"], _bytes_before(error)
    if line is None and isinstance(error, SyntaxError):
        line, failure["message"] = error.lineno, str(error.msg)
        before = len((error.text or "")[: (error.offset or 1) - 1].encode("utf-8", "replace"))
    message = " ".join(failure["message"].split())[:400]
    what = f"{failure['type']}: {message}".rstrip(": ")
    lines = re.split(r"\r\n|\r|\n", source)
    while line and line > 1 and (line > len(lines) or not lines[line - 1].strip()):
        # Python reports a missing block at the end of the file; point just after the last non-empty line instead.
        line -= 1
        before = len(source)
    if not line or line > len(lines):
        return f'File "your code": {what}'
    return f'File "your code", line {line}: {what}\n{_source_line(lines[line - 1], before)}'


def _bytes_before(error: BaseException) -> int:
    """Return the byte offset, within its line, of the submission's expression that raised; 0 if unknown."""
    before, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == SUBMISSION:
            positions = list(step.tb_frame.f_code.co_positions())
            before = positions[step.tb_lasti // 2][2] if 0 <= step.tb_lasti // 2 < len(positions) else None
        step = step.tb_next
    return before or 0


def _source_line(line: str, before: int) -> str:
    """Return a source line without indentation, shortened to fit, with a caret at byte offset `before`."""
    shown = line.replace("\t", " ").rstrip()
    indent = len(shown) - len(shown.lstrip())
    column = len(shown.encode("utf-8", "replace")[:before].decode("utf-8", "ignore"))
    at = min(max(column, indent), len(shown))
    start = max(indent, at - SOURCE_CHARACTERS_MAX // 2) if len(shown) - indent > SOURCE_CHARACTERS_MAX else indent
    return f"    {shown[start : start + SOURCE_CHARACTERS_MAX]}\n    {' ' * (at - start)}^"


def differentiate(
    leaves: list[tuple[str, Any]], labels: list[str], asked: Json, cotangent: float = 1.0
) -> tuple[Json, str]:
    """Return the first output's gradient for each requested argument, and the error if backward failed.

    Backward starts from `cotangent`, and the gradients are then divided by it, which exposes an autograd.Function that
    ignores its upstream gradient. Scaling by a power of two is exact, so a correct gradient stays bitwise identical.
    """
    path = labels[0] if labels else "result"
    first = next((leaf for name, leaf in leaves if name == path), None)
    if not asked or type(first) is not torch.Tensor or not first.requires_grad:
        return dict.fromkeys(asked), ""
    # Use uneven weights: equal weights would give a zero gradient for every normalized output.
    is_number = first.dim() == 0
    uneven = torch.ones(()) if is_number else torch.arange(1, first.numel() + 1).cos().reshape(first.shape)
    weights = uneven.to(first) * cotangent
    try:
        # The gradient of this sum with respect to `first` is exactly `weights`. Passing `weights` to `grad` instead
        # would import sympy, which takes longer than a typical run.
        with torch.inference_mode(False), torch.enable_grad():  # The submission may have disabled gradients.
            total = (first * weights).sum()
        slopes = torch.autograd.grad(total, list(asked.values()), allow_unused=True)
    except Exception as error:
        return dict.fromkeys(asked), f"{type(error).__name__}: {describe_failure(error)['message']}"[:2000]
    return {name: None if slope is None else slope / cotangent for name, slope in zip(asked, slopes, strict=True)}, ""


def describe_leaf(name: str, leaf: Any, bytes_max: int, blob: dict[str, torch.Tensor]) -> list[Any]:
    """Return the kind and value of one leaf of a result.

    A tensor is copied into `blob`, so later changes cannot affect it.
    """
    if type(leaf) is torch.Tensor and leaf.layout is torch.strided:
        dtype, shape = str(leaf.dtype).removeprefix("torch."), list(leaf.shape)
        if dtype in DTYPES:
            if leaf.numel() * leaf.element_size() > bytes_max:
                return ["huge", [dtype, shape]]
            blob[name] = leaf.detach().to("cpu", copy=True, memory_format=torch.contiguous_format)
            return ["tensor", [dtype, shape]]
        return ["other", f"tensor of {dtype}"]
    if type(leaf) is bool:
        return ["bool", leaf]
    if isinstance(leaf, numbers.Integral) and not isinstance(leaf, bool) and abs(int(leaf)) < 2**63:
        return ["int", int(leaf)]
    if isinstance(leaf, numbers.Real) and not isinstance(leaf, numbers.Integral):
        return ["float", float(leaf)]  # a NumPy scalar is converted, so that the header contains only plain types
    return ["other", type(leaf).__name__[:100]]


def run_mark(index: int) -> str:
    """Return the log line that marks the start of this run's output.

    A submission that forges this line misleads only its own author.
    """
    return f"\x1erun {index}\n"


def answer(work: Json, call: Call, index: int, rank: int) -> tuple[bytes, bool]:
    """Return the frame for one run on one rank, and whether the run succeeded."""
    run = work["runs"][index]
    given, before = (rebuild(run["args"], work["tensors"], rank, work["device"]) for _ in range(2))
    asked = {name: given[name].requires_grad_() for name in run["grads"] + run["constants"]}
    reset_torch_state(work)
    blob: dict[str, torch.Tensor] = {}
    try:
        leaves = flatten(call(given), work["returns"])[: LEAVES_MAX + 1]
        # Copy before backward: an output must be correct when the submitted function returns it.
        described = [
            [path[:80].encode("ascii", "replace").decode(), *describe_leaf(str(place), leaf, work["bytes_max"], blob)]
            for place, (path, leaf) in enumerate(leaves)
        ]
        gradients, complaint = differentiate(leaves, work["returns"], asked, run["cotangent"])
        if work["device"] == "cuda":
            torch.cuda.synchronize()
        slopes = {
            name: None if slope is None else describe_leaf(f"grad.{name}", slope, work["bytes_max"], blob)
            for name, slope in gradients.items()
        }
        attached = [path for path, leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
        mutated = [name for name in before if not is_same(given.get(name), before[name])]
    except BaseException as error:
        return frame({"run": index, "status": "raised", **describe_failure(error), **NOWHERE}), False
    header = {
        "run": index,
        "status": "ok",
        "leaves": described,
        "grads": slopes,
        "complaint": complaint,
        "mutated": mutated,
        "attached": attached,
    }
    return frame(header, blob), True


def answer_all(work: Json, emit: Callable[[bytes], None]) -> None:
    """Execute all runs of the payload in this process and emit their results. The submission is loaded only once."""
    reset_torch_state(work)
    try:
        call = load_submission(work)
    except NotLoaded as error:
        emit(frame({"run": 0, "status": "not_loaded", "message": str(error)[:3000]}))
        return
    for index in range(len(work["runs"])):
        with suppress(BaseException):  # the submission may have closed or replaced the stream
            sys.stdout.write(run_mark(index))
            sys.stdout.flush()
        emit(answer(work, call, index, 0)[0])
