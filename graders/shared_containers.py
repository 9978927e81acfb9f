"""Defines the code that a shared container runs before a cell's program (`IMPORTS`) or in place of it.

A cell serves one submission, so it starts as fast as possible. A shared container starts more slowly, because it makes
imports and starts interpreters in advance, so that no submission has to wait for them.
"""

from __future__ import annotations

from functools import cache

from graders.runner import runner_preparation
from sandbox.job import OwnInterpreters

# The first optimizer or checkpointed call in a process imports 800 modules, which takes almost a second.
IMPORTS = "module.torch.optim.SGD([module.torch.zeros(1)])"
# Overrides the constructor of `Interpreter`, which would start a process.
_CONNECTED = """
class Connected(module.Interpreter):
    def __init__(self, control):
        self._control, self._is_ready = control, False
"""
_PROGRAM = "module.main(lacks, [Connected(control) for control in controls])"
_INTERPRETER_PROGRAM = "module.answer_orders(control)\nmodule.os._exit(0)"


@cache
def own_interpreters(count: int) -> OwnInterpreters:
    """Return the code with which a fork server runs submissions whose ranks are forked from up to `count` interpreters.

    The fork server starts the interpreters, and each of them forks a child for each submission. In a cell, the runner
    starts the interpreters itself (`graders.runner.Interpreter`).
    """
    return OwnInterpreters(
        count=count,
        preparation=runner_preparation("cpu", is_distributed=True) + _CONNECTED,
        program=_PROGRAM,
        interpreter_program=_INTERPRETER_PROGRAM,
    )
