"""A checked source is opened in its repository, and sources that were checked long ago or never are listed."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from interviewer.authoring.check import check_questions
from interviewer.authoring.sources import source_files, source_lines, sourced_numbers, stale_lines, why_not_openable
from interviewer.bank.load import load_questions
from interviewer.cli.group import run
from interviewer.session.question import Question
from tasks.load import load_tasks

TABLE = """source = [
    "arXiv:1707.06347, eq. 7",
    { says = "verl-project/verl core_algos.py (clip)", repository = "verl-project/verl", path = "core_algos.py", \
terms = ["torch.clamp", "cliprange"], checked = "verl 0.7 @ COMMIT, 2026-08" },
    "vwxyzjn/cleanrl cleanrl/ppo.py",
]"""


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    return subprocess.run(
        ["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository whose first commit has both terms and whose second one has neither."""
    folder = tmp_path / "clones" / "verl-project" / "verl"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    for text in ("ratio = torch.clamp(ratio, 1 - cliprange, 1 + cliprange)\n", "pass\n"):
        (folder / "core_algos.py").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "x")
    return folder


@pytest.fixture
def question(bank: Path, good: str, clone: Path) -> Question:
    first = git(clone, "rev-list", "--max-parents=0", "HEAD")[:7]
    path = bank / "trust_regions" / "small_clip.toml"
    path.write_text(good.replace('source = ["arXiv:1707.06347, eq. 7"]', TABLE.replace("COMMIT", first)))
    return load_questions(bank)[0]


def with_source(question: Question, **changes: str | Sequence[str]) -> list[Question]:
    (source,) = question.checked_sources
    return [replace(question, checked_sources=(replace(source, **changes),))]  # type: ignore[arg-type]


def test_a_checked_source_is_read_beside_plain_ones(question: Question) -> None:
    (source,) = question.checked_sources

    assert question.source == (
        "arXiv:1707.06347, eq. 7",
        "verl-project/verl core_algos.py (clip)",
        "vwxyzjn/cleanrl cleanrl/ppo.py",
    )
    assert (source.repository, source.path, source.terms) == (
        "verl-project/verl",
        "core_algos.py",
        ("torch.clamp", "cliprange"),
    )
    assert source.day == datetime.date(2026, 8, 1)
    assert replace(source, checked="verl 0.7 @ 1dda039, 2026-08-22").day == datetime.date(2026, 8, 22)
    assert question.sources_with_versions == (
        "arXiv:1707.06347, eq. 7",
        f"verl-project/verl core_algos.py (clip) [{source.checked}]",
        "vwxyzjn/cleanrl cleanrl/ppo.py",
    )


def test_the_terms_are_looked_up_at_the_commit(question: Question, clone: Path) -> None:
    clones = clone.parents[1]
    newest = git(clone, "rev-parse", "HEAD")[:7]

    assert source_lines([question], clones) == ([], [])
    (absent,) = source_lines(with_source(question, terms=("torch.clamp", "dual")), clones)[0]
    assert "trust_regions/small_clip.toml: source core_algos.py" in absent
    assert absent.endswith("'dual' does not occur there")
    assert len(source_lines(with_source(question, checked=f"verl 0.8 @ {newest}, 2026-09"), clones)[0]) == 2


@pytest.mark.parametrize("change", [{"path": "losses.py"}, {"checked": "verl 0.7 @ 0123456, 2026-08"}])
def test_a_file_or_commit_that_does_not_exist_is_a_problem(
    question: Question, clone: Path, change: dict[str, str]
) -> None:
    (line,) = source_lines(with_source(question, **change), clone.parents[1])[0]

    assert "does not occur" not in line
    assert any(word in line for word in ("losses.py", "0123456"))


def test_a_plain_folder_is_read_as_it_is_and_a_missing_clone_is_named(question: Question, tmp_path: Path) -> None:
    folder = tmp_path / "plain" / "verl-project" / "verl"
    folder.mkdir(parents=True)
    (folder / "core_algos.py").write_text("torch.clamp(cliprange)")

    assert source_lines([question], tmp_path / "plain") == ([], [])
    assert source_lines([question], tmp_path) == ([], ["verl-project/verl"])


