"""The command line: parse, wire, run. Exit codes: 0 done, 1 not passed, 2 bad input, 3 our failure, 130 interrupted."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli import challenge_cli, class_cli, shell_cli
from interviewer.cli import errors as faults_cli
from interviewer.cli import observe as observing_cli
from interviewer.cli.log_cli import COMMANDS
from interviewer.cli.options import AS_JSON, DEVICE, MINUTES, SANDBOX, FileName
from interviewer.config import EXAMINERS
from interviewer.exits import BAD_INPUT, INTERRUPTED, OK, Failure, fault_of_ours, tell_failure

if TYPE_CHECKING:
    from pathlib import Path

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main() -> None:
    """Run the command line and exit with the documented code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; every failure becomes one message, as JSON when that was asked for."""
    try:
        result = cli.main(args=arguments, prog_name="interviewer", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return int(stop.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    except click.ClickException as error:
        hint = (
            f"{error.ctx.command_path} --help shows how." if isinstance(error, click.UsageError) and error.ctx else ""
        )
        return tell_failure(Failure(BAD_INPUT, "usage", error.format_message(), hint), as_json="--json" in arguments)
    except Failure as error:
        return tell_failure(error, as_json="--json" in arguments)
    except BrokenPipeError:
        # The reader of our output has gone (a pager, head): not an error of anybody's.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        return tell_failure(fault_of_ours(error), as_json="--json" in arguments)
    return result if isinstance(result, int) else OK


def kit_for(**flags: Any) -> Any:
    """Return the wired app for these flags; imported here so that --help stays fast."""
    from interviewer.config import find_folders, load_settings
    from interviewer.interview.context import Kit

    folders = find_folders()
    return Kit(load_settings(folders, os.environ, flags), folders)


@click.group(context_settings=CONTEXT, invoke_without_command=True, epilog=shell_cli.EXAMPLES)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=shell_cli.show_version,
    help="Show the versions of app, Python and libraries.",
)
@click.pass_context
def cli(context: click.Context) -> int:
    """Interview yourself for RL and LLM-training jobs; without a command the app opens."""
    context.obj = kit_for
    if context.invoked_subcommand is None:
        from interviewer.cli.main import open_at_home

        return open_at_home()
    return OK


@cli.command()
@click.option("--plain", is_flag=True, help="Read lines from stdin and print to stdout.")
@click.option("--minutes", type=MINUTES, help="Length of the interview.")
@click.option("--focus", default="", help="Topics to draw from, separated by commas.")
@click.option("--role", default="", metavar="ROLE", help="algorithm, infrastructure or full_stack.")
@click.option("--level", default="", metavar="LEVEL", help="new_grad, senior or staff.")
@click.option("--question", "questions", multiple=True, metavar="ID", help="Ask this question; may be repeated.")
@click.option("--task", "tasks", multiple=True, metavar="ID", help="Set this coding task; may be repeated.")
@click.option("--examiner", type=click.Choice(EXAMINERS), help="Who judges answers.")
@click.option("--model", metavar="NAME", help="A litellm model name, or scripted/FILE.")
@SANDBOX
@click.option("--persona", metavar="NAME", help="How the interviewer talks: friendly, neutral or skeptical.")
@click.option("--style", metavar="NAME", help="Of which company: plain, research_lab, startup_infra or quant.")
@click.option("--strictness", metavar="NAME", help="How much lead-in: lenient, standard or strict; never the judging.")
@click.option("--spend-cap", "spend_cap_usd", type=float, metavar="USD", help="The most the model may cost; 0: no cap.")
@click.option("--resume", is_flag=False, flag_value="latest", metavar="[ID]", help="Go on with a session.")
@click.option("--seed", type=int, help="Draw the same plan again.")
@click.option("--live", is_flag=True, help="Let an observer join by the token that is shown; see observe.")
def interview(plain: bool, resume: str | None, seed: int | None, live: bool, **flags: Any) -> int:
    """Hold a mock interview."""
    from interviewer.cli import commands

    wishes = {name: flags.pop(name) for name in ("focus", "questions", "tasks", "role", "level")}
    with kit_for(**flags) as kit:
        return commands.interview(kit, wishes, is_plain=plain, resume=resume, seed=seed, is_live=live)


@cli.command()
@click.argument("task")
@click.argument("directory", default=".", type=FileName(file_okay=False))
def start(task: str, directory: Path) -> int:
    """Write a task's starter and statement; never overwrites."""
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.start(kit, task, directory)


@cli.command()
@click.argument("task")
@click.argument("file", type=FileName())
@DEVICE
@SANDBOX
@click.option("--seed", type=click.IntRange(min=0), help="Draw the same cases again.")
@click.option("--no-log", is_flag=True, help="Do not keep it as practice, as for somebody else's code.")
@AS_JSON
def grade(
    task: str, file: Path, device: str, sandbox: str | None, seed: int | None, no_log: bool, as_json: bool
) -> int:
    """Grade one submission and keep it as practice; exit code 1 when it does not pass."""
    from interviewer.cli import commands

    with kit_for(sandbox=sandbox) as kit:
        return commands.grade(kit, task, file, device=device, seed=seed, as_json=as_json, is_logged=not no_log)


