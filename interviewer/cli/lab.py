"""Measure the memory that a task asks the user to estimate, and show it next to the user's and reference estimates."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from graders.lab.result import TASKS
from interviewer.cli.files import file_errors_as_bad_input, read_source, write_file
from interviewer.cli.options import AS_JSON, FILE, SANDBOX, DeviceName, FileName, open_context
from interviewer.cli.output import echo, local_time, print_json
from interviewer.config import DEVICES
from interviewer.errors import OK, BadInput
from interviewer.interview.context import AppContext
from interviewer.log.reports.html import html_document
from interviewer.log.reports.lab import KeptLab, lab_page, lab_text, save_lab
from interviewer.tui.ascii import draws_ascii


@click.command()
@click.argument("task")
@click.option(
    "--file", type=FileName(), metavar="FILE", help="Your estimate. Default: your last submission in the practice log."
)
@click.option("--device", type=DeviceName(DEVICES), help="Default: a GPU if torch sees one, else the CPU.")
@SANDBOX
@click.option("--html", type=FILE, metavar="FILE", help="Also write a self-contained HTML page.")
@AS_JSON
def lab(task: str, file: Path | None, device: str | None, sandbox: str | None, html: Path | None, as_json: bool) -> int:
    """Find out why your memory estimate is wrong.

    Runs small real models and shows the measured memory of each phase next to the reference's estimate and yours, for
    the tasks activation_memory, grpo_memory_estimate, kv_bytes, pool_tokens and zero_shard_bytes.
    On a GPU, the lab reads torch's CUDA allocator; on a CPU, it counts tensor allocations. Your code runs only in the
    sandbox. The result is not graded. interviewer report --html includes the latest result for each task.
    """
    with open_context(sandbox=sandbox) as context:
        known, settings = context.task(task), context.settings
        if known.id not in TASKS:
            raise BadInput(f"there is no memory lab for {task}", f"Tasks with a lab: {', '.join(TASKS)}.", "plan")
        source, whose = (read_source(file), str(file)) if file else _last_submission(context, known.id)
        result = context.grader_client.lab(
            str(known.folder), source, device or "auto", sandbox=settings.sandbox, image=settings.image
        )
        kept = KeptLab(time.time(), whose, result)
        with file_errors_as_bad_input(context.folders.data):
            save_lab(context.folders.data, kept)
    if html:
        write_file(html, html_document(known.title, lab_page(kept, known.title)).encode("utf-8"))
    if as_json:
        print_json(result.to_json())
    else:
        echo(lab_text(result, known.title, whose, "#" if draws_ascii(os.environ) else "█"))
    return OK


def _last_submission(context: AppContext, task: str) -> tuple[str, str]:
    """Return the source of the last submission for a task and a description of it; two empty strings if none exists."""
    attempts = context.history().attempts(task)
    if not attempts:
        return "", ""
    return attempts[-1].source, f"your last submission, from {local_time(attempts[-1].at)}"