def test_old_and_missing_checks_are_listed_and_papers_are_not(question: Question) -> None:
    def listed(days: int, today: datetime.date) -> list[str]:
        return [line.split(": ", 1)[1] for line in stale_lines([question], days, today)]

    never = "never checked: vwxyzjn/cleanrl cleanrl/ppo.py"
    assert listed(180, datetime.date(2027, 1, 28)) == [never]
    old, other = listed(180, datetime.date(2027, 1, 29))
    assert old.startswith("181 days old: verl 0.7 @ ")
    assert other == never


def test_a_text_with_the_date_of_its_commit_grows_old_and_one_without_was_never_checked(question: Question) -> None:
    file = "verl-project/verl core_algos.py at commit 1dda039{}: `torch.clamp`"
    read = (file.format(" read 2026-08-22"), "pytorch/pytorch issue 152127 read 2026-08-22 (collectives and autograd)")
    texts = (
        "arXiv:1707.06347, eq. 7",
        file.format(" of 2026-08-22"),
        file.format(" of 2026-08"),
        *read,
        file.format(""),
    )
    asked = replace(question, source=texts, checked_sources=())
    task = replace(load_tasks()[0], source=texts)

    def listed(days: int) -> list[str]:
        of_question, of_task = (
            [line.split(": ", 1)[1] for line in stale_lines(questions, days, datetime.date(2026, 9, 1), tasks)]
            for questions, tasks in (([asked], []), ([], [task]))
        )
        assert of_question == of_task
        return of_question

    day, month, never = (f"10 days old: {texts[1]}", f"31 days old: {texts[2]}", f"never checked: {texts[5]}")
    assert listed(9) == [day, month, *(f"10 days old: {text}" for text in read), never]
    assert listed(10) == [month, never]
    assert listed(31) == [never]


def test_no_source_of_a_shipped_task_is_from_the_future() -> None:
    today, tasks = datetime.date.today(), load_tasks()

    # -1 days leave out what is dated after today; -100,000 days leave out nothing.
    assert list(stale_lines([], -1, today, tasks)) == list(stale_lines([], -100_000, today, tasks))


