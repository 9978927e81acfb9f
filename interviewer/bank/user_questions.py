"""Loads the user's own questions alongside the shipped ones; a malformed file is reported and skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.bank.parse import Draft
from interviewer.session.question import Question


@dataclass(frozen=True)
class UserQuestions:
    """The contents of a user's question folder.

    `questions` are selected at random, like shipped questions. `drafts` are asked only if requested by name. `forms`
    are drafts without any points, so answers to them cannot be judged. `problems` lists the skipped files and the
    reasons.
    """

    folder: Path
    questions: tuple[Question, ...] = ()
    drafts: tuple[Question, ...] = ()
    forms: tuple[Question, ...] = ()
    problems: tuple[str, ...] = ()

    def path_of(self, question: Question) -> Path:
        """Return the path of a question's file."""
        return self.folder / question.area / f"{question.id}.toml"

    def why_unusable(self, question_id: str) -> str:
        """Return why the question with this id cannot be asked; "" if no reason is known."""
        form = next((form for form in self.forms if form.id == question_id), None)
        if form:
            return f"{self.path_of(form)} has no [[point]] yet; answers cannot be judged without points"
        return "\n".join(line for line in self.problems if f"/{question_id}.toml:" in line)


def load_user_questions(folder: Path, shipped: Path = QUESTIONS) -> UserQuestions:
    """Return the questions in a user's folder; empty if the folder does not exist.

    Skips and reports invalid questions, and questions whose id is already used by a shipped or earlier question.
    """
    if not folder.exists():
        return UserQuestions(folder)
    folder = folder.resolve()
    try:
        read, problems = read_questions(folder, is_own=True)
    except OSError as error:
        return UserQuestions(folder, problems=(f"{error.filename or folder}: cannot be read: {error.strerror}",))
    kept, taken = _untaken(folder, read, shipped)
    drafts = [question for question in kept if isinstance(question, Draft)]
    return UserQuestions(
        folder,
        questions=tuple(question for question in kept if not isinstance(question, Draft)),
        drafts=tuple(draft for draft in drafts if draft.points),
        forms=tuple(draft for draft in drafts if not draft.points),
        problems=(*problems, *taken),
    )


def _untaken(folder: Path, read: Iterable[Question], shipped: Path) -> tuple[list[Question], list[str]]:
    """Return the questions whose ids are not used by shipped questions, and a problem for each remaining question.

    Duplicate ids among the user's own files were already reported when the folder was read.
    """
    ours = {path.stem: path for path in shipped.glob("*/*.toml")}
    kept: dict[str, Question] = {}
    problems = []
    for question in read:
        if question.id in ours:
            path = folder / question.area / f"{question.id}.toml"
            problems.append(
                f"{path}: the id '{question.id}' is already used by the bundled {ours[question.id]}; rename your file"
            )
        else:
            kept.setdefault(question.id, question)
    return list(kept.values()), problems
