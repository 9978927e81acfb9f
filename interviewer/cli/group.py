"""The click group of all commands. A command's module is only imported when that command runs, never for `--help`."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NamedTuple

import click

from interviewer import __version__

LIBRARIES = ("textual", "litellm", "torch", "docker")
EXAMPLES = """\b
Examples:
  interviewer                                   the app
  interviewer challenge --pick bugs             a bug-hunt hour
  interviewer interview --plain --minutes 20    an interview on plain lines
  interviewer grade gae gae.py --json           one submission, as JSON
"""


class Entry(NamedTuple):
    """The location of a command (a module of `interviewer.cli` and an attribute) and its short help."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "calibrate": Entry(
        "calibrate",
        "calibrate",
        "Score the examiner on the bundled gold answers; its results then stand beside every score.",
    ),
    "challenge": Entry(
        "challenge", "challenge", "Code against the clock: one TASK, your weakest, one by chance, or a set."
    ),
    "check": Entry("check", "check", "Prove the content: all, or one question or task."),
    "class": Entry(
        "classroom", "class_", "Sum up a class: FOLDER holds one exported practice log (*.jsonl) for each person."
    ),
    "completion": Entry(
        "settings",
        "completion",
        """Print the completion of a shell, as in: eval "$(interviewer completion bash)".""",
    ),
    "doctor": Entry("doctor", "doctor", "Say what works here, what does not, and how to mend it."),
    "errors": Entry(
        "errors", "errors", "List the latest failures of the app, or show one by the id that was shown with it."
    ),
    "export": Entry(
        "export",
        "export",
        "Write the log to FILE: JSON lines (can be imported), CSV, Markdown, or an Anki deck of what was asked.",
    ),
    "forget": Entry("forget", "forget", "Delete a session or an attempt from the log, or all of them, for good."),
    "grade": Entry(
        "grade", "grade", "Grade one submission and keep it as practice; exit code 1 when it does not pass."
    ),
    "grade-all": Entry(
        "grade_all",
        "grade_all",
        "Grade every *.py in FOLDER, one after the other, all on the same cases; hidden files are passed over.",
    ),
    "import": Entry(
        "import_questions",
        "import_questions",
        "Turn a Markdown or text list of questions into draft files of your own; never overwrites.",
    ),
    "import-log": Entry(
        "import_log",
        "import_log",
        "Add the sessions and attempts of an exported JSONL file; what is there already stays as it is.",
    ),
    "interview": Entry("interview", "interview", "Hold a mock interview."),
    "judge": Entry("judge", "judge", "Assess one answer, read from FILE or stdin."),
    "log": Entry("log", "log", "List the sessions, show one's debrief, search, or look at what the weeks add up to."),
    "new": Entry("new", "new", "Start a piece of content of your own."),
    "observe": Entry("observe", "observe", "Join a running session: watch it, ask the next question, tick points."),
    "paths": Entry(
        "settings",
        "paths",
        "Print where config, practice log and cache lie; removing these folders removes all that was kept.",
    ),
    "questions": Entry("content", "questions", "List the questions, or show one with its ladder and answers."),
    "replay": Entry(
        "replay",
        "replay",
        "Play an exported session again, move by move; exit code 1 when today's rules choose other moves.",
    ),
    "report": Entry("report", "report", "Print the report of one session, or of all practice, as Markdown."),
    "review": Entry("review", "review", "List what is due today, most overdue first, and how to start it."),
    "sandbox": Entry("sandbox", "sandbox", "Build, inspect and clean the Docker sandbox."),
    "serve": Entry(
        "serve.server",
        "serve",
        "Open the app to browsers on this machine, at the address that is printed; Ctrl+C ends it.",
    ),
    "settings": Entry("settings", "settings", "Print the settings, or one KEY, or give it a VALUE."),
    "start": Entry("start", "start", "Write a task's starter and statement; never overwrites."),
    "tasks": Entry("content", "tasks", "List the coding tasks, or show one's statement."),
    "watch": Entry("watch", "watch", "Grade FILE on every save, until ctrl+c."),
}


class LazyGroup(click.Group):
    """A click group with a placeholder and short help for each command; the command itself is imported when resolved.

    Help, completion of names and the suggestions for mistyped names are click's own and only need the placeholders.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the imported command and the remaining arguments. Raises: click.UsageError."""
        name, stand_in, rest = super().resolve_command(ctx, args)
        if name is None or stand_in is None:
            return name, stand_in, rest
        entry = COMMANDS[name]
        return name, getattr(import_module(f"interviewer.cli.{entry.module}"), entry.attribute), rest


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code. Every failure is printed as a message, or as JSON with `--json`."""
    try:
        result = cli.main(args=arguments, prog_name="interviewer", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return int(stop.exit_code)
    except (Exception, KeyboardInterrupt) as error:
        from interviewer.cli.output import print_failure  # `--help` does not need this module

        return print_failure(error, as_json="--json" in arguments)
    return result if isinstance(result, int) else 0


def show_version(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the versions of the app, of Python and of the main libraries, and exit."""
    if not is_wanted or context.resilient_parsing:
        return
    import platform

    click.echo(f"interviewer {__version__}, Python {platform.python_version()}, {sys.platform}")
    click.echo(", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES))
    context.exit()


def _version_of(library: str) -> str:
    from importlib import metadata  # takes 18 ms, and --help does not need it

    # From the metadata, because importing litellm or torch would take seconds.
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "not installed"


@click.group(
    cls=LazyGroup,
    commands={name: click.Command(name, help=entry.help) for name, entry in COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
    epilog=EXAMPLES,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the versions of app, Python and libraries.",
)
@click.pass_context
def cli(context: click.Context) -> int:
    """Interview yourself for RL and LLM-training jobs; without a command the app opens."""
    if context.invoked_subcommand is None:
        from interviewer.cli.launch import open_at_home

        return open_at_home()
    return 0
