"""Checks docs/peers.md against its sources. None of the trainers has to be installed for that."""

import ast
import tomllib
from pathlib import Path

import pytest

from tasks.load import find_task

HERE = Path(__file__).parent
DOCUMENT = (HERE.parents[1] / "docs" / "peers.md").read_text(encoding="utf-8")
JUDGEMENTS = tomllib.loads((HERE / "judgements.toml").read_text(encoding="utf-8"))


def registered() -> dict[str, tuple[str, str, list[str]]]:
    """Return for each adapter its task, its function and its parameters."""
    found = {}
    for node in ast.parse((HERE / "adapters.py").read_text(encoding="utf-8")).body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
            assert isinstance(node, ast.FunctionDef)
            assert isinstance(decorator, ast.Call)
            task, function = (ast.literal_eval(argument) for argument in decorator.args[:2])
            found[node.name] = (task, function, [argument.arg for argument in node.args.args])
    return found


def parameters_of(task: str) -> list[str]:
    """Return the parameters of a task's entry."""
    definition = find_task(task)
    for node in ast.parse((definition.folder / "starter.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == definition.entry:
            return [argument.arg for argument in node.args.args]
    raise AssertionError(f"{task} has no entry")


@pytest.mark.parametrize("name", registered())
def test_each_adapter_has_the_signature_of_its_task(name: str) -> None:
    task, _, parameters = registered()[name]
    assert parameters == parameters_of(task)


def test_each_adapter_is_judged_and_has_a_row_and_a_lesson() -> None:
    assert set(JUDGEMENTS) == set(registered())
    for name, (task, function, _) in registered().items():
        assert f"| {task} | `{function}` |" in DOCUMENT, name
        assert f"- `{function}`: {JUDGEMENTS[name]['learn']}" in " ".join(DOCUMENT.split()), name


@pytest.mark.parametrize("name", JUDGEMENTS)
def test_a_deviation_has_a_known_kind(name: str) -> None:
    kinds = JUDGEMENTS[name]["deviation"]
    assert kinds == ["same"] or set(kinds) <= {"formula", "convention", "corner", "name"}
    assert kinds
    assert ("name" in kinds) == ("wrong_name" in JUDGEMENTS[name])


def test_the_page_gives_the_pinned_versions() -> None:
    pins = (HERE / "requirements.txt").read_text(encoding="utf-8").split()
    for library in {function.partition(".")[0] for _, function, _ in registered().values()}:
        pin = next(pin for pin in pins if pin.startswith(f"{library}=="))
        assert pin.replace("==", " ") in DOCUMENT


def test_the_page_begins_with_the_introduction() -> None:
    assert DOCUMENT.startswith((HERE / "introduction.md").read_text(encoding="utf-8").rstrip())
