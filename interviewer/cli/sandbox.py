"""Build, inspect or clean up the Docker sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interviewer.cli.options import FOLDER, open_context
from interviewer.errors import OK
from interviewer.session.phrases import pluralize
from sandbox.docker.cleanup import clean, status
from sandbox.docker.image import DEFAULT_BASE, build_image
from sandbox.process.levels import ISOLATION, best_level, forgery


@click.group()
def sandbox() -> None:
    """Build, inspect or clean up the Docker sandbox."""


@sandbox.command("status")
def sandbox_status() -> int:
    """Show the engine, the image and leftover containers."""
    with open_context() as context:
        image = context.settings.image
    level = best_level(sys.executable)
    click.echo(f"without Docker: {ISOLATION[level]}")
    click.echo(forgery(level))
    now = status(image or None)
    click.echo(f"engine {now.engine_version}")
    click.echo(f"image {now.image}: " + ("found" if now.has_image else "missing; run interviewer sandbox build"))
    for container in now.containers:
        state = "left over" if container.is_stale else "in use"
        click.echo(f"container {container.name}, {container.age_seconds:.0f} s old, {state}")
    return OK


@sandbox.command("clean")
def sandbox_clean() -> int:
    """Remove containers that a killed app left behind."""
    click.echo(f"removed {pluralize(len(clean()), 'container')}")
    return OK


@sandbox.command("build")
@click.option("--base", help="Base image to use if you cannot pull Python's slim image from a registry.")
@click.option("--wheels", type=FOLDER, help="Folder with wheels, to build without network access.")
@click.option("--cuda", is_flag=True, help="Build the image for grading on a GPU (several gigabytes).")
def sandbox_build(base: str | None, wheels: Path | None, cuda: bool) -> int:
    """Build the sandbox image."""
    with open_context() as context:
        image = context.settings.image

    def says(line: str) -> None:
        click.echo(line, err=True)

    device = "cuda" if cuda else "cpu"
    click.echo(build_image(image or None, base or DEFAULT_BASE, wheels, says, device))
    return OK
