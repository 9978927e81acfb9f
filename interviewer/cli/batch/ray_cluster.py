"""The nodes of a Ray cluster, each with one grading actor. This is the only module that imports Ray.

Ray starts Python processes, which inherit our environment variables and working directory. A local cluster therefore
gets a reduced environment, without API keys, and an empty working directory: Ray adds the working directory to its
workers' import path, and the user's working directory may contain submissions.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import grpc
import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from graders.client import clean_environment
from graders.errors import GradingError
from interviewer.cli.batch.dispatch import NodeLost, Ref
from interviewer.cli.batch.node import Answer, NodeGrader, Setup, error_answer
from interviewer.cli.batch.task_files import TaskFiles
from interviewer.errors import BadInput, InterviewerError

LOCAL = "ray"
REMOTE = "ray://"
# Submissions are small, so only the task's files are stored as shared objects.
OBJECT_BYTES = 100 * 2**20
CLOSE_SECONDS = 30.0
CONNECT_SECONDS = 10.0
CONNECT_TRIES = 4
CONNECT_PAUSE_SECONDS = 2.0
# The second text is from a stack frame in Ray's own traceback. It covers the errors that Ray raises while it checks the
# process of the new server.
SERVER_FAILED = ("Starting Ray client server failed", "in start_specific_server\n")
CLIENT_PORT = 10001
REASON_CHARACTERS_MAX = 300
# These are raised if the cluster cannot be reached: by Ray's client the first two, and on a local cluster the last.
CONNECTION_ERRORS = (ConnectionError, grpc.RpcError, RayError)
# An error from gRPC contains its reason in this line. The last line is only a bracket.
GRPC_DETAILS = re.compile(r'^\s*details = "(.+)"$', re.MULTILINE)
# Ray reads its token once per process.
LOCAL_TOKEN = secrets.token_hex(32)


@contextmanager
def _reporting_lost_connection() -> Iterator[None]:
    try:
        yield
    except CONNECTION_ERRORS as error:
        raise InterviewerError(
            f"the connection to the cluster was lost: {_reason(error)}",
            "Continue from a CSV file with --resume.",
            "cluster",
        ) from None


class RayNodes:
    """The nodes of the cluster that this process is connected to.

    `workers` is the number of grading workers per node; 0 means half of the node's CPU cores. Except for `stop` and
    `close`, every method that calls Ray raises InterviewerError if the connection to the cluster is lost.
    """

    @_reporting_lost_connection()
    def __init__(
        self, setup: Setup, task_files: TaskFiles, workers: int, grader: type[NodeGrader] = NodeGrader
    ) -> None:
        self._setup = setup
        self._task_files = ray.put(task_files)
        self._workers = workers
        self._actor = ray.remote(grader)
        self._actors: dict[str, Any] = {}
        self._names: dict[str, str] = {}
        self._cores: dict[str, int] = {}

    @_reporting_lost_connection()
    def available(self) -> Mapping[str, int]:
        """Return the number of grading workers on each node that is alive and has a CPU core, by node id."""
        workers = {}
        for node in ray.nodes():
            cores = int(node["Resources"].get("CPU", 0)) if node["Alive"] else 0
            if cores:
                self._names[node["NodeID"]] = f"node {node['NodeManagerHostname']} ({node['NodeManagerAddress']})"
                self._cores[node["NodeID"]] = cores
                workers[node["NodeID"]] = self._workers or max(1, cores // 2)
        return workers

    @_reporting_lost_connection()
    def start(self, node: str) -> Ref:
        """Start a node's actor and check the node."""
        workers = self.available().get(node, 1)
        options: dict[str, Any] = {
            "num_cpus": min(workers, self._cores[node]),
            # One thread for each submission that a node can have running or waiting, plus two for `check` and `close`.
            "max_concurrency": 2 * workers + 2,
            "max_restarts": 0,
            # Do not record every call, because the records would take up memory on the head node.
            "enable_task_events": False,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(node, soft=False),
        }
        self._actors[node] = self._actor.options(**options).remote(self._setup, self._task_files, workers)
        return self.check(node)

    @_reporting_lost_connection()
    def check(self, node: str) -> Ref:
        """Check a node again."""
        ref: Ref = self._actors[node].check.remote()
        return ref

    @_reporting_lost_connection()
    def grade(self, node: str, source: str) -> Ref:
        """Grade a submission on a node."""
        ref: Ref = self._actors[node].grade.remote(source)
        return ref

    def stop(self, node: str) -> None:
        """Kill a node's actor; its grading workers notice that and remove their containers."""
        with suppress(*CONNECTION_ERRORS):
            ray.kill(self._actors.pop(node))

    @_reporting_lost_connection()
    def wait(self, refs: Sequence[Ref], seconds: float) -> Ref | None:
        """Return one of `refs` whose answer has arrived; None if no answer arrives in time."""
        if not refs:
            time.sleep(seconds)
            return None
        ready, _ = ray.wait(list(refs), num_returns=1, timeout=seconds)
        return ready[0] if ready else None

    @_reporting_lost_connection()
    def answer(self, ref: Ref) -> Answer:
        """Return an answer that has arrived. Raises NodeLost if the node disappeared."""
        try:
            answer: Answer = ray.get(ref)
        except ray.exceptions.RayTaskError as error:
            return error_answer(GradingError(_reason(error), "This is a bug in interviewer. Please report it.", "Bug"))
        except ray.exceptions.ActorDiedError as error:
            if "creation task" in str(error):
                fix = "Install the same version of interviewer[cluster] on all nodes."
                return error_answer(GradingError(_reason(error), fix, "NodeDiffers"))
            raise NodeLost(_reason(error)) from None
        except RayError as error:
            raise NodeLost(_reason(error)) from None
        return answer

    def name(self, node: str) -> str:
        """Return the host name and the address of a node."""
        return self._names.get(node, f"node {node}")

    def close(self) -> None:
        """Have every node stop its grading workers and remove their containers."""
        with suppress(*CONNECTION_ERRORS):
            refs = [actor.close.remote() for actor in self._actors.values()]
            if refs:
                ray.wait(refs, num_returns=len(refs), timeout=CLOSE_SECONDS)
        for node in list(self._actors):
            self.stop(node)


