"""What the shell itself asks for: versions, completion, and where everything lies; needs nothing of the app."""

from __future__ import annotations

import sys
from typing import Any

import click

from interviewer import __version__
from interviewer.cli.options import AS_JSON

LIBRARIES = ("textual", "litellm", "torch", "docker")
EXAMPLES = """\b
Examples:
  interviewer                                   the app
  interviewer challenge --pick bugs             a bug-hunt hour
  interviewer interview --plain --minutes 20    an interview on plain lines
  interviewer grade gae gae.py --json           one submission, as JSON
"""


def show_version(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the versions of the app, of Python and of the libraries that matter, and end."""
    if not is_wanted or context.resilient_parsing:
        return
    import platform

    click.echo(f"interviewer {__version__}, Python {platform.python_version()}, {sys.platform}")
    click.echo(", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES))
    context.exit()


def _version_of(library: str) -> str:
    from importlib import metadata  # 18 ms, and --help needs none of it

    # From the metadata: importing litellm or torch would take seconds.
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the completion of a shell, as in: eval "$(interviewer completion bash)"."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    root: Any = context.find_root().command
    click.echo(kind(root, {}, "interviewer", "_INTERVIEWER_COMPLETE").source())
    return 0


@click.command()
def paths() -> int:
    """Print where config, practice log and cache lie; removing these folders removes all that was kept."""
    from interviewer.config import find_folders

    folders = find_folders()
    click.echo(f"config {folders.config}\ndata   {folders.data}\ncache  {folders.cache}")
    return 0


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be below 0, and is then told so
@click.argument("key", default="")
@click.argument("value", required=False)
@AS_JSON
def settings(key: str, value: str | None, as_json: bool) -> int:
    """Print the settings, or one KEY, or give it a VALUE."""
    from interviewer.cli.settings import change, show

    return show(key, as_json) if value is None else change(key, value, as_json)


COMMANDS = (completion, paths, settings)
