"""Load the user's own questions beside the shipped ones; a malformed file is reported and skipped, never fatal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.bank.parse import Draft
from interviewer.session.question import Question


@dataclass(frozen=True)
class UserQuestions:
    """Hold what a user's folder holds.

    `questions` are drawn like those that ship, `drafts` are asked only when they are named, and `forms` are drafts
    without a point, by which nothing could be judged. `problems` says what was left out, and why.
    """

    folder: Path
    questions: tuple[Question, ...] = ()
    drafts: tuple[Question, ...] = ()
    forms: tuple[Question, ...] = ()
    problems: tuple[str, ...] = ()

    def path_of(self, question: Question) -> Path:
        """Return the file of one of these questions."""
        return self.folder / question.area / f"{question.id}.toml"

    def why_unusable(self, question_id: str) -> str:
        """Return why the question with this id cannot be asked; "" when nothing here speaks against it."""
        form = next((form for form in self.forms if form.id == question_id), None)
        if form:
            return f"{self.path_of(form)} has no [[point]] yet; answers cannot be judged without points"
        return "\n".join(line for line in self.problems if f"/{question_id}.toml:" in line)


def load_user_questions(folder: Path, shipped: Path = QUESTIONS) -> UserQuestions:
    """Return the questions of a user's folder; nothing when there is no such folder.

    Left out and told: what is no sound question, and one whose id a question that ships has, or an earlier one here.
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
    """Return the questions whose ids are theirs alone, and what is said of the others that ship.

    Two own files with one id were told when the folder was read.
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
