"""A recorded proof lets a task be skipped only while nothing that affects the proof has changed."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graders.gate import check, proof, record
from graders.gate.check import main
from graders.gate.proof import check_task
from graders.gate.record import Proven, digest_of, proving_modules, read_record, write_record
from graders.outcomes import Judged
from graders.plan import Setting
from graders.verdict import Outcome, Verdict
from tasks.load import load_task
from tasks.task import Task
from tests.graders.build import files_of_mean, make_task, write_task

LOADED = """
import sys
from pathlib import Path
from graders.gate.proof import prove
from tasks.load import load_task
assert prove(load_task(Path(sys.argv[1])), 1).complaints == []
print(*(name for name in sys.modules if name.split(".")[0] in ("graders", "tasks", "sandbox", "interviewer")))
"""


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ten tasks, and the record of their proofs."""
    root = tmp_path_factory.mktemp("proven")
    for number in range(10):
        folder = write_task(root / "content", files_of_mean())
        folder.rename(root / f"task_{number}")
    assert check_task(load_task(root / "task_0"), 1) == []
    # All ten are copies of the same task, so one proof applies to each.
    digest = digest_of(root / "task_0", 1)
    write_record({f"task_{number}": Proven(digest, "2026-01-01", 1, 1, 0) for number in range(10)}, root / "record")
    return root


