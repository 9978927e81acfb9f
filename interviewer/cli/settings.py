"""Print and change settings, print the data folders, and print the shell completion script."""

from __future__ import annotations

import os
import sys

import click
from click.shell_completion import get_completion_class

from interviewer.cli.options import AS_JSON
from interviewer.cli.output import error_object, print_json
from interviewer.config import ABOUT, check_values, env_overrides, find_folders, format_value, settings_or_defaults
from interviewer.errors import OK


@click.command(context_settings={"ignore_unknown_options": True})  # a negative value is an argument, not an option
@click.argument("key", default="")
@click.argument("value", required=False)
@AS_JSON
def settings(key: str, value: str | None, as_json: bool) -> int:
    """Print all settings or one KEY, or set KEY to VALUE."""
    return _show(key, as_json) if value is None else _change(key, value, as_json)


def _show(key: str, as_json: bool) -> int:
    """Print all settings with their values and descriptions, or only one; return the exit code.

    Raises ConfigError if there is no such setting. If the config file is broken, the defaults are printed before the
    error; as JSON, a single object contains both.
    """
    values, broken = settings_or_defaults(find_folders(), os.environ)
    variables = env_overrides(os.environ)
    width = max(map(len, ABOUT)) + 1
    for name in _known(key) if not as_json else ():
        value = format_value(getattr(values, name)) or "(empty)"
        note = f" ({variables[name]} overrides the file)" if name in variables else ""
        sys.stdout.write(f"{name:{width}}{value}{note}\n{'':{width}}{ABOUT[name]}\n")
    if as_json:
        error = {"error": error_object(broken)} if broken else {}
        print_json({"settings": {name: getattr(values, name) for name in _known(key)}, **error})
        return broken.exit_code if broken else OK
    if broken is not None:
        raise broken
    return OK


def _change(key: str, text: str, as_json: bool) -> int:
    """Write a setting to the config file and return the exit code.

    Raises ConfigError if the setting cannot be written.
    """
    from interviewer.tui.screens.settings import change_setting  # imports Textual; showing settings does not need it

    _known(key)
    value, path = change_setting(find_folders(), key, text)
    variable = env_overrides(os.environ).get(key)
    note = f", but {variable} is set and overrides it" if variable else ""
    if as_json:
        print_json({"saved": {key: value}, "file": str(path), "overridden_by": variable})
    else:
        sys.stdout.write(f"Saved {key} = {text} to {path}{note}.\n")
    return OK


def _known(key: str) -> tuple[str, ...]:
    """Return the selected settings; all of them if `key` is empty. Raises ConfigError if there is no such setting."""
    if key and key not in ABOUT:
        check_values({key: ""}, "settings")  # raises an error that suggests the nearest name
    return (key,) if key else tuple(ABOUT)


@click.command()
def paths() -> int:
    """Print the paths of the config, data (practice log) and cache folders.

    Deleting these folders deletes everything that interviewer saved.
    """
    folders = find_folders()
    click.echo(f"config {folders.config}\ndata   {folders.data}\ncache  {folders.cache}")
    return OK


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the completion script for a shell. Example: eval "$(interviewer completion bash)"."""
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(context.find_root().command, {}, "interviewer", "_INTERVIEWER_COMPLETE").source())
    return OK
