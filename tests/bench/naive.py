"""Grades a submission in the interpreter where it runs, with torch.allclose; this file's text is the script that runs.

Careful in all but that: own copies of the inputs for each side, as many outputs as are due, gradients compared too.
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
    """Return whether the submission answers a case as the reference does."""
    due, got = answers(reference, case), answers(call, case)
    return len(got) == len(due) and all(
        torch.allclose(output, expected, rtol=rtol, atol=atol) for output, expected in zip(got, due, strict=True)
    )


def main(sources: dict[str, str], entry: str, seed: int, rtol: float, atol: float, token: str) -> None:
    """Print the token when every case is right; raise when one is not."""
    torch.set_num_threads(1)
    load("tasks", "")
    load("tasks.task", sources["task"])
    cases = list(load("cases", sources["cases"]).cases(torch.Generator().manual_seed(seed)))
    reference = getattr(load("reference", sources["reference"]), entry)
    call = getattr(load("submission", sources["submission"]), entry)
    for case in cases:
        assert is_right(call, reference, case, rtol, atol), f"{case.name}: wrong"
    print(token)  # noqa: T201
