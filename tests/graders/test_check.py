"""The gate accepts what is proven, and says what to do about everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.errors import RunnerBroken
from graders.gate import check
from graders.gate.check import CheckOptions, check_task, main, prove, result_of
from graders.gate.mutate import mutants
from tests.graders.build import REFERENCE, files_of_mean, files_of_ring, make_task, write_task
from tests.recorded import grader

pytestmark = [pytest.mark.slow, pytest.mark.recorded(subject_of=grader)]


def test_a_proven_task_has_no_complaint_and_a_kill_matrix(tmp_path: Path) -> None:
    proof = prove(make_task(tmp_path, files_of_mean()), seeds=3)
    assert proof.complaints == []
    assert proof.caught == {"mean_of_all": {"ragged"}, "not_detached": {"ragged"}}
    assert "mean_of_all   .x" in proof.matrix()
    assert proof.mutants_survived == 0
    assert proof.mutants_killed == len(list(mutants(REFERENCE)))


@pytest.mark.ranks
def test_a_task_with_ranks_is_proven_too(tmp_path: Path) -> None:
    proof = prove(make_task(tmp_path, files_of_ring()), seeds=2)
    assert proof.complaints == []
    assert proof.caught == {"kept_local": {"literal", "drawn"}}


CHANGES = [
    ("reference.py", "/ count,", "/ (count + 1),", "reference: case literal (seed 0): wrong_value"),
    ("reference.py", "kept.sum()", "kept.sum() * 1.000002", "widen the tolerance or compute more exactly"),
    (
        "cases.py",
        "expected=(4.5, 2)",
        "expected=(4.5, 2, 1)",
        "the reference returns ['count', 'mean'], expected ['2',",
    ),
    (
        "cases.py",
        "expected=(4.5, 2)",
        "expected=([4.5], 2)",
        "mean: shapes differ: [] from the reference, [1] expected",
    ),
    ("cases.py", ", expected=(4.5, 2)", "", "no case has a literal `expected`"),
    ("cases.py", ", expected=(4.5, 2)", "", "case literal: catches no mistake and has no literal"),
    (
        "cases.py",
        "    yield literal()\n",
        "    if rng.initial_seed() == 0:\n        yield literal()\n",
        "seed 1 yields ['ragged']",
    ),
    ("cases.py", 'grads=("x",), constants=("weight",)', 'grads=("x", "weight")', "gives no gradient for ['weight']"),
    ("cases.py", "torch.randn(5", "torch.rndn(5", "cases.py failed with seed 0: AttributeError"),
    ("task.toml", '"raised"', '"wrong_value"', "starter: got raised"),
    ("task.toml", 'caught_by = ["ragged"]', 'caught_by = ["literal", "ragged"]', "wrongly lists ['literal']"),
    ("task.toml", "rtol = 1e-5\natol = 1e-5", "rtol = 0.03\natol = 0.03", "the reference in bfloat16 passes (seed 0)"),
    ("cases.py", "torch.randn(5, 4, generator=rng).T", "torch.randn(5, 4, generator=rng).T * 1e-6", "less than 100"),
    ("mistakes/mean_of_all.py", "mask.numel()", "(count * (1.00003 if x.dim() == 2 else 1))", "its error is only"),
    ("mistakes/mean_of_all.py", "/ mask.numel()", "/ count", "mistake mean_of_all (seed 0): caught by []"),
    (
        "cases.py",
        'mask": torch.arange(20).reshape(4, 5) % 3 > 0',
        'mask": torch.ones(4, 5) > 0',
        "mean_of_all (seed 0): caught by []",
    ),
]


# Clipped at 2, where the literal case has an entry.
KINKED = REFERENCE.replace("x * weight.detach()", "x.clamp(max=2.0) * weight.detach()")
OFF_THE_KINK = {"torch.tensor([1.0, 2.0])": "torch.tensor([1.0, 3.0])"}
# Its gradient differs only at 2.
POINTED = REFERENCE.replace("x * weight.detach()", "torch.where(x == 2.0, x.detach(), x) * weight.detach()")


@pytest.mark.parametrize("reference", [KINKED, POINTED])
@pytest.mark.parametrize(
    ("statement", "changes", "says"),
    [
        ("Mean.", {}, "case literal: grad.x jumps by"),
        ("Mean.", {"visible=True": "visible=True, settled_by='At 2 it counts.'"}, "does not quote the statement"),
        ("Mean. At 2\nit counts.", {"visible=True": "visible=True, settled_by='At 2 it counts.'"}, ""),
        (
            "Mean. At 2 it counts.",
            {"visible=True": "visible=True, settled_by='At 2 it counts.'", **OFF_THE_KINK},
            "no gradient jumps there",
        ),
        ("Mean.", OFF_THE_KINK, ""),
    ],
)
def test_a_case_at_a_kink_must_be_settled(
    tmp_path: Path, reference: str, statement: str, changes: dict[str, str], says: str
) -> None:
    files = {**files_of_mean(), "reference.py": reference, "statement.md": statement}
    for old, new in changes.items():
        assert old in files["cases.py"]
        files["cases.py"] = files["cases.py"].replace(old, new, 1)
    about_kinks = [
        complaint
        for complaint in check_task(make_task(tmp_path, files), seeds=2)
        if "jumps" in complaint or "settled_by" in complaint
    ]
    assert len(about_kinks) == bool(says)
    assert says in "".join(about_kinks)


@pytest.mark.parametrize(("file", "old", "new", "says"), CHANGES)
def test_each_defect_is_told(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    files = files_of_mean()
    assert old in files[file]
    files[file] = files[file].replace(old, new, 1)
    complaints = check_task(make_task(tmp_path, files), seeds=2)
    assert says in "\n".join(complaints)


def test_two_mistakes_that_return_the_same_must_say_so(tmp_path: Path) -> None:
    files = files_of_mean()
    files["mistakes/not_detached.py"] = files["mistakes/mean_of_all.py"]
    complaints = check_task(make_task(tmp_path, files), seeds=2)
    assert any("give the same outputs everywhere" in complaint for complaint in complaints)
    assert any("mean_of_all (seed 0): its own program yields no diagnosis" in complaint for complaint in complaints)
    files["task.toml"] = files["task.toml"].replace(
        'id = "not_detached"', 'id = "not_detached"\nsame_as = "mean_of_all"'
    )
    proof = prove(make_task(tmp_path, files), seeds=2)
    assert proof.complaints == []
    assert "no case's outputs tell mean_of_all and not_detached apart" in proof.matrix()


def test_a_mutant_that_survives_must_be_listed_and_one_that_dies_must_not(tmp_path: Path) -> None:
    files = files_of_mean()
    files["reference.py"] = files["reference.py"].replace("weight.detach(), 0.0)", "weight.detach(), 0.0).clone()")
    assert [complaint.split(":")[1] for complaint in check_task(make_task(tmp_path, files), seeds=2)] == [
        " drop clone'"
    ]
    listed = '\n[[equivalent]]\nmutant = "L6: drop clone"\nreason = "It is only read."\n'
    dead = '[[equivalent]]\nmutant = "L6: * -> /"\nreason = "Wrong."\n'
    dead += '[[equivalent]]\nmutant = "L1: x"\nreason = "Wrong."\n'
    files["task.toml"] += listed
    assert check_task(make_task(tmp_path, files), seeds=2) == []
    files["task.toml"] += dead
    complaints = check_task(make_task(tmp_path, files), seeds=2)
    assert ["is caught" in complaint or "no such mutant" in complaint for complaint in complaints] == [True, True]


def test_a_mutant_that_never_ends_is_killed(tmp_path: Path) -> None:
    files = files_of_mean()
    loop = "    steps = 3\n    while steps > 0:\n        steps -= 1\n    count = mask.sum() + steps\n"
    files["reference.py"] = files["reference.py"].replace("    count = mask.sum()\n", loop)
    survivors = [
        complaint
        for complaint in check_task(make_task(tmp_path, files), seeds=1)
        if "steps" in complaint or "remove" in complaint
    ]
    assert survivors == []


def test_mutants_have_readable_names_and_change_what_they_say() -> None:
    sources = {mutant.name: mutant.source for mutant in mutants(REFERENCE)}
    assert list(sources) == [
        "L6: swap arguments of where",
        "L6: * -> /",
        "L6: drop detach",
        "L6: 0.0 -> 0.01",
        "L7: sum -> mean",
        "L8: / -> *",
        "L8: sum -> mean",
    ]
    assert "x * weight, 0.0" in sources["L6: drop detach"]
    assert "torch.where(mask, 0.0, x * weight.detach())" in sources["L6: swap arguments of where"]


def test_statements_are_removed_where_the_program_still_runs() -> None:
    lines = ["def f(x, y):", "y = abs(y)", "z = x", "z = z + y", "if x:", "    return z", "else:", "    z[0] = y"]
    names = [mutant.name for mutant in mutants("\n    ".join(lines))]
    removed = [f"L{line}: remove statement" for line in (2, 4, 5, 8)]
    assert names == [*removed[:2], "L4: + -> -", *removed[2:], "L8: 0 -> 1"]


def test_the_command_prints_the_matrix_and_fails_on_complaints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_task(tmp_path, files_of_mean())
    assert main([str(folder), "--seeds", "1"]) == 0
    assert "0 complaints" in capsys.readouterr().out
    (folder / "notes.txt").write_text("x")
    assert main([str(folder)]) == 1
    assert "not allowed in a task folder" in capsys.readouterr().out
    assert main(["no_such_task"]) == 1
    assert "unknown task 'no_such_task'" in capsys.readouterr().err


def test_several_folders_are_proven_side_by_side_and_summed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        write_task(tmp_path / name, files_of_mean())
    assert main([str(tmp_path), "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert out.count("mean_of_all   .x") == 2
    count = 2 * len(list(mutants(REFERENCE)))
    assert f"2 proven with 4 mistakes and {count} mutants killed (0 more are equivalent), 0 complaints" in out


def test_a_failure_of_ours_is_told_and_not_lost_between_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RunnerBroken("the ranks did not meet", "Try again.")

    monkeypatch.setenv("CI", "true")  # a proof kept from an earlier run would be told instead
    monkeypatch.setattr(check, "prove", broken)
    result = result_of(write_task(tmp_path, files_of_mean()), CheckOptions(1))
    assert result.complaints == 1
    assert "the ranks did not meet" in result.text


def test_a_proof_is_kept_until_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "CACHE", tmp_path / "kept")
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.delenv("CI", raising=False)
    folder = write_task(tmp_path / "content", files_of_mean())
    first = result_of(folder, CheckOptions(1))
    monkeypatch.setattr(check, "prove", None)  # whatever is returned now comes from the cache
    assert result_of(folder, CheckOptions(1)) == first
    monkeypatch.setattr(check, "prove", prove)
    (folder / "statement.md").write_text("Another statement.\n")
    assert result_of(folder, CheckOptions(1)).complaints == 0
    (folder / "reference.py").write_text(REFERENCE.replace("/ count,", "/ (count + 1),"))
    assert result_of(folder, CheckOptions(1)).complaints > 0
    kept = len(list((tmp_path / "kept").iterdir()))
    monkeypatch.setenv("CI", "true")
    (folder / "reference.py").write_text(REFERENCE)
    result_of(folder, CheckOptions(1))
    assert len(list((tmp_path / "kept").iterdir())) == kept == 2
