"""What can be wrong with the bank's files; every problem names the file and the key, and no later problem is hidden.

BankError
├── QuestionFileError   one question file
├── QuestionTreeError   the folder of questions: its files, strays, and slugs used twice
└── SeedsError          the list of source items
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.errors import InterviewerError


class BankError(InterviewerError):
    """Hold everything that is wrong, one line for each problem."""

    kind = "bank"

    def __init__(self, problems: Sequence[str]) -> None:
        fix = "Mend the question file; interviewer check lists every complaint."
        super().__init__("\n".join(problems), fix)
        self.problems = tuple(problems)


class QuestionFileError(BankError):
    """Say what is wrong in one question file."""


class QuestionTreeError(BankError):
    """Say what is wrong in the folder of questions, with the problems of every file in it."""


class SeedsError(BankError):
    """Say what is wrong in the list of source items."""