def _reason(error: Exception) -> str:
    """Return the line of an error that says what went wrong: the last line after a traceback, or gRPC's details."""
    if details := GRPC_DETAILS.search(str(error)):
        return details[1][:REASON_CHARACTERS_MAX]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:REASON_CHARACTERS_MAX]


@contextmanager
def connected(on: str) -> Iterator[None]:
    """Start a local cluster ("ray"), or connect to a running cluster ("ray://HOST:PORT").

    Raises BadInput if the cluster cannot be reached.
    """
    options = {
        "namespace": f"interviewer-{secrets.token_hex(8)}",
        "log_to_driver": False,
        "logging_level": logging.ERROR,
    }
    folder = Path(tempfile.mkdtemp(prefix="ray-"))
    try:
        if on == LOCAL:
            with _reduced_environment(folder):
                ray.init(
                    "local",
                    include_dashboard=False,
                    object_store_memory=OBJECT_BYTES,
                    _temp_dir=str(folder),
                    **options,
                )
        else:
            _connect(on, options)
        yield
    finally:
        with suppress(*CONNECTION_ERRORS):
            ray.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def _connect(address: str, options: dict[str, Any]) -> None:
    """Connect to a running cluster. Raises BadInput if the cluster cannot be reached."""
    try:
        target = urlsplit(address)
        # Ray tries for half a minute before it reports that nothing is listening at the address.
        socket.create_connection((target.hostname or "", target.port or CLIENT_PORT), CONNECT_SECONDS).close()
        for left in reversed(range(CONNECT_TRIES)):
            try:
                ray.init(address, **options)
                break
            except (ConnectionError, RuntimeError) as error:
                # The cluster starts a server for each client, which sometimes fails on a busy machine.
                if not left or not any(text in str(error) for text in SERVER_FAILED):
                    raise
                time.sleep(CONNECT_PAUSE_SECONDS)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        fix = "Check the address. To start Ray on that machine, run ray start --head --ray-client-server-port=10001."
        raise BadInput(f"{address}: {_reason(error)}", fix, "cluster") from None


@contextmanager
def _reduced_environment(folder: Path) -> Iterator[None]:
    """Start Ray's processes without API keys and in a private folder, and protect their ports with a token."""
    environment, current = dict(os.environ), Path.cwd()
    reduced = {
        **clean_environment(os.environ),
        # A local cluster uses token authentication by default. Without this variable, Ray would store a token in the
        # home folder.
        "RAY_AUTH_TOKEN": LOCAL_TOKEN,
        "RAY_USAGE_STATS_ENABLED": "0",
        # By default, Ray's workers run at a low priority, so on a busy machine, a submission would be more likely to
        # time out than without Ray.
        "RAY_worker_niceness": "0",
    }
    os.environ.clear()
    os.environ.update(reduced)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(current)
        os.environ.clear()
        os.environ.update(environment)