@cli.command()
@click.argument("question")
@click.argument("file", default="-")
@click.option("--rung", type=click.IntRange(min=0), default=0, help="The rung that the answer is to; 0 is the opening.")
@click.option("--examiner", type=click.Choice(EXAMINERS), help="Who judges the answer.")
@click.option("--model", metavar="NAME", help="A litellm model name, or scripted/FILE.")
@AS_JSON
def judge(question: str, file: str, rung: int, examiner: str | None, model: str | None, as_json: bool) -> int:
    """Assess one answer, read from FILE or stdin."""
    from interviewer.cli import commands

    with kit_for(examiner=examiner, model=model) as kit:
        return commands.judge(kit, question, file, rung=rung, as_json=as_json)


@cli.command()
@click.option("--examiner", type=click.Choice(EXAMINERS), help="Who is calibrated.")
@click.option("--model", metavar="NAME", help="A litellm model name, or scripted/FILE.")
@AS_JSON
def calibrate(examiner: str | None, model: str | None, as_json: bool) -> int:
    """Score the examiner on the bundled gold answers; its results then stand beside every score."""
    from interviewer.cli import calibrate as calibrating

    with kit_for(examiner=examiner, model=model) as kit:
        return calibrating.calibrate_examiner(kit, as_json=as_json)


@cli.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--topic", help="Only questions with this topic.")
@AS_JSON
def questions(name: str | None, topic: str | None, as_json: bool) -> int:
    """List the questions, or show one with its ladder and answers."""
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.questions(kit, name, topic=topic, as_json=as_json)


@cli.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--topic", help="Only tasks with this topic.")
@AS_JSON
@click.option("--markdown", is_flag=True, help="Print the README's table.")
def tasks(name: str | None, topic: str | None, as_json: bool, markdown: bool) -> int:
    """List the coding tasks, or show one's statement."""
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.tasks(kit, name, topic=topic, as_json=as_json, as_markdown=markdown)


_PARTS = (challenge_cli, class_cli, shell_cli, faults_cli)
for _command in (observing_cli.observe, *(one for part in _PARTS for one in part.COMMANDS), *COMMANDS):
    cli.add_command(_command)


@cli.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="This machine; any other is refused.")
def serve(port: int, host: str) -> int:
    """Open the app to browsers on this machine, at the address that is printed; Ctrl+C ends it."""
    from interviewer.cli.serve.server import serve_app

    # Settings that cannot be used are told here, not in every tab.
    kit_for().close()
    return serve_app(host, port)


@cli.command()
@AS_JSON
def doctor(as_json: bool) -> int:
    """Say what works here, what does not, and how to mend it.

    Exit code 3 when not even an offline interview can be held and kept; what is missing for more is no failure.
    """
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.doctor(kit, as_json=as_json)


@cli.group()
def sandbox() -> None:
    """Build, inspect and clean the Docker sandbox."""


@sandbox.command("status")
def sandbox_status() -> int:
    """Show the engine, the image and leftover containers."""
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.sandbox_status(kit)


@sandbox.command("clean")
def sandbox_clean() -> int:
    """Remove containers that a killed app left behind."""
    from interviewer.cli import commands

    return commands.sandbox_clean()


@sandbox.command("build")
@click.option("--base", help="Base image, if no registry's python slim can be had.")
@click.option("--wheels", type=FileName(exists=True, file_okay=False), help="Folder with wheels.")
def sandbox_build(base: str | None, wheels: Path | None) -> int:
    """Build the sandbox image."""
    from interviewer.cli import commands

    with kit_for() as kit:
        return commands.sandbox_build(kit, base=base, wheels=wheels)


@cli.group()
def new() -> None:
    """Start a piece of content of your own."""


@new.command("task")
@click.argument("folder", metavar="AREA/SLUG", type=FileName())
def new_task(folder: Path) -> int:
    """Write a tiny proven task into tasks/AREA/SLUG, to be changed into yours."""
    from interviewer.cli import check as authoring

    return authoring.new_task(folder)


@cli.command("import")
@click.argument("file", type=FileName())
@click.option("--area", default="imported", show_default=True, help="Folder and topic of the new questions.")
@click.option("--examiner", type=click.Choice(EXAMINERS), help="offline: make no use of a language model.")
@click.option("--model", metavar="NAME", help="A litellm model name, or scripted/FILE; it drafts the ladders.")
@AS_JSON
def import_questions(file: Path, area: str, examiner: str | None, model: str | None, as_json: bool) -> int:
    """Turn a Markdown or text list of questions into draft files of your own; never overwrites."""
    from interviewer.cli import import_questions as importing

    with kit_for(examiner=examiner, model=model) as kit:
        return importing.import_file(kit, file, area, as_json=as_json)


@cli.command()
@click.argument("path", required=False, type=FileName())
@click.option("--all", "is_whole", is_flag=True, help="Prove every task again, also those whose proof is recorded.")
def check(path: Path | None, is_whole: bool) -> int:
    """Prove the content: all, or one question or task."""
    from interviewer.cli import check as authoring

    return authoring.check(path, is_whole)


if __name__ == "__main__":
    main()
