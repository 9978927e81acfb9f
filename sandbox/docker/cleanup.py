"""Lists and removes leftover containers; a container owned by a running app is never removed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sandbox.docker.engine import connect, engine_errors
from sandbox.docker.image import image_tag
from sandbox.owner import PROJECT_LABEL, is_stale

REMOVE_TRIES = 3


@dataclass(frozen=True)
class Leftover:
    """One labeled container; a stale container is one that its owner has abandoned."""

    name: str
    age_seconds: float
    is_stale: bool


@dataclass(frozen=True)
class Status:
    """The engine's version, whether our image exists, and our containers."""

    engine_version: str
    image: str
    has_image: bool
    containers: tuple[Leftover, ...]


def status(image: str | None = None) -> Status:
    """Return the engine version, whether the image exists, and each of our containers with its age in seconds.

    Raises EngineMissing if no engine answers.
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

    Raises EngineMissing if no engine answers, and CellLost if a container cannot be removed.
    """
    with connect() as client:
        return remove_stale(client)


def remove_stale(client: Any) -> list[str]:
    """Remove the stale containers over an open connection and return their names."""
    with engine_errors("looking for leftover containers"):
        stale = [leftover.name for leftover in _ours(client) if leftover.is_stale]
    for name in stale:
        remove(client, name)
    return stale


def remove(client: Any, name: str) -> None:
    """Kill and remove one container with its volumes; do nothing if it is already gone or being removed.

    Raises CellLost if it may still be running.
    """
    import docker

    with engine_errors(f"removing container {name}"):
        for tries_left in reversed(range(REMOVE_TRIES)):
            try:
                client.remove_container(name, force=True, v=True)
                return
            except docker.errors.APIError as error:
                # 404: the container does not exist. 409: another process is already removing the container.
                if error.status_code in (404, 409):
                    return
                # On a busy machine, the engine may send the kill signal but stop waiting before the container exits.
                if "exit event" not in str(error.explanation) or not tries_left:
                    raise


def _ours(client: Any) -> list[Leftover]:
    containers = client.containers(all=True, filters={"label": PROJECT_LABEL})
    return [
        Leftover(
            name=entry["Names"][0].lstrip("/"),
            age_seconds=max(time.time() - entry["Created"], 0.0),
            is_stale=is_stale(entry["Labels"]),
        )
        for entry in containers
    ]
