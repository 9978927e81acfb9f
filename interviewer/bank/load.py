"""Loads the shipped questions and tasks, and the list of source items they cover; an unexpected file is an error.

BankError
├── QuestionFileError   one question file
├── QuestionTreeError   the folder of questions: its files, unexpected files, and duplicate slugs
├── TaskTopicsError     the topics of the shipped tasks
└── SeedsError          the list of source items
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from interviewer.bank.fields import Fields, did_you_mean, read_toml
from interviewer.bank.parse import NAME, parse_question
from interviewer.bank.topics import TOPICS
from interviewer.errors import InterviewerError
from interviewer.session.question import Question
from tasks.fields import line_of
from tasks.load import load_tasks
from tasks.task import Task

QUESTIONS = Path(__file__).parent / "questions"
AREAS = (
    "foundations",
    "value_methods",
    "policy_gradients",
    "trust_regions",
    "llm_objectives",
    "reward_preference",
    "offline_exploration",
    "bandits",
    "rl_systems",
    "rollout_inference",
    "parallelism_memory",
    "numerics",
    "moe",
    "frameworks",
    "data_experience",
    "system_design",
)


class BankError(InterviewerError):
    """Invalid content in the bank, with one line for each problem."""

    kind = "bank"

    def __init__(self, problems: Sequence[str]) -> None:
        fix = "Fix the question file. Run `interviewer check` to list all problems."
        super().__init__("\n".join(problems), fix)
        self.problems = tuple(problems)


class QuestionFileError(BankError):
    """A question file has problems."""


class QuestionTreeError(BankError):
    """The questions folder has problems; the problems of every file in the folder are included."""


class TaskTopicsError(BankError):
    """A shipped task has a topic that is not in the list of topics."""


class SeedsError(BankError):
    """The file that lists the source items has problems."""


def load_questions(folder: Path | None = None) -> tuple[Question, ...]:
    """Return all questions in a folder (by default, the shipped questions), sorted by area and id.

    The phrasings of the shipped questions are not compiled: the gate has already checked them, and compiling them would
    delay the home screen. Raises QuestionTreeError, with all problems, if a file is invalid.
    """
    questions, problems = read_questions(folder or QUESTIONS, is_proved=folder is None)
    if problems:
        raise QuestionTreeError(problems)
    return questions


def load_shipped_tasks() -> tuple[Task, ...]:
    """Return the shipped tasks, sorted by area and id. Raises TaskError or TaskTopicsError if a task is invalid."""
    tasks = load_tasks()
    if problems := unknown_task_topics(tasks):
        raise TaskTopicsError(problems)
    return tasks


def unknown_task_topics(tasks: Iterable[Task]) -> list[str]:
    """Return a problem for each topic of these tasks that is not in the list of topics."""
    problems = []
    for task in tasks:
        if not set(task.topics) <= set(TOPICS):
            path = task.folder / "task.toml"
            problems += unknown_topics(path, task.topics, line_of(path.read_text(encoding="utf-8"), ("topics",)))
    return problems


def load_question(path: Path) -> Question:
    """Return the question in one file. Raises QuestionFileError, with all problems, if the file is invalid."""
    question, problems = parse_question(path)
    if question is None:
        raise QuestionFileError(problems)
    return question


def read_questions(
    folder: Path, *, is_proved: bool = False, is_own: bool = False
) -> tuple[tuple[Question, ...], list[str]]:
    """Return the valid questions in a folder and the problems in the other files, so that the gate can continue.

    A user's own folder may use any area, and files whose names begin with a dot are ignored there.
    """
    paths, problems = _question_paths(folder, is_own)
    questions = []
    for path in paths:
        question, faults = parse_question(path, is_proved=is_proved, is_own=is_own)
        problems += faults
        if question is not None and folder == QUESTIONS:
            problems += unknown_topics(path, question.topics)
        if question is not None:
            questions.append(question)
    return tuple(questions), problems


def unknown_topics(path: Path, topics: Iterable[str], line: int = 0) -> list[str]:
    """Return a problem for each topic of a file that is not in the list of topics; `line` is 0 if unknown."""
    return [
        f"{path}{f':{line}' if line else ''}: topics: unknown topic '{topic}'{did_you_mean(topic, TOPICS)}"
        for topic in topics
        if topic not in TOPICS
    ]


def _question_paths(folder: Path, is_own: bool) -> tuple[list[Path], list[str]]:
    if not folder.is_dir():
        return [], [f"{folder}: no such folder; expected the question folder"]
    paths: list[Path] = []
    problems: list[str] = []
    for area in _entries(folder, is_own):
        if not area.is_dir():
            problems.append(f"{area}: unknown file; question files are <area>/<slug>.toml")
        elif is_own and not NAME.fullmatch(area.name):
            problems.append(f"{area}: the area name must be snake_case; rename the folder")
        elif not is_own and area.name not in AREAS:
            problems.append(f"{area}: unknown area '{area.name}'{did_you_mean(area.name, AREAS)}")
        else:
            for path in _entries(area, is_own):
                if path.is_file() and path.suffix == ".toml" and NAME.fullmatch(path.stem):
                    paths.append(path)
                else:
                    problems.append(f"{path}: unknown file; a question file is named <snake_case>.toml")
    return paths, problems + _slugs_used_twice(paths)


def _entries(folder: Path, is_own: bool) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if not (is_own and path.name.startswith("."))]


def _slugs_used_twice(paths: Iterable[Path]) -> list[str]:
    first: dict[str, Path] = {}
    problems = []
    for path in paths:
        other = first.setdefault(path.stem, path)
        if other is not path:
            problems.append(f"{path}: the slug '{path.stem}' is taken by {other}; rename one of them")
    return problems


SEEDS = Path(__file__).parent / "seeds.toml"


def load_source_items(path: Path = SEEDS) -> dict[str, str]:
    """Return the text of each source item, by its id. Raises SeedsError, with all problems, if the file is invalid."""
    table, problems = read_toml(path)
    seeds: dict[str, str] = {}
    if not problems:
        fields = Fields(table, f"{path}: ", problems)
        fields.integer("format", 1, 1)
        for entry in fields.tables("seed"):
            seed, says = entry.text("id"), entry.text("says")
            entry.reject_unknown_keys()
            if seed in seeds:
                entry.add_problem("id", f"'{seed}' is listed twice")
            seeds[seed] = says
        fields.reject_unknown_keys()
    if problems:
        raise SeedsError(problems)
    return seeds
