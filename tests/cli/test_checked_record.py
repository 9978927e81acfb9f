"""A recorded check lets a question be skipped only while nothing that affects the check has changed."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from graders.gate.record import proving_modules
from interviewer.authoring import statements
from interviewer.bank.load import QUESTIONS
from interviewer.cli import check
from interviewer.cli.group import run
from interviewer.session.question import Question
from tasks.task import TaskNames

COUNT = 20


class Checks:
    """Replaces the checks of questions, and records for which questions they are called; "" means all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.of_files: list[str] = []
        self.of_statements: list[str] = []
        self.of_examiner = 0
        self.complaints: list[str] = []
        monkeypatch.setattr(check, "check_question_files", self._files)
        monkeypatch.setattr(check, "check_questions", self._chosen)
        monkeypatch.setattr(statements, "main", self._statements)
        monkeypatch.setattr(check, "_check_examiner", self._examiner)

    def _files(self, arguments: Sequence[str]) -> int:
        self.of_files += arguments or [""]
        return 1 if self.complaints else 0

    def _chosen(self, questions: Sequence[Question], only: Sequence[str]) -> list[str]:
        self.listening = {question.id for question in questions}
        self.of_files += only
        return self.complaints

    def _statements(self, names: Sequence[str]) -> int:
        self.of_statements += names or [""]
        return 0

    def _examiner(self) -> int:
        self.of_examiner += 1
        return 0

    def asked(self, scope: str | None, *, write: bool = False) -> tuple[int, list[str], list[str], int]:
        """Return the check's output, and the questions whose file, statements and gold answers it checked."""
        self.of_files, self.of_statements, self.of_examiner = [], [], 0
        code = check._check_shipped_questions(scope, write)
        return code, self.of_files, self.of_statements, self.of_examiner


@pytest.fixture
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with some shipped questions and its own record."""
    for path in sorted(QUESTIONS.glob("*/*.toml"))[:COUNT]:
        copy = tmp_path / "questions" / path.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
        (tmp_path / "statements").mkdir(exist_ok=True)
        shutil.copy(statements.STATEMENTS / path.name, tmp_path / "statements" / path.name)
    (tmp_path / "seeds.toml").write_text("format = 1\n")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "QUESTIONS", tmp_path / "questions")
    monkeypatch.setattr(check, "SEEDS", tmp_path / "seeds.toml")
    monkeypatch.setattr(check, "GOLD", tmp_path / "gold")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "answers.toml").write_text("format = 1\n")
    monkeypatch.setattr(statements, "STATEMENTS", tmp_path / "statements")
    monkeypatch.setattr(check, "CHECKED", tmp_path / "checked.json")
    return tmp_path / "questions"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    return Checks(monkeypatch)


def test_what_is_unchanged_is_not_checked_but_for_a_random_tenth(
    questions: Path, checks: Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    everything = (0, [""], [""], 1)
    assert checks.asked("--changed") == everything
    assert checks.asked("--all", write=True) == everything
    capsys.readouterr()
    code, files, tried, examiner = checks.asked(None)
    assert (code, len(files), tried, examiner) == (0, COUNT / 10, files, 1)
    assert f"{COUNT} questions have not changed since their last recorded check" in capsys.readouterr().out
    assert checks.asked("--changed") == (0, [], [], 0)
    assert checks.asked("--all") == everything


def test_each_question_is_drawn_again_sooner_or_later() -> None:
    names = [f"question_{number}" for number in range(COUNT)]
    drawn = {name for seed in range(200) for name in check.draw_again(names, random.Random(seed))}
    assert drawn == set(names)


def test_a_changed_question_is_checked_at_once_and_against_it_all_others(questions: Path, checks: Checks) -> None:
    checks.asked("--all", write=True)
    path = sorted(questions.glob("*/*.toml"))[3]
    path.write_text(path.read_text(encoding="utf-8") + "\n# looked through\n", encoding="utf-8")
    assert checks.asked("--changed") == (0, [path.stem], [path.stem], 1)
    assert checks.asked(None) == (0, [""], [""], 1)
    # A question that names the deleted one may be a follow-up to a question that no longer exists.
    path.unlink()
    assert checks.asked("--changed") == (0, [""], [""], 1)


def test_a_complaint_fails_and_leaves_no_record(questions: Path, checks: Checks) -> None:
    checks.asked("--all", write=True)
    checks.complaints = ["area/name.toml: a complaint"]
    assert checks.asked(None)[0] == 1
    assert checks.asked("--all", write=True)[0] == 1
    checks.complaints = []
    assert checks.asked("--changed") == (0, [""], [""], 1)


def test_a_chosen_question_whose_phrasing_does_not_compile_is_complained_of(questions: Path, checks: Checks) -> None:
    checks.asked("--all", write=True)
    path = sorted(questions.glob("*/*.toml"))[3]
    text = path.read_text(encoding="utf-8")
    assert "\nshows = [\n" in text
    path.write_text(text.replace("\nshows = [\n", "\nshows = [\n  '(',\n", 1), encoding="utf-8")
    assert checks.asked("--changed")[0] == 1
    assert path.stem not in checks.listening
    assert len(checks.listening) == COUNT - 1


@pytest.mark.parametrize("damaged", ["", "[]", "[1]", "{", '{"ppo_clipping": 1}', "3"])
def test_a_damaged_record_counts_for_nothing(questions: Path, checks: Checks, damaged: str) -> None:
    check.CHECKED.write_text(damaged, encoding="utf-8")
    assert checks.asked("--changed") == (0, [""], [""], 1)


CHANGES: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "seeds": lambda root, patch: (root / "seeds.toml").write_text("format = 2\n"),
    "gold": lambda root, patch: (root / "gold" / "answers.toml").write_text("format = 2\n"),
    "code": lambda root, patch: patch.setattr(check, "code_digest", lambda *_: b"other code"),
    "tasks": lambda root, patch: patch.setattr(check, "task_names", lambda: TaskNames({"gae": "GAE"}, {}, frozenset())),
    "python": lambda root, patch: patch.setattr(sys, "version_info", (3, 99, 0)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_all_checks_use_enters_each_digest(
    questions: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path, pytest.MonkeyPatch], object]
) -> None:
    before = check.digests()
    assert len(before) == COUNT
    change(questions.parent, monkeypatch)
    after = check.digests()
    assert all(after[name] != before[name] for name in before)


def test_statements_enter_the_digest_of_their_question_alone(questions: Path) -> None:
    before = check.digests()
    path = sorted(statements.STATEMENTS.iterdir())[0]
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    after = check.digests()
    assert [name for name in before if after[name] != before[name]] == [path.stem]


def test_the_code_of_the_checks_enters_the_digests() -> None:
    modules = proving_modules(check._ENTRY_MODULES, check._OWN_PACKAGES)
    assert {"interviewer.examiner.matching.patterns", "interviewer.session.phrases", "tasks.load"} <= set(modules)


@pytest.mark.parametrize("words", [["--write"], ["--write", "--changed"], ["--write", "--all", "tasks"]])
def test_only_a_check_of_everything_is_recorded(words: list[str]) -> None:
    assert run(["check", *words]) == 2
