"""Connects to the Docker engine; every failure becomes a SandboxError that tells the user the next step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import requests

from sandbox.docker.gpu import NO_GPU
from sandbox.job import CellLost, EngineMissing, ImageMissing, SandboxError

REQUEST_SECONDS = 30.0
START_DOCKER = "Start Docker, or use the process sandbox. `interviewer doctor` shows what is missing."
BUILD_IMAGE = "Build it with `interviewer sandbox build`."
BUILD_CUDA_IMAGE = "Build it with `interviewer sandbox build --cuda`, or grade with --device cpu."
# Error messages from engines that have no driver for the requested device, or no such device in their CDI files.
NO_DEVICE = ("could not select device driver", "unresolvable CDI devices", "CDI device injection failed")
FREE_DISK = "Free space with `docker system prune` (`docker system df` shows disk usage), then submit again."


@contextmanager
def connect() -> Iterator[Any]:
    """Yield the client from `open_client`, and close it afterwards. Raises: EngineMissing."""
    with closing(open_client()) as client:
        yield client


def open_client() -> Any:
    """Return a connected docker-py APIClient.

    Raises EngineMissing if no engine answers, if the settings for it in the environment are invalid, or if its address
    is neither a local nor a plain TCP socket.
    """
    import docker
    from docker.utils import kwargs_from_env

    address = os.environ.get("DOCKER_HOST") or _usual_address()
    try:
        settings = {"base_url": address, **kwargs_from_env()}
        # Attaching requires a socket that supports half-close, which TLS, SSH and Windows pipes do not.
        if settings.get("tls") or not address.startswith(("unix://", "http+unix://", "tcp://")):
            raise EngineMissing(f"engine address {address}: expected unix:// or plain tcp://", START_DOCKER)
        return docker.APIClient(**settings, version="auto", timeout=REQUEST_SECONDS)
    except (docker.errors.DockerException, ValueError) as error:  # a port that is not a number is a ValueError
        raise EngineMissing(f"cannot connect to a Docker engine at {address}: {error}", START_DOCKER) from error


@contextmanager
def engine_errors(doing: str, build: str = BUILD_IMAGE) -> Iterator[None]:
    """Convert a docker-py error raised while `doing` something to a SandboxError; `build` says how to get the image."""
    import docker

    try:
        yield
    except docker.errors.ImageNotFound as error:
        raise ImageMissing(f"{doing}: {error.explanation}", build) from error
    except docker.errors.APIError as error:
        explanation = str(error.explanation or error)
        if any(words in explanation for words in NO_DEVICE):
            raise SandboxError(f"{doing}: the engine has no GPU available", NO_GPU) from error
        if "no space left on device" in explanation:
            raise CellLost(f"{doing}: the engine's disk is full", FREE_DISK) from error
        raise CellLost(f"{doing}: {explanation}", "Try again; `interviewer doctor` checks the engine.") from error
    except (requests.RequestException, OSError) as error:
        raise CellLost(f"{doing}: the engine stopped answering: {error}", START_DOCKER) from error


def _usual_address() -> str:
    """Return the address of the first engine socket that exists; docker-py only tries the system-wide socket."""
    home = Path.home()
    places = [
        Path("/var/run/docker.sock"),
        Path(os.environ.get("XDG_RUNTIME_DIR", "/run/none"), "docker.sock"),
        home / ".docker/run/docker.sock",
        home / ".colima/default/docker.sock",
    ]
    return f"unix://{next((place for place in places if place.exists()), places[0])}"
