"""Runs each job in its own container, which is checked before it starts and always removed afterwards."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from sandbox.docker.cell import DockerCell
from sandbox.docker.cleanup import remove, remove_stale
from sandbox.docker.engine import BUILD_IMAGE, engine_errors, open_client
from sandbox.docker.image import image_tag
from sandbox.docker.spec import IMAGE_LABEL, container_config, differences
from sandbox.job import (
    Finished,
    ImageMissing,
    IsolationRefused,
    Job,
    SandboxError,
    check_program,
    never,
    serve_once,
)
from sandbox.owner import owner_labels


class DockerSandbox:
    """Runs each job in a fresh container: no network, no mounts, no privileges, and limits on every resource."""

    name = "docker"
    isolation = (
        "Docker container for this run only: no network, no mounts, read-only, no capabilities, unprivileged user, "
        "limits on memory, processes, cores and time. It shares the kernel with this machine."
    )

    def __init__(self, image: str | None = None) -> None:
        self.image = image or image_tag()
        self._cores = 0

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in a fresh container and clean up everything afterwards.

        Raises: EngineMissing, ImageMissing, IsolationRefused, CellLost; SandboxError if a GPU is needed but not
        available.
        """
        return serve_once(self.open(job), job, is_cancelled)

    def open(self, job: Job, wait_seconds: float = 0.0) -> DockerCell:
        """Return a container that has started the job's program and may wait up to `wait_seconds` for the payload.

        Raises: the same errors as `run`.
        """
        check_program(job)
        with ExitStack() as undo:
            client = open_client()
            undo.callback(client.close)
            self._prepare(client)
            # Choose the name before creating the container, so that an interrupted create can be cleaned up as well.
            name = f"interviewer-{os.getpid()}-{secrets.token_hex(6)}"
            undo.callback(_remove_quietly, client, name)
            self._create(client, name, job, wait_seconds)
            cell = DockerCell(client, name, job, self.isolation)
            undo.pop_all()
        return cell

    def _prepare(self, client: Any) -> None:
        """Get the engine's core count and remove containers left by crashed apps, once per sandbox object."""
        if self._cores == 0:
            remove_stale(client)
            with engine_errors("querying the engine's host"):
                self._cores = client.info()["NCPU"]

    def _create(self, client: Any, name: str, job: Job, wait_seconds: float) -> None:
        asked = container_config(job, self.image, owner_labels(job.wall_seconds, wait_seconds), self._cores)
        with engine_errors(f"creating a container from {self.image}"):
            client.create_container_from_config(asked, name)
            reported = client.inspect_container(name)
        if IMAGE_LABEL not in reported["Config"]["Labels"]:
            raise ImageMissing(f"image {self.image}: expected label {IMAGE_LABEL}, got none", BUILD_IMAGE)
        wrong = differences(asked, reported)
        if wrong:
            fix = (
                "Reconfigure Docker to allow this, or use the process sandbox. `interviewer doctor` shows the details."
            )
            raise IsolationRefused(f"Docker did not apply all restrictions to the container: {'; '.join(wrong)}", fix)


def _remove_quietly(client: Any, name: str) -> None:
    """Remove the container, ignoring errors: the error being handled matters more, and the reaper removes leftovers."""
    try:
        remove(client, name)
    except SandboxError:
        return
