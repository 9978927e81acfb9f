"""What a container that many submissions share runs before and instead of the program of a cell.

A cell serves one submission, so it starts as fast as possible. A shared container takes more time to start, to save it
for each submission.
"""

from __future__ import annotations

from functools import cache

from graders.runner import runner_preparation
from sandbox.job import OwnInterpreters

# The first optimizer and the first checkpointed call import 800 modules, which takes almost a second.
IMPORTS = "module.torch.optim.SGD([module.torch.zeros(1)])"
# Replaces the constructor, which would start an interpreter.
_CONNECTED = """
class Connected(module.Interpreter):
    def __init__(self, control):
        self._control, self._is_ready = control, False
"""
_PROGRAM = "module.main(lacks, [Connected(control) for control in controls])"
_INTERPRETER_PROGRAM = "module.answer_orders(control)\nmodule.os._exit(0)"


@cache
def own_interpreters(count: int) -> OwnInterpreters:
    """Return how a fork server runs a submission whose ranks are forked from up to `count` interpreters.

    The fork server starts the interpreters, and each submission gets a child of each. In a cell, the runner starts the
    interpreters itself (`graders.runner.Interpreter`).
    """
    return OwnInterpreters(
        count=count,
        preparation=runner_preparation("cpu", is_distributed=True) + _CONNECTED,
        program=_PROGRAM,
        interpreter_program=_INTERPRETER_PROGRAM,
    )
