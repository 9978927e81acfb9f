"""The click group for all commands. A command's module is only imported when that command runs, never for `--help`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import click

from interviewer import __version__

LIBRARIES = ("textual", "litellm", "torch", "docker")
EXAMPLES = """\b
Examples:
  interviewer                                   open the app
  interviewer challenge --pick bugs             an hour of bug hunting
  interviewer interview --plain --minutes 20    a plain-text interview
  interviewer grade gae gae.py --json           grade a submission, JSON output
"""


class Entry(NamedTuple):
    """The location of a command (a module of `interviewer.cli` and an attribute) and its short help."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "bench-model": Entry(
        "bench_model",
        "bench_model",
        "Measure a language model on the coding tasks, and write an HTML report.",
    ),
    "calibrate": Entry(
        "calibrate",
        "calibrate",
        "Score the examiner on the bundled gold answers; its results are then shown next to every score.",
    ),
    "challenge": Entry(
        "challenge", "challenge", "Code against the clock: one TASK, your weakest task, a random one, or a set."
    ),
    "check": Entry("check", "check", "Check the content: all of it, or one question or task."),
    "class": Entry(
        "classroom", "class_", "Summarize a class. FOLDER contains one exported practice log (*.jsonl) per person."
    ),
    "completion": Entry(
        "settings",
        "completion",
        """Print the completion script for a shell. Example: eval "$(interviewer completion bash)".""",
    ),
    "doctor": Entry("doctor", "doctor", "Show what works on this machine, what does not, and how to fix it."),
    "errors": Entry("errors", "errors", "List recent internal errors, or show one by its id."),
    "export": Entry(
        "export",
        "export",
        "Export the log to FILE: JSON Lines (can be imported again), CSV, Markdown, or an Anki deck of your questions.",
    ),
    "forget": Entry("forget", "forget", "Permanently delete a session, an attempt, or the whole log."),
    "grade": Entry(
        "grade", "grade", "Grade one submission and save it to the practice log. Exits with 1 if it does not pass."
    ),
    "grade-all": Entry(
        "grade_all",
        "grade_all",
        "Grade every *.py in FOLDER, all on the same cases. Hidden files are skipped.",
    ),
    "import": Entry(
        "import_questions",
        "import_questions",
        "Turn a Markdown or text list of questions into draft question files. Never overwrites files.",
    ),
    "import-log": Entry(
        "import_log",
        "import_log",
        "Add the sessions and attempts from an exported JSONL file. Existing entries are not changed.",
    ),
    "interview": Entry("interview", "interview", "Start a mock interview."),
    "judge": Entry("judge", "judge", "Judge one answer, read from FILE or stdin."),
    "lab": Entry(
        "lab",
        "lab",
        "Find out why your memory estimate is wrong.",
    ),
    "log": Entry("log", "log", "List sessions, show a session's debrief, search, or show trends."),
    "new": Entry("new", "new", "Create your own content."),
    "observe": Entry("observe", "observe", "Join a running session: watch it, ask the next question, tick points."),
    "paths": Entry(
        "settings",
        "paths",
        "Print the paths of the config, data (practice log) and cache folders. "
        "Deleting these folders deletes everything that interviewer saved.",
    ),
    "questions": Entry("content", "questions", "List the questions, or show one with its rungs and answers."),
    "regrade": Entry(
        "regrade",
        "regrade",
        "Grade all submissions in your log again, or only those for TASK, and list differences. "
        "The log is not changed.",
    ),
    "replay": Entry(
        "replay",
        "replay",
        "Replay an exported session move by move. Exits with 1 if the current rules choose different moves.",
    ),
    "report": Entry("report", "report", "Print a Markdown report of one session, or of all your practice."),
    "review": Entry(
        "review", "review", "List the reviews due today, most overdue first, each with the command to start it."
    ),
    "sandbox": Entry("sandbox", "sandbox", "Build, inspect or clean up the Docker sandbox."),
    "serve": Entry(
        "serve.server",
        "serve",
        "Serve the app to browsers on this machine and print its address. Stop with Ctrl+C.",
    ),
    "settings": Entry("settings", "settings", "Print all settings or one KEY, or set KEY to VALUE."),
    "start": Entry("start", "start", "Write a task's starter code and statement to files. Never overwrites files."),
    "tasks": Entry("content", "tasks", "List the coding tasks, or show the statement of one."),
    "watch": Entry("watch", "watch", "Grade FILE on every save. Stop with Ctrl+C."),
}


class LazyGroup(click.Group):
    """A click group with a placeholder and short help for each command; the command itself is imported when resolved.

    For help, name completion and suggestions for mistyped names, click needs only the placeholders.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context for these arguments. Raises _OutputClosed if nobody reads the help text."""
        with _hidden_from_click():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and return its result. Raises _OutputClosed if nobody reads the output."""
        with _hidden_from_click():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        Raises click.UsageError if there is no such command.
        """
        name, stand_in, rest = super().resolve_command(ctx, args)
        if name is None or stand_in is None:
            return name, stand_in, rest
        entry = COMMANDS[name]
        return name, getattr(import_module(f"interviewer.cli.{entry.module}"), entry.attribute), rest


class _OutputClosed(Exception):
    """The program that reads the output has exited; the cause is the BrokenPipeError."""


@contextmanager
def _hidden_from_click() -> Iterator[None]:
    """Raise _OutputClosed instead of BrokenPipeError, because click exits with 1 on a BrokenPipeError."""
    try:
        yield
    except BrokenPipeError as error:
        raise _OutputClosed from error


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code. Every failure is printed as a message, or as JSON with `--json`."""
    code = 0
    try:
        result = cli.main(args=arguments, prog_name="interviewer", standalone_mode=False)
        code = result if isinstance(result, int) else 0
        # Flush standard output here: a failure of Python's own flush at exit could not be handled.
        click.echo(nl=False)
    except click.exceptions.Exit as stop:
        return int(stop.exit_code)
    except (Exception, KeyboardInterrupt) as error:
        from interviewer.cli.output import print_failure  # `--help` does not need this module

        cause = error.__cause__ if isinstance(error, _OutputClosed) else error
        assert cause is not None
        # If only the reader of the output has exited, the command's own exit code stands.
        return print_failure(cause, as_json="--json" in arguments) or code
    return code


def show_version(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the versions of the app, of Python and of the main libraries, and exit."""
    if not is_wanted or context.resilient_parsing:
        return
    import platform

    click.echo(f"interviewer {__version__}, Python {platform.python_version()}, {sys.platform}")
    click.echo(", ".join(f"{name} {_version_of(name)}" for name in LIBRARIES))
    context.exit()


def _version_of(library: str) -> str:
    from importlib import metadata  # this import takes 18 ms, and --help does not need it

    # Read the version from the metadata, because importing litellm or torch would take seconds.
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
    help="Show the versions of interviewer, Python and the libraries.",
)
@click.pass_context
def cli(context: click.Context) -> int:
    """Practice interviews for RL and LLM-training jobs. Without a command, the app opens."""
    if context.invoked_subcommand is None:
        from interviewer.cli.launch import open_at_home

        return open_at_home()
    return 0
