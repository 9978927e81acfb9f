"""Write a task's initial files; existing files are never overwritten."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from interviewer.cli.options import FileName, open_context
from interviewer.cli.output import echo
from interviewer.errors import OK, BadInput


@click.command()
@click.argument("task")
@click.argument("directory", default=".", type=FileName(file_okay=False))
def start(task: str, directory: Path) -> int:
    """Write a task's starter code and statement to files. Never overwrites files."""
    with open_context() as context:
        known = context.task(task)
    texts = {directory / f"{known.id}.py": known.starter, directory / f"{known.id}.md": known.statement}
    for path in texts:
        if path.exists():
            raise BadInput(f"{path} already exists", "Choose a different folder, or move the existing file.", "exists")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            # Mode "x" does not overwrite a file that was created between the check and the write.
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
            echo(str(path))
    except OSError as error:
        raise BadInput(f"{directory}: {error.strerror or error}") from None
    echo(f"Then: interviewer grade {known.id} {shlex.quote(str(directory / f'{known.id}.py'))}")
    return OK
