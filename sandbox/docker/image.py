"""Names and builds the sandbox image; its name changes with the Dockerfile, so an outdated image is never used."""

from __future__ import annotations

import argparse
import hashlib
import io
import re
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any

from sandbox.docker.engine import connect, engine_errors
from sandbox.job import ImageMissing, SandboxError

DOCKERFILE = Path(__file__).parent / "context" / "Dockerfile"
DEFAULT_BASE = "python:3.12-slim"
BUILD_FAILED = (
    "Check the last lines of the build output. Without network access, pass a local base image and a folder with "
    "wheels: python -m sandbox.docker.image --base NAME --wheels FOLDER."
)
BUILD_SECONDS = 1800
CPU_INDEX = "--index-url https://download.pytorch.org/whl/cpu "
BUILD_STAGE = "interviewer.stage=build"


def image_tag(given: str | None = None, device: str = "cpu") -> str:
    """Return the given image name, or the default name, which depends on the Dockerfile and its torch version."""
    digest = hashlib.sha256(dockerfile(device).encode()).hexdigest()[:12]
    return given or f"interviewer-sandbox:{digest}{'-cuda' if device == 'cuda' else ''}"


def dockerfile(device: str = "cpu") -> str:
    """Return the Dockerfile; the GPU variant installs the PyPI build of torch, which includes CUDA."""
    text = DOCKERFILE.read_text(encoding="utf-8")
    return text.replace(CPU_INDEX, "") if device == "cuda" else text


def torch_pin() -> str:
    """Return the torch version that the image installs."""
    match = re.search(r"^ARG TORCH=(\S+)$", DOCKERFILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert match, f"{DOCKERFILE}: expected a line ARG TORCH=VERSION, got none"
    return match.group(1)


def build_image(
    tag: str | None = None,
    base: str = DEFAULT_BASE,
    wheels: Path | None = None,
    says: Callable[[str], None] = lambda line: None,
    device: str = "cpu",
) -> str:
    """Build the image for a device and return its name; `says` is called with each line of the engine's progress.

    If `wheels` is a folder with the wheels of torch, numpy, safetensors and their dependencies, only a missing base
    image is downloaded. Raises EngineMissing if no engine answers, and ImageMissing if the build fails.
    """
    name = image_tag(tag, device)
    files = sorted(wheels.glob("*.whl")) if wheels else []
    if wheels and not files:
        raise ImageMissing(f"{wheels}: expected *.whl files, got none", "Fill the folder with `pip download`.")
    with connect() as client, tempfile.TemporaryFile() as context, engine_errors(f"building {name}"):
        _write_context(context, files, dockerfile(device).encode())
        steps = client.build(
            fileobj=context,
            custom_context=True,
            tag=name,
            buildargs={"BASE": base},
            # If all wheels are available locally, the build needs no network, so it also works on an engine without a
            # bridge network.
            network_mode="none" if files else None,
            rm=True,
            forcerm=True,
            decode=True,
            timeout=BUILD_SECONDS,
        )
        try:
            _follow(steps, name, says)
        finally:
            client.prune_images(filters={"dangling": True, "label": [BUILD_STAGE]})
    return name


def _follow(steps: Iterable[dict[str, Any]], name: str, says: Callable[[str], None]) -> None:
    for step in steps:
        if "error" in step:
            raise ImageMissing(f"building {name}: {step['error']}", BUILD_FAILED)
        for line in str(step.get("stream", step.get("status", ""))).splitlines():
            says(line)


def _write_context(context: IO[bytes], wheels: list[Path], text: bytes) -> None:
    with tarfile.open(fileobj=context, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(text)
        tar.addfile(entry, io.BytesIO(text))
        # COPY fails if the folder does not exist, so the folder always contains one empty file.
        tar.addfile(tarfile.TarInfo("wheels/.keep"), io.BytesIO())
        for wheel in wheels:
            tar.add(wheel, f"wheels/{wheel.name}")
    context.seek(0)


def main() -> int:
    """Build the image from the command line; return 0, or 3 on failure."""
    parser = argparse.ArgumentParser(prog="python -m sandbox.docker.image", description="Build the sandbox image.")
    parser.add_argument("--base", default=DEFAULT_BASE, help="base image, with python3 and its venv module")
    parser.add_argument("--wheels", type=Path, help="folder of wheels, for offline builds")
    parser.add_argument("--tag", help="image name (default: derived from the Dockerfile)")
    choice = parser.parse_args()
    try:
        name = build_image(choice.tag, choice.base, choice.wheels, lambda line: print(line, flush=True))  # noqa: T201
    except SandboxError as error:
        sys.stderr.write(f"{error.message}\n{error.fix}\n")
        return 3
    sys.stdout.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
