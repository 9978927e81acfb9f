"""The command line of what went wrong on our side; reads one file and wires nothing."""

from __future__ import annotations

import click

from interviewer.cli.options import AS_JSON

SHOWN_MAX = 20
MESSAGE_CHARACTERS_MAX = 100


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@AS_JSON
def errors(name: str | None, as_json: bool) -> int:
    """List the latest failures of the app, or show one by the id that was shown with it.

    They are kept on this machine only, without keys and without your answers, so that one can be pasted into a report.
    """
    from dataclasses import asdict
    from textwrap import shorten

    from interviewer.errors import journal
    from interviewer.exits import BAD_INPUT, OK, OUR_FAILURE, Failure, print_json

    try:
        found = journal.records()
    except OSError as error:
        raise Failure(OUR_FAILURE, "errors", f"{journal.path}: {error.strerror}", "Make that file readable.") from None
    if name is not None:
        fault = next((one for one in found if one.id == name.upper()), None)
        if fault is None:
            raise Failure(BAD_INPUT, "unknown", f"no error {name}", "interviewer errors lists those that are kept.")
        if as_json:
            print_json(asdict(fault))
        else:
            click.echo(str(fault))
    elif as_json:
        print_json({"file": str(journal.path), "errors": [asdict(one) for one in found]})
    else:
        for one in found[:SHOWN_MAX]:
            click.echo(
                f"{one.id}  {one.when}  {one.kind}: {shorten(one.message, MESSAGE_CHARACTERS_MAX, placeholder=' …')}"
            )
        more = f"; {len(found) - SHOWN_MAX} older ones with --json" if len(found) > SHOWN_MAX else ""
        said = f"interviewer errors ID shows one whole{more}" if found else "Nothing went wrong so far"
        click.echo(f"{said}. Kept in {journal.path}")
    return OK


COMMANDS = (errors,)
