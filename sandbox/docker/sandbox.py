"""Runs each job in its own container, which is checked before it starts and always removed afterwards."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from sandbox.docker.cell import Attachment, DockerCell
from sandbox.docker.cleanup import remove, remove_stale
from sandbox.docker.engine import BUILD_CUDA_IMAGE, BUILD_IMAGE, engine_errors, open_client
from sandbox.docker.gpu import NO_GPU, Lease, device_request, has_gpu_runtime, lease_gpu
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

MakeConfig = Callable[[str, Mapping[str, str], int, Mapping[str, Any] | None], dict[str, Any]]


class DockerSandbox:
    """Runs each job in a fresh container: no network, no mounts, no privileges, and limits on every resource."""

    name = "docker"
    isolation = (
        "Docker container for this run only: no network, no mounts, read-only, no capabilities, unprivileged user, "
        "limits on memory, processes, cores and time. It shares the kernel with this machine."
    )

    def __init__(self, image: str | None = None) -> None:
        self.image = image or image_tag()
        self._image_with_cuda = image or image_tag(device="cuda")
        self._cores = 0
        self._info: dict[str, Any] = {}

    def run(self, job: Job, is_cancelled: Callable[[], bool] = never) -> Finished:
        """Run the job in a fresh container and clean up everything afterwards.

        Raises EngineMissing, ImageMissing, IsolationRefused, CellLost, and SandboxError if a GPU is needed but not
        available.
        """
        return serve_once(self.open(job), job, is_cancelled)

    def open(self, job: Job, wait_seconds: float = 0.0) -> DockerCell:
        """Return a container that has started the job's program and waits up to `wait_seconds` for the payload.

        Raises: the same errors as `run`.
        """
        check_program(job)
        return DockerCell(self.attach(job, partial(container_config, job), wait_seconds), job, self.isolation)

    def attach(self, job: Job, config_of: MakeConfig, wait_seconds: float) -> Attachment:
        """Return a checked, started container; `config_of` receives the image, labels, core count and GPU.

        Raises: the same errors as `run`.
        """
        with ExitStack() as undo:
            client = open_client()
            undo.callback(client.close)
            self._prepare(client)
            # Choose the name before creating the container, so that an interrupted create can be cleaned up as well.
            name = f"interviewer-{os.getpid()}-{secrets.token_hex(6)}"
            lease = self._lease() if job.device == "cuda" else None
            if lease is not None:
                undo.callback(lease.release)
            undo.callback(_remove_quietly, client, name)
            self._create(client, name, job, config_of, wait_seconds, lease)
            attachment = Attachment(client, name, lease)
            undo.pop_all()
        return attachment

    def _prepare(self, client: Any) -> None:
        """Get the engine's core count and remove containers left by crashed apps, once per sandbox object."""
        if self._cores == 0:
            remove_stale(client)
            with engine_errors("querying the engine's host"):
                self._info = client.info()
                self._cores = self._info["NCPU"]

    def _lease(self) -> Lease | None:
        """Return a lease on a GPU of this machine; None if only the Docker engine has access to the GPUs.

        Raises SandboxError if neither the machine nor the engine has a GPU, so that nobody builds an image of several
        gigabytes in vain.
        """
        lease = lease_gpu()
        if lease is None and not has_gpu_runtime(self._info):
            raise SandboxError("the engine has no GPU available", NO_GPU)
        return lease

    def _create(
        self, client: Any, name: str, job: Job, config_of: MakeConfig, wait_seconds: float, lease: Lease | None
    ) -> None:
        labels, image, gpu, build = owner_labels(job.wall_seconds, wait_seconds), self.image, None, BUILD_IMAGE
        if job.device == "cuda":
            image, build = self._image_with_cuda, BUILD_CUDA_IMAGE
            gpu = device_request(self._info, lease.gpu if lease else None)
        asked = config_of(image, labels, self._cores, gpu)
        with engine_errors(f"creating a container from {image}", build):
            client.create_container_from_config(asked, name)
            reported = client.inspect_container(name)
        if IMAGE_LABEL not in reported["Config"]["Labels"]:
            raise ImageMissing(f"image {image}: expected label {IMAGE_LABEL}, got none", build)
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
