"""Import a list of questions as drafts in the user's folder, without overwriting files or duplicating questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from interviewer.authoring.check import find_count_problems
from interviewer.authoring.drafting import InvalidDraft, draft_by_model, make_draft, make_id, make_unique, toml_text
from interviewer.authoring.outline_parser import Outline, OutlineQuestion, read_outline, strip_control
from interviewer.bank.fields import read_toml
from interviewer.bank.load import QUESTIONS
from interviewer.bank.parse import NAME, parse_table
from interviewer.chat.model import ChatError, ChatModel, ReplyUnusable
from interviewer.chat.spending import Budget
from interviewer.cli.options import AS_JSON, EXAMINER, FileName, open_context
from interviewer.cli.output import print_json
from interviewer.errors import OK, BadInput, InterviewerError
from interviewer.examiner.matching.sentences import normalize
from interviewer.interview.context import AppContext
from interviewer.session.phrases import pluralize

FILE_BYTES_MAX = 1 << 20
QUESTIONS_MAX = 500


@dataclass(frozen=True)
class ImportedQuestion:
    """The result of importing one question from the list.

    `missing` lists the content gate's requirements that the draft of this question does not meet.
    """

    id: str
    file: str
    line: int
    prompt: str
    state: str
    ladder_by: str = ""
    points: int = 0
    rungs: int = 0
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@click.command("import")
@click.argument("file", type=FileName())
@click.option("--area", default="imported", show_default=True, help="Folder and topic for the new questions.")
@click.option("--examiner", type=EXAMINER, help="offline: do not use a language model.")
@click.option("--model", metavar="NAME", help="LiteLLM name of the model that drafts the rungs, or scripted/FILE.")
@AS_JSON
def import_questions(file: Path, area: str, examiner: str | None, model: str | None, as_json: bool) -> int:
    """Turn a Markdown or text list of questions into draft question files. Never overwrites files."""
    with open_context(examiner=examiner, model=model) as context:
        return import_file(context, file, area, as_json=as_json)


def import_file(context: AppContext, file: Path, area: str, *, as_json: bool) -> int:
    """Write a draft for each new question in the file, and print what each draft contains and lacks."""
    if not NAME.fullmatch(area):
        raise BadInput(f"--area {area}: expected snake_case", "Example: my_questions.")
    outline = _outline_of(file)
    budget = context.budget("import")
    writer = _Writer(context.folders.questions, area, strip_control(file.name), _Drafter(context.model, budget))
    done = []
    for number, found in enumerate(outline.questions, 1):
        if context.model and not as_json:
            click.echo(f"question {number} of {len(outline.questions)}", err=True)
        try:
            done.append(writer.write(found))
        except OSError as error:
            where = error.filename or context.folders.questions
            raise InterviewerError(f"{where}: {error.strerror}", "Make the folder writable.", "folder") from None
    if as_json:
        passed = [{"line": item.line, "text": item.prompt} for item in outline.passed_over]
        print_json(
            {
                "folder": str(context.folders.questions),
                "questions": [asdict(imported) for imported in done],
                "passed": passed,
            }
        )
    else:
        click.echo("\n".join(_told(done, outline)))
    return OK


def _outline_of(file: Path) -> Outline:
    """Return the questions in a file. Raises BadInput if it is not a list of questions."""
    try:
        if file.is_file() and file.stat().st_size > FILE_BYTES_MAX:
            size = f"{file.stat().st_size / 2**20:.0f} MiB"
            raise BadInput(f"{file}: {size}, expected at most 1 MiB", "Split the list.")
        raw = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}", "Pass a text file.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadInput(f"{file}: not UTF-8 text", "Save the file as UTF-8 plain text.")
    outline = read_outline(text)
    if not outline.questions:
        fix = "Mark each question with a ## heading, a number, Q: at the start, or a question mark at the end."
        raise BadInput(f"{file}: no question found", fix)
    if len(outline.questions) > QUESTIONS_MAX:
        said = f"{file}: {len(outline.questions)} questions, expected at most {QUESTIONS_MAX}"
        raise BadInput(said, "Split the list.")
    return outline


class _Drafter:
    """Draft with the model while it works and is within its budget; otherwise, draft from the list alone."""

    def __init__(self, model: ChatModel | None, budget: Budget) -> None:
        self._model = model
        self._budget = budget

    def draft(self, found: OutlineQuestion, area: str, source: str) -> tuple[dict[str, Any], str, tuple[str, ...]]:
        """Return the draft's TOML table, who wrote its rungs, and notes about the draft.

        The second value is "model" if the model wrote the rungs, and "list" if they were made from the list alone.
        """
        why_not = self._budget.session_cap_reason()
        if self._model and not why_not:
            try:
                return draft_by_model(self._model, found, area, source), "model", ()
            except (InvalidDraft, ReplyUnusable) as error:
                why_not = f"unusable draft from the model: {error}"
            except ChatError as error:
                # The model would fail in the same way for the next question.
                self._model, why_not = None, f"the model failed and will not be called again: {error} {error.fix}"
            finally:
                self._budget.keep()
        return make_draft(found, area, source), "list", (why_not,) if why_not else ()


class _Writer:
    """Writes drafts to a folder, and keeps track of all existing prompts and ids."""

    def __init__(self, folder: Path, area: str, list_name: str, drafter: _Drafter) -> None:
        self._folder, self._area, self._list_name, self._drafter = folder, area, list_name, drafter
        paths = [*QUESTIONS.glob("*/*.toml"), *folder.glob("*/*.toml")]
        self._ids = {path.stem for path in paths}
        self._prompts = {normalize(prompt): path for path, prompt in _prompts_of(paths)}

    def write(self, found: OutlineQuestion) -> ImportedQuestion:
        """Write a draft for a question, unless it already exists, and return the result.

        Raises OSError if the file cannot be written.
        """
        there = self._prompts.get(normalize(found.prompt))
        if there:
            return ImportedQuestion(there.stem, str(there), found.line, found.prompt, "there already")
        source = f"imported from {self._list_name}, line {found.line}"
        table, ladder_by, notes = self._drafter.draft(found, self._area, source)
        wanted = make_id(found.prompt, (), "question")
        path = self._save(wanted, table, source)
        if path.stem != wanted:
            notes += (f"the name {wanted} is taken; saved as {path.stem}",)
        question, problems = parse_table(table, path, is_own=True)
        if question is None:
            raise AssertionError(f"unreadable draft: {problems}")
        said = {point.says for point in question.points}
        notes += tuple(
            f"not converted to a point, because it adds nothing to the question: {answer}"
            for answer in found.answers
            if answer not in said
        )
        counts = len(question.points), len(question.rungs)
        return ImportedQuestion(
            path.stem,
            str(path),
            found.line,
            found.prompt,
            "written",
            ladder_by,
            *counts,
            tuple(find_count_problems(question)),
            notes,
        )

    def _save(self, wanted: str, table: dict[str, Any], source: str) -> Path:
        folder = self._folder / self._area
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            name = make_unique(wanted, self._ids)
            path = folder / f"{name}.toml"
            self._ids.add(name)
            try:
                # Mode "x" does not overwrite a file that was created in the meantime.
                with path.open("x", encoding="utf-8") as file:
                    file.write(toml_text(table, _comments(source, name)))
            except FileExistsError:
                continue
            self._prompts[normalize(table["prompt"])] = path
            return path


def _comments(source: str, name: str) -> list[str]:
    return [
        f"Draft, {source}. Review the whole file: its phrases were generated from words in the answers.",
        "While `draft = true` is set, the question is asked only if you name it: "
        f"interviewer interview --question {name}",
        "Remove that line to use the draft in interviews. Run `interviewer check` on this file to see what it lacks.",
    ]


def _prompts_of(paths: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield all prompts, including those in files with errors, so that a typo does not cause a duplicate."""
    for path in paths:
        prompt = read_toml(path)[0].get("prompt")
        if isinstance(prompt, str):
            yield path, prompt


def _told(done: Sequence[ImportedQuestion], outline: Outline) -> Iterator[str]:
    for question in done:
        if question.state != "written":
            yield f"line {question.line}: already exists: {question.file}"
            continue
        by_whom = "drafted by the model" if question.ladder_by == "model" else "drafted from the list alone"
        made = f"{pluralize(question.points, 'point')}, {pluralize(question.rungs, 'rung')}, {by_whom}"
        yield f"line {question.line}: {question.id}: {made}" + (
            "" if question.points else "; add at least one point, so that it can be asked"
        )
        lacking = [line for line in question.missing if line.startswith("[[")]
        if lacking:
            yield f"    still missing: {'; '.join(lacking)}"
        yield from (f"    {note}" for note in question.notes)
    yield from (
        f"line {question.line}: skipped, not a question: {question.prompt[:80]}" for question in outline.passed_over
    )
    written = [question for question in done if question.state == "written"]
    found, drafts = pluralize(len(done), "question"), pluralize(len(written), "draft")
    yield f"{found} found: {drafts} written, {len(done) - len(written)} already existed"
    askable = next((question.id for question in written if question.points), "")
    if askable:
        yield f"Try one: interviewer interview --question {askable}"
