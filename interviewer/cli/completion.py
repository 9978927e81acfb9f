"""Print the shell completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from interviewer.errors import OK


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the completion of a shell, as in: eval "$(interviewer completion bash)"."""
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(context.find_root().command, {}, "interviewer", "_INTERVIEWER_COMPLETE").source())
    return OK
