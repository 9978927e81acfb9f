"""Shows and removes leftover containers and temp folders; what a living app still owns is never removed."""

from __future__ import annotations

import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.docker.engine import connect, engine_errors
from sandbox.docker.image import image_tag
from sandbox.owner import PROJECT_LABEL, folder_prefix, is_abandoned, is_stale
from sandbox.process.supervisor import open_folders

REMOVE_TRIES = 3


@dataclass(frozen=True)
class Leftover:
    """Hold one labelled container; stale means that nobody will come back for it."""

    name: str
    age_seconds: float
    is_stale: bool


@dataclass(frozen=True)
class Status:
    """Hold what the engine has of ours."""

    engine_version: str
    image: str
    has_image: bool
    containers: tuple[Leftover, ...]


def status(image: str | None = None) -> Status:
    """Return engine version, whether the image is there, and our containers with their age in seconds.

    Raises: EngineMissing when no engine answers.
    """
    tag = image or image_tag()
    with connect() as client, engine_errors("reading the engine's state"):
        return Status(
            engine_version=client.version()["Version"],
            image=tag,
            has_image=bool(client.images(name=tag)),
            containers=tuple(_ours(client)),
        )


def clean() -> list[str]:
    """Remove the stale containers and return their names.

    Raises: EngineMissing when no engine answers; CellLost when a container cannot be removed.
    """
    with connect() as client:
        return remove_stale(client)


def remove_stale(client: Any) -> list[str]:
    """Remove the stale containers over a connection that is open and return their names."""
    with engine_errors("looking for leftover containers"):
        stale = [found.name for found in _ours(client) if found.is_stale]
    for name in stale:
        remove(client, name)
    return stale


def use_own_temp_folder() -> Path:
    """Make a folder that holds this process's temp files from now on, and return it; its name tells whose it is.

    The folders of processes that are gone are removed first.
    """
    for path in Path(tempfile.gettempdir()).iterdir():
        if is_abandoned(path.name):
            open_folders(str(path))
            shutil.rmtree(path, ignore_errors=True)
    tempfile.tempdir = tempfile.mkdtemp(prefix=folder_prefix())
    return Path(tempfile.tempdir)


def remove(client: Any, name: str) -> None:
    """Kill and remove one container with its volumes; one that is gone, or on its way out, is fine.

    Raises: CellLost when it may still run.
    """
    import docker

    with engine_errors(f"removing container {name}"):
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                client.remove_container(name, force=True, v=True)
                return
            except docker.errors.APIError as error:
                # 404: nothing there. 409: someone else is removing it at this moment.
                if error.status_code in (404, 409):
                    return
                # A busy machine: the kill was sent, and the engine gave up waiting for its end.
                if "exit event" not in str(error.explanation) or not tries_left:
                    raise


def _ours(client: Any) -> list[Leftover]:
    found = client.containers(all=True, filters={"label": PROJECT_LABEL})
    return [
        Leftover(
            name=entry["Names"][0].lstrip("/"),
            age_seconds=max(time.time() - entry["Created"], 0.0),
            is_stale=is_stale(entry["Labels"]),
        )
        for entry in found
    ]