def test_the_command_fails_for_a_missing_term(
    clone: Path, question: Question, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [question]
    monkeypatch.setattr("interviewer.cli.check.load_questions", lambda: asked)
    monkeypatch.setattr("interviewer.cli.check.load_tasks", tuple)
    arguments = ["check", "--sources", "--clones", str(clone.parents[1]), "--stale", "100000"]

    assert run(arguments) == 0
    output = capsys.readouterr().out
    assert "sources: 1 file pinned to a commit, 1 looked up in a clone, 0 complaints" in output
    assert "sources: 1 never checked or checked more than 100000 days ago" in output

    asked[:] = with_source(question, terms=("dual",))
    assert run(arguments) == 1
    assert "'dual' does not occur there" in capsys.readouterr().out
    assert run(["check", "--clones", str(clone)]) == 2
    assert run(["check", "--sources", "--clones", str(clone)]) == 0
    output = capsys.readouterr().out
    assert "sources: 1 file pinned to a commit, 0 looked up in a clone, 0 complaints" in output
    assert "not opened, because there is no clone: verl-project/verl" in output


def test_each_shipped_source_has_a_date() -> None:
    lines = stale_lines(load_questions(), 100_000, datetime.date.today(), load_tasks())

    assert [line for line in lines if "never checked" in line] == []


def test_each_shipped_source_was_checked_against_a_real_version() -> None:
    checked = [source for question in load_questions() for source in question.checked_sources]

    assert len(checked) > 150
    assert {len(source.commit) for source in checked} == {7}
    assert all(source.day <= datetime.date.today() for source in checked)


def test_a_source_from_the_future_is_a_problem(question: Question) -> None:
    today = datetime.date.today()
    complaints = [
        line
        for checked in (f"verl 0.7 @ 1dda039, {today}", "verl 0.7 @ 1dda039, 2099-01")
        for line in check_questions(with_source(question, checked=checked))
        if "in the future" in line
    ]
    assert len(complaints) == 1
    assert "source core_algos.py: 'verl 0.7 @ 1dda039, 2099-01' is in the future" in complaints[0]


def test_a_text_that_names_a_file_and_its_commit_is_opened_too(question: Question, clone: Path) -> None:
    commits = git(clone, "log", "--format=%h").split()
    named = "verl-project/verl core_algos.py at commit {}: `torch.clamp`, `cliprange` (the clip)"
    clones = clone.parents[1]

    def lines(text: str) -> list[str]:
        task = replace(load_tasks()[0], source=(text,))
        asked = replace(question, source=(text,), checked_sources=())
        (of_question, of_task) = (source_lines([asked], clones)[0], source_lines([], clones, [task])[0])
        assert len(of_question) == len(of_task)
        return of_question

    assert lines(named.format(commits[-1])) == []
    assert len(lines(named.format(commits[0]))) == 2
    (missing,) = lines(named.format("0123456"))
    assert "0123456" in missing
    assert lines("arXiv:1707.06347, eq. 7") == []
    assert source_lines([replace(question, source=(named.format("0123456"),))], clone)[1] == ["verl-project/verl"]


OPENABLE = (
    "arXiv:1707.06347 (PPO), section 3, eq. 7",
    "arXiv:2512.07783, abstract (edge of competence)",
    "Sutton and Barto, Reinforcement Learning, 2nd edition, chapters 5 and 6",
    "pytorch/pytorch torch/random.py at commit cf30153: `def get_rng_state()`",
    "pytorch/pytorch, issue 152127 (c10d collectives and autograd)",
    "J. Schulman, Approximating KL divergence, 2020, joschu.net/blog/kl-approx.html",
    "two gloo ranks under torch 2.13 (measured 2026-11)",
)
NOT_OPENABLE = (
    "tajwarfahim/maxrl",
    "CLR-Lab/SimKO verl/trainer/ppo/core_algos.py (compute_policy_loss_simko)",
    "deepseek-ai/DeepSeek-R1 DeepSeek_R1.pdf, section 2.2",
    "deepseek-ai/DeepSeek-V4-Pro model card, April 2026",
    "PyTorch documentation, torch.distributed: all_reduce",
    "vLLM documentation, section Automatic Prefix Caching",
    "Qwen2.5-7B config.json: 28 layers",
    "Cohen 1960, A coefficient of agreement for nominal scales (kappa)",
    "arXiv:2512.02556 (off-policy sequence masking)",
    "DeepSeek_V3_2.pdf, section 2: top-k of the indexer",
    "the GRPO paper, section 4",
    "Schulman et al. 2017, section 3, eq. 7",
    "section 2.1 of the technical report",
)


@pytest.mark.parametrize("text", OPENABLE)
def test_a_source_with_its_place_can_be_opened(text: str) -> None:
    assert why_not_openable(text) == ""


@pytest.mark.parametrize("text", NOT_OPENABLE)
def test_a_source_without_its_place_cannot_be_opened(text: str) -> None:
    assert why_not_openable(text)


def test_each_shipped_source_can_be_opened() -> None:
    texts = {
        question.id: set(question.source) - {source.says for source in question.checked_sources}
        for question in load_questions()
    }
    texts |= {task.id: set(task.source) for task in load_tasks()}

    assert [(id_, text) for id_, found in texts.items() for text in found if why_not_openable(text)] == []


def test_each_shipped_file_has_a_term_that_is_looked_up() -> None:
    assert [source.where for source in source_files(load_questions(), load_tasks()) if not source.terms] == []


def test_the_origin_of_each_sourced_number_can_be_opened() -> None:
    numbers = [number for question in load_questions() for number in sourced_numbers(question.id)]

    assert len(numbers) > 100
    assert [(where, text) for where, text in numbers if why_not_openable(text)] == []


def test_the_terms_of_a_sourced_number_are_looked_up_too(
    question: Question, clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.authoring.sources.NUMBERS", tmp_path)
    first = git(clone, "rev-list", "--max-parents=0", "HEAD")[:7]
    (tmp_path / f"{question.id}.toml").write_text(
        '["rung 2".sourced]\n"0.2" = "arXiv:1707.06347, section 6.1"\n'
        f'"1.2" = "verl-project/verl core_algos.py at commit {first}: `cliprange`, `dual`"\n'
        f'"0.1" = "huggingface/trl grpo.py at commit {first}: `epsilon`"\n'
    )

    (absent,), without_clone = source_lines([question], clone.parents[1])
    assert absent.startswith("numbers/small_clip.toml: rung 2: '1.2'")
    assert absent.endswith("'dual' does not occur there")
    assert without_clone == ["huggingface/trl"]
