"""Only runner/ enters a sandbox, completely, and it needs nothing that a cell lacks."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from graders import runner
from graders.runner import SENT_MODULES

FOLDER = Path(runner.__file__).parent
# The packages in the sandbox's image besides the standard library.
IN_THE_IMAGE = {"torch", "numpy", "safetensors"}
FILES = sorted(path for path in FOLDER.rglob("*.py") if path.name != "__init__.py")
PACKAGE = Path(runner.__file__)


def test_each_module_of_the_runner_is_sent_and_no_other() -> None:
    assert sorted(SENT_MODULES) == [path.stem for path in FILES]


@pytest.mark.parametrize("path", [PACKAGE, *FILES], ids=lambda path: path.stem)
def test_a_module_imports_only_what_a_cell_has_by_then(path: Path) -> None:
    before = SENT_MODULES[: SENT_MODULES.index(path.stem)] if path != PACKAGE else ()
    allowed = IN_THE_IMAGE | set(sys.stdlib_module_names)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= allowed
        elif isinstance(node, ast.ImportFrom):
            module = str(node.module)
            is_sent = module.startswith("graders.runner.") and module.rpartition(".")[2] in before
            is_sent = is_sent or (module == "graders.runner" and path != PACKAGE)
            assert node.level == 0
            assert is_sent or module.partition(".")[0] in allowed, module


def test_interpreters_start_before_torch_is_imported() -> None:
    package = ast.parse(PACKAGE.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(package) if isinstance(node, ast.Import) for alias in node.names}
    assert not imported & IN_THE_IMAGE
    assert next(iter(runner.sources())) == "graders.runner"
