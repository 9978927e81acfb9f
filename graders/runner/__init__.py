"""Joins this package's modules into one program, and starts interpreters for it, each with its own hash seed.

No other code of this project ever enters a sandbox.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

SENT_MODULES = ("execution", "collectives", "recorder", "group", "entrypoint")
REPLY = struct.Struct("<q")
ORDER_BYTES_MAX = 4096
# Keep separate modules instead of concatenating their text, because the trusted side imports the same files unchanged.
# Start the interpreters before this program's other modules import torch, so that all these processes import torch at
# the same time.
START = """
import sys, types
sources = {sources!r}
sys.modules["graders"] = types.ModuleType("graders")
for name, source in sources.items():
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name.rpartition(".")[2] + ".py", "exec"), module.__dict__)
    if name == "graders.runner":
        module.sources = lambda: sources
        interpreters = [module.Interpreter(place + 1) for place in range({interpreter_count})]
{call}
"""
# This program runs after the preparation, once for each payload.
RUNNER_PROGRAM = "module.main(lacks, interpreters)"


def sources() -> dict[str, str]:
    """Return the source of this package and its modules by name.

    In a sandbox, the START program replaces this function with one that returns the sources that START contains.
    """
    folder = Path(__file__).parent
    files = {"graders.runner": "__init__", **{f"graders.runner.{name}": name for name in SENT_MODULES}}
    return {name: (folder / f"{file}.py").read_text(encoding="utf-8") for name, file in files.items()}


@cache
def runner_preparation(device: str = "cpu", is_distributed: bool = False, interpreter_count: int = 0) -> str:
    """Return the Python program that prepares a sandbox for this kind of payload; RUNNER_PROGRAM then answers payloads.

    The program also starts `interpreter_count` more interpreters, from which ranks with their own hash seeds are
    forked.
    """
    call = f"lacks = module.prepare({device!r}, {is_distributed!r}, interpreters)"
    return START.format(sources=sources(), interpreter_count=interpreter_count, call=call)


class InterpreterEnded(Exception):
    """Raised if an interpreter from which ranks are forked has exited."""


class Interpreter:
    """An interpreter with a fixed hash seed that forks ranks on request. It exits with its parent process.

    A hash seed can only be set when an interpreter starts. The hash seed is fixed rather than random, so a program that
    depends on hash order fails in the same way every time. Importing torch takes more than a second, so one interpreter
    serves many groups.
    """

    def __init__(self, seed: int) -> None:
        self._control, theirs = socket.socketpair()
        self._is_ready = False
        program = START.format(sources=sources(), interpreter_count=0, call=f"module.serve_forks({theirs.fileno()})")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        with theirs:
            self._process = subprocess.Popen(
                # -I would make Python ignore PYTHONHASHSEED. Apart from that, these options and the environment
                # without other PYTHON* variables have the same effect as -I.
                [sys.executable, "-s", "-P", "-u", "-c", program],
                env={**environment, "PYTHONHASHSEED": str(seed)},
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=[theirs.fileno()],
            )

    def wait_until_ready(self) -> None:
        """Wait until the interpreter has imported torch. Raises: InterpreterEnded."""
        if not self._is_ready:
            self._reply()
            self._is_ready = True

    def fork(self, order: dict[str, Any], log: int, memory: int, go: int, answers: int) -> int:
        """Fork a rank with these file descriptors, and return its process id. Raises: InterpreterEnded."""
        with suppress(OSError):  # if sending fails, _reply raises InterpreterEnded
            socket.send_fds(self._control, [json.dumps({"fork": order}).encode()], [log, memory, go, answers])
        return self._reply()

    def exit_code(self, pid: int) -> int:
        """Wait until a rank has exited and return its exit code. Raises: InterpreterEnded."""
        with suppress(OSError):
            self._control.sendall(json.dumps({"wait": pid}).encode())
        return self._reply()

    def end(self) -> None:
        """Kill the interpreter and wait until it has exited; its ranks must have exited already."""
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _reply(self) -> int:
        reply = b""
        while len(reply) < REPLY.size:
            chunk = b""
            with suppress(OSError):
                chunk = self._control.recv(REPLY.size - len(reply))
            if not chunk:
                raise InterpreterEnded
            reply += chunk
        return int(REPLY.unpack(reply)[0])