@pytest.fixture
def folders(proven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Make ten folders the shipped tasks, with their own record and without a cache, and return them."""
    monkeypatch.setenv("CI", "true")
    shutil.copytree(proven, tmp_path, dirs_exist_ok=True)
    folders = sorted(tmp_path.glob("task_*"))
    monkeypatch.setattr(check, "task_folders", lambda: folders)
    monkeypatch.setattr(
        check, "prove_folders", lambda chosen, trial: (check.result_of(folder, trial) for folder in chosen)
    )
    monkeypatch.setattr(check, "SEEDS", 1)
    path = tmp_path / "record"
    monkeypatch.setattr(check, "read_record", lambda: read_record(path))
    monkeypatch.setattr(check, "write_record", lambda proofs: write_record(proofs, path))
    return folders


@pytest.mark.slow
def test_what_is_unchanged_is_not_proven_but_for_a_random_tenth(
    folders: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proven: list[str] = []
    prove = check.prove

    def noted(task: Task, *seeds: int) -> proof.Proof:
        proven.append(task.folder.name)
        return prove(task, *seeds)

    monkeypatch.setattr(check, "prove", noted)
    assert main([]) == 0
    out = capsys.readouterr().out
    assert len(proven) == 1
    assert f"9 tasks have not changed since their proofs were recorded; randomly rechecked: {proven[0]}" in out
    (folders[2] / "statement.md").write_text("Another statement.\n")
    (folders[3] / "starter.py").write_text((folders[3] / "starter.py").read_text() + "another = 1\n")
    proven.clear()
    assert main([]) == 0
    assert proven[0] == "task_3"
    assert len(proven) == 2
    assert "1 proofs are not recorded" in capsys.readouterr().out
    summary = out.splitlines()[-1]
    proven.clear()
    assert main(["--all", "--write"]) == 0
    assert proven == [folder.name for folder in folders]
    assert capsys.readouterr().out.splitlines()[-2] == summary


def test_each_recorded_proof_is_drawn_again_sooner_or_later(folders: list[Path]) -> None:
    drawn = {folder for seed in range(200) for folder in check.draw_again(folders, random.Random(seed))}
    assert drawn == set(folders)


@pytest.mark.slow
def test_a_task_with_complaints_leaves_the_record_and_fails_the_check(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = folders[0] / "reference.py"
    reference.write_text(reference.read_text().replace("/ count,", "/ (count + 1),"))
    assert main(["--write"]) == 1
    assert "reference: case literal (seed 0): wrong_value" in capsys.readouterr().out
    assert sorted(json.loads((tmp_path / "record").read_text())["proofs"]) == [f.name for f in folders[1:]]
    assert main([]) == 1


def test_a_false_record_fails_the_check_when_its_task_is_drawn(folders: list[Path], tmp_path: Path) -> None:
    reference = folders[0] / "reference.py"
    reference.write_text(reference.read_text().replace("/ count,", "/ (count + 1),"))
    forged = Proven(digest_of(folders[0], 1), "2026-01-01", 2, 7, 0)
    write_record({folders[0].name: forged}, tmp_path / "record")
    for folder in folders[1:]:
        shutil.rmtree(folder)
    del folders[1:]
    assert main([]) == 1


@pytest.mark.parametrize("words", [["--write", "gae"], ["--write", "--fresh-seeds"], ["--write", "--seeds", "3"]])
def test_only_proofs_of_every_task_on_the_usual_seeds_are_recorded(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(words)


def test_a_record_of_other_versions_or_a_damaged_one_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "proofs.json"
    proofs = {"gae": Proven("ab", "2026-01-01", 1, 2, 3)}
    write_record(proofs, path)
    assert read_record(path) == proofs
    whole = path.read_text()
    for damaged in (whole[:-9], "[]", whole.replace('"day"', '"date"'), whole.replace('"format": 1', '"format": 2')):
        path.write_text(damaged)
        assert read_record(path) == {}
    path.write_text(whole)
    monkeypatch.setattr(record, "versions", lambda: {"torch": "2.99.0", "python": "3.11"})
    assert read_record(path) == {}


def test_a_digest_covers_names_contents_and_code_and_nothing_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_task(tmp_path / "here", files_of_mean())
    first = digest_of(folder, 20)
    elsewhere = tmp_path / "there" / "other_name"
    shutil.copytree(folder, elsewhere)
    (elsewhere / "__pycache__").mkdir()
    (elsewhere / "__pycache__" / "cases.pyc").write_bytes(b"compiled")
    assert digest_of(elsewhere, 20) == first
    assert digest_of(folder, 19) != first
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        file.write_bytes(b"number = 1\n" + content)
        assert (digest_of(folder, 20) == first) == (file.name in record.PROSE_FILES), file
        file.write_bytes(content)
    (folder / "cases.py").rename(folder / "cases2.py")
    assert digest_of(folder, 20) != first
    monkeypatch.setattr(record, "code_digest", lambda: b"other code")
    assert digest_of(elsewhere, 20) != first


def test_a_digest_leaves_out_comments_and_docstrings_unless_they_move_a_mutant(tmp_path: Path) -> None:
    folder = write_task(tmp_path, files_of_mean())
    first = digest_of(folder, 20)
    for file in sorted(folder.rglob("*.py")):
        content = file.read_text()
        file.write_text(content + "# The last line.\n")
        assert digest_of(folder, 20) == first, file
        file.write_text("# The first line.\n" + content)
        # Mutants of the reference are named after their lines.
        assert (digest_of(folder, 20) == first) == (file.name != "reference.py"), file
        file.write_text(content)


def test_a_digest_leaves_out_prose_unless_a_case_quotes_it(tmp_path: Path) -> None:
    folder = write_task(tmp_path, files_of_mean())
    toml = folder / "task.toml"
    # Everything that is said to people is reworded, by key; everything else must count.
    for key in sorted(set(re.findall(r"^(\w+) = ", toml.read_text(), flags=re.MULTILINE))):
        changed = tmp_path / key
        shutil.copytree(folder, changed)
        text = re.sub(rf"^{key} = .*$", f"{key} = 'other'", toml.read_text(), flags=re.MULTILINE)
        (changed / "task.toml").write_text(text)
        is_prose = any(key in names for names in record.PROSE.values()) or key == "text"
        assert (digest_of(changed, 20) == digest_of(folder, 20)) == is_prose, key
    cases = folder / "cases.py"
    cases.write_text(cases.read_text() + "settled_by = 1\n")
    first = digest_of(folder, 20)
    (folder / "statement.md").write_text("Reworded.")
    assert digest_of(folder, 20) != first


def test_a_kept_task_whose_statement_no_longer_fits_its_coverage_fails_the_check(
    folders: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (folders[3] / "coverage.toml").write_text('[[sentence]]\nbegins = "Nowhere."\nnot_graded = "Why."\n')
    title = folders[4] / "task.toml"
    title.write_text(re.sub(r"^title = .*$", "title = 7", title.read_text(), flags=re.MULTILINE))
    assert main(["--changed"]) == 1
    printed = capsys.readouterr().out
    assert "task_3: coverage.toml: 'Nowhere.' starts no sentence of the statement" in printed
    assert "task_4" in printed.split("have not changed")[1]


def test_the_digest_of_the_code_leaves_out_comments_and_docstrings_and_nothing_else() -> None:
    code = b'"""Says."""\nclass A:\n    """Says."""\n\n    def f(self):\n        """Says."""\n        return "said"\n'
    reworded = code.replace(b"Says.", b"Tells.").replace(b"    def", b"    # Why.\n\n    def")
    assert record.code_of(reworded) == record.code_of(code)
    for changed in (code.replace(b"said", b"told"), code.replace(b"f(", b"g("), code + b"x = 1\n"):
        assert record.code_of(changed) != record.code_of(code)


def test_every_module_that_a_proof_runs_enters_the_digest(tmp_path: Path) -> None:
    folder = write_task(tmp_path, files_of_mean())
    done = subprocess.run([sys.executable, "-c", LOADED, str(folder)], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= set(proving_modules())
    assert {"graders.runner.group", "graders.gate.mutate", "tasks.load"} <= set(proving_modules())


def test_a_mutant_near_the_tolerance_is_neither_caught_nor_equivalent(tmp_path: Path) -> None:
    files = files_of_mean()
    # Half of 2.6e-5 is what the mutants of these constants change, 1.06 times the tolerance of the literal case.
    near = "kept.sum() / count * (1 + 2.6e-5 - 2.6e-5)"
    files["reference.py"] = files["reference.py"].replace("kept.sum() / count", near)
    complaints = [line for line in check_task(make_task(tmp_path, files), seeds=1) if "rounding decides" in line]
    assert [line.split("'")[1] for line in complaints] == ["L8: 2.6e-05 -> 3.9e-05", "L8: 2.6e-05 -> 3.9e-05 #2"]


def test_what_is_only_late_gets_a_second_and_longer_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy machine: every first run of a mutant times out, and the second one decides."""
    files = files_of_mean()
    files["reference.py"] = files["reference.py"].replace("weight.detach(), 0.0)", "weight.detach(), 0.0).clone()")
    files["task.toml"] += '\n[[equivalent]]\nmutant = "L6: drop clone"\nreason = "It is only read."\n'
    judged = proof.run_and_judge
    late = Judged(Outcome("literal", Verdict.DEADLOCKED, 1.0, "never returned"), float("inf"))

    def busy(sample: proof.Sample, source: str, setting: Setting) -> tuple[list[Judged], object]:
        if setting.is_forked and setting.group_seconds == proof.MUTANT_GROUP_SECONDS[False]:
            return [late], []
        return judged(sample, source, setting)

    monkeypatch.setattr(proof, "run_and_judge", busy)
    assert check_task(make_task(tmp_path, files), seeds=1) == []
