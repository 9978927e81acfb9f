"""Grades a submission in the interpreter in which it runs, with torch.allclose; this file's text is the script.

Careful in all other respects: separate copies of the inputs for each side, the right number of outputs, and compared
gradients.
"""

from __future__ import annotations

import copy
import sys
import types
from typing import Any

import torch


def load(name: str, source: str) -> types.ModuleType:
    """Return a module made of source text."""
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec", dont_inherit=True), module.__dict__)
    return module


def answers(call: Any, case: Any) -> list[Any]:
    """Return the outputs for a case and the gradients of the first one."""
    given = copy.deepcopy(case.args)
    asked = [given[name].requires_grad_() for name in case.grads]
    outputs = list(call(**given))
    return outputs + list(torch.autograd.grad(outputs[0], asked) if asked else ())


def is_right(call: Any, reference: Any, case: Any, rtol: float, atol: float) -> bool:
    """Return whether the submission's results for a case equal the reference's."""
    due, got = answers(reference, case), answers(call, case)
    return len(got) == len(due) and all(
        torch.allclose(output, expected, rtol=rtol, atol=atol) for output, expected in zip(got, due, strict=True)
    )


def main(sources: dict[str, str], entry: str, seed: int, rtol: float, atol: float, token: str) -> None:
    """Print the token if every case is right; raise if one is wrong."""
    torch.set_num_threads(1)
    load("tasks", "")
    load("tasks.task", sources["task"])
    cases = list(load("cases", sources["cases"]).cases(torch.Generator().manual_seed(seed)))
    reference = getattr(load("reference", sources["reference"]), entry)
    call = getattr(load("submission", sources["submission"]), entry)
    for case in cases:
        assert is_right(call, reference, case, rtol, atol), f"{case.name}: wrong"
    print(token)  # noqa: T201
