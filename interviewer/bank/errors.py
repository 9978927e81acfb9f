"""What can be wrong with the bank's files; every problem names the file and the key, and no later problem is hidden.

BankError
├── QuestionFileError   one question file
├── QuestionTreeError   the folder of questions: its files, strays, and slugs used twice
└── SeedsError          the list of source items
"""

from __future__ import annotations

from collections.abc import Sequence


class BankError(Exception):
    """Hold everything that is wrong, one line for each problem."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class QuestionFileError(BankError):
    """Say what is wrong in one question file."""


class QuestionTreeError(BankError):
    """Say what is wrong in the folder of questions, with the problems of every file in it."""


class SeedsError(BankError):
    """Say what is wrong in the list of source items."""
