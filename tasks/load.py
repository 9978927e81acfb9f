"""Loads task folders strictly, without executing their code; a loaded task is complete and consistent.

TaskError                   a task folder or a request for a task is invalid; names the file and key
└── UnknownTask             no task has that id
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from tasks.errors import TaskError, UnknownTask
from tasks.fields import Fields, did_you_mean, with_line
from tasks.task import Equivalent, Kind, Limits, Mistake, Task, TaskNames, Tolerance

REQUIRED_FILES = ("task.toml", "statement.md", "starter.py", "reference.py", "cases.py")
OPTIONAL_FILES = ("coverage.toml", "harness.py")
KINDS = ("implement", "repair", "estimate")
DEVICES = ("cpu", "cuda")
IMPORTABLE = frozenset(sys.stdlib_module_names) | {"torch"}
TASKS_FOLDER = Path(__file__).parent
__all__ = ["TaskError", "UnknownTask", "find_task", "load_task", "load_tasks", "names_of", "task_folders", "task_names"]
# The id, title, kind and aliases of a task.
_Head = tuple[str, str, str, tuple[str, ...]]
_FIRST_TABLE = re.compile(r"^\[", re.MULTILINE)


def task_folders(root: Path | None = None) -> list[Path]:
    """Return the folders that contain a task, sorted by area and id.

    Raises TaskError if two areas use the same id.
    """
    folders = sorted(path.parent for path in (root or TASKS_FOLDER).glob("*/*/task.toml"))
    seen: dict[str, Path] = {}
    for folder in folders:
        if folder.name in seen:
            raise TaskError(
                f"{folder}: the id {folder.name!r} is already used by {seen[folder.name]}; rename one folder"
            )
        seen[folder.name] = folder
    return folders


def load_tasks(root: Path | None = None) -> tuple[Task, ...]:
    """Return every task under `root` (default: the shipped tasks), sorted by area and id.

    Assumes: the programs of shipped tasks are valid, because the content gate checks them and parsing them here is
    slow.
    """
    tasks = tuple(load_task(folder, is_proved=root is None) for folder in task_folders(root))
    names_of(tasks)  # raises if two tasks share an alias
    return tasks


def names_of(tasks: Iterable[Task]) -> TaskNames:
    """Return the titles, kinds and aliases of these tasks. Raises TaskError if an alias is taken."""
    return _names((task.id, task.title, task.kind, task.aliases) for task in tasks)


def task_names(root: Path | None = None) -> TaskNames:
    """Return the titles, kinds and aliases of the tasks under `root` (default: the shipped tasks).

    Only the first keys of each task.toml are read, because loading every task completely takes 40 times as long.
    Raises: TaskError if one of these keys is wrong or an alias is taken.
    """
    return _names([_head(folder) for folder in task_folders(root)])


def _head(folder: Path) -> _Head:
    text = ""
    try:
        text = (folder / "task.toml").read_text(encoding="utf-8")
        fields = Fields("task.toml", tomllib.loads(_FIRST_TABLE.split(text, maxsplit=1)[0]))
        return folder.name, fields.text("title"), fields.choice("kind", KINDS), _aliases(fields, folder.name)
    except (OSError, ValueError) as error:
        raise TaskError(f"{folder / 'task.toml'}: {error}") from error
    except TaskError as error:
        raise TaskError(f"{folder}/{with_line(str(error), text)}") from error


def _names(heads: Iterable[_Head]) -> TaskNames:
    heads = list(heads)
    titles, current = {task_id: title for task_id, title, _, _ in heads}, dict[str, str]()
    for task_id, _, _, aliases in heads:
        for alias in aliases:
            if alias in titles or alias in current:
                taken_by = current.get(alias, alias)
                raise TaskError(
                    f"{task_id}/task.toml: aliases: {alias!r} is already used by the task {taken_by}; remove it"
                )
            current[alias] = task_id
    return TaskNames(titles, current, frozenset(task_id for task_id, _, kind, _ in heads if kind == "repair"))


def find_task(task_id: str, root: Path | None = None) -> Task:
    """Return the task with that id or alias.

    Raises UnknownTask, with the closest ids, if there is no such task, and TaskError if the task's folder is invalid.
    """
    folders = {folder.name: folder for folder in task_folders(root)}
    if task_id not in folders:
        task_id = task_names(root).id_of(task_id)
    if task_id not in folders:
        near = difflib.get_close_matches(task_id, folders, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"available: {', '.join(folders) or 'none'}"
        raise UnknownTask(f"unknown task {task_id!r}: {hint}")
    return load_task(folders[task_id], is_proved=root is None)


def load_task(folder: Path, *, is_proved: bool = False) -> Task:
    """Return the task in the folder; the programs of a proven task are not parsed, which saves most of the load time.

    Raises TaskError, naming the file and key, for anything missing, unknown, dangling or contradictory.
    """
    folder = folder.resolve()
    texts = _read_files(folder)
    try:
        fields = Fields("task.toml", tomllib.loads(texts["task.toml"]))
        task = _task_of(folder, texts, fields, is_proved)
    except tomllib.TOMLDecodeError as error:
        raise TaskError(f"{folder / 'task.toml'}: invalid TOML: {error}") from error
    except TaskError as error:
        raise TaskError(f"{folder}/{with_line(str(error), texts['task.toml'])}") from error
    return task


def _read_files(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise TaskError(f"{folder}: expected a task folder, found {'a file' if folder.exists() else 'nothing'}")
    texts: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if "__pycache__" in name or (path.is_dir() and name == "mistakes"):
            continue
        is_mistake = path.parent == folder / "mistakes" and path.suffix == ".py"
        if name not in REQUIRED_FILES + OPTIONAL_FILES and not is_mistake:
            raise TaskError(
                f"{path}: not allowed in a task folder{did_you_mean(name, REQUIRED_FILES + OPTIONAL_FILES)}"
            )
        try:
            texts[name] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise TaskError(f"{path}: not UTF-8 text: {error}") from error
        if not texts[name].strip():
            raise TaskError(f"{path}: is empty")
    for name in REQUIRED_FILES:
        if name not in texts:
            raise TaskError(f"{folder / name}: missing; every task has {', '.join(REQUIRED_FILES)}")
    return texts


def _task_of(folder: Path, texts: dict[str, str], fields: Fields, is_proved: bool) -> Task:
    fields.whole("format", 1, 1)
    entry = fields.text("entry")
    case_names = _case_names(texts["cases.py"])
    tolerance = fields.table("tolerance")
    task = Task(
        id=folder.name,
        area=folder.parent.name,
        folder=folder,
        title=fields.text("title"),
        kind=cast(Kind, fields.choice("kind", KINDS)),
        entry=entry,
        level=fields.whole("level", 1, 5),
        minutes=fields.whole("minutes", 1, 240),
        devices=fields.texts("devices", allowed=DEVICES),
        topics=fields.texts("topics"),
        seeds=fields.texts("seeds", is_optional=True),
        source=fields.texts("source"),
        returns=fields.texts("returns", is_optional=True),
        limits=_limits(fields.table("limits")),
        tolerance_cuda=_tolerances(tolerance.table("cuda"), ()) if "cuda" in tolerance else {},
        tolerance=_tolerances(tolerance),
        mistakes=_mistakes(fields.tables("mistake"), texts, case_names),
        hints=tuple(_hint(table) for table in fields.tables("hint")),
        equivalents=tuple(_equivalent(table) for table in fields.tables("equivalent", is_optional=True)),
        statement=texts["statement.md"],
        starter=texts["starter.py"],
        starter_verdict=_starter_verdict(fields),
        reference=texts["reference.py"],
        cases_source=texts["cases.py"],
        case_names=case_names,
        harness=texts.get("harness.py", ""),
        signature=_signature("reference.py", texts["reference.py"], entry),
        detached=fields.texts("detached", is_optional=True),
        after_pass=fields.text("after_pass", is_optional=True),
        aliases=_aliases(fields, folder.name),
    )
    _check_detached(task)
    fields.reject_unknown_keys()
    if not is_proved:
        _check_programs(texts, task)
    return task


def _aliases(fields: Fields, task_id: str) -> tuple[str, ...]:
    aliases = fields.texts("aliases", is_optional=True)
    for alias in aliases:
        if not (alias.isidentifier() and alias == alias.lower()):
            raise TaskError(f"task.toml: aliases: expected a snake_case id, got {alias!r}")
        if alias == task_id:
            raise TaskError(f"task.toml: aliases: {alias!r} is the task's own id; remove it")
    return aliases


def _check_detached(task: Task) -> None:
    if unknown := sorted(set(task.detached) - set(task.returns)):
        raise TaskError(f"task.toml: detached: {unknown[0]!r} is not one of the outputs {', '.join(task.returns)}")


def _starter_verdict(fields: Fields) -> str:
    verdict = fields.text("starter_verdict")
    if verdict == "passed":
        raise TaskError("task.toml: starter_verdict: the starter must not pass")
    return verdict


def _limits(table: Fields) -> Limits:
    limits = Limits(table.number("wall_seconds", 1, 600), table.whole("memory_mib", 256, 65536))
    table.reject_unknown_keys()
    return limits


def _tolerances(tables: Fields, required: tuple[str, ...] = ("float32",)) -> dict[str, Tolerance]:
    tolerances = {}
    for dtype in ("float32", "float64", "bfloat16", "float16"):
        if dtype in required or dtype in tables:
            table = tables.table(dtype)
            tolerances[dtype] = Tolerance(rtol=table.number("rtol", 0, 1), atol=table.number("atol", 0, 1e6))
            table.reject_unknown_keys()
    tables.reject_unknown_keys()
    return tolerances


def _mistakes(tables: Iterable[Fields], texts: dict[str, str], case_names: tuple[str, ...]) -> tuple[Mistake, ...]:
    mistakes: dict[str, Mistake] = {}
    for table in tables:
        mistake_id = table.text("id")
        file = f"mistakes/{mistake_id}.py"
        if mistake_id in mistakes:
            raise TaskError(f"task.toml: mistake {mistake_id!r}: listed twice")
        if file not in texts:
            raise TaskError(f"{file}: missing, but task.toml has the mistake {mistake_id!r}")
        caught_by = table.texts("caught_by", allowed=case_names)
        mistakes[mistake_id] = Mistake(
            id=mistake_id,
            wrong=table.text("wrong"),
            caught_by=caught_by,
            ask=table.text("ask"),
            source=texts[file],
            same_as=table.text("same_as", is_optional=True),
        )
        table.reject_unknown_keys()
    for mistake in mistakes.values():
        if mistake.same_as and (mistake.same_as not in mistakes or mistake.same_as == mistake.id):
            near = did_you_mean(mistake.same_as, mistakes)
            raise TaskError(f"task.toml: mistake {mistake.id!r}: same_as does not name another mistake{near}")
    for name in texts:
        if name.startswith("mistakes/") and Path(name).stem not in mistakes:
            raise TaskError(f"{name}: has no [[mistake]] with this id in task.toml")
    return tuple(mistakes.values())


def _hint(table: Fields) -> str:
    text = table.text("text")
    table.reject_unknown_keys()
    return text


def _equivalent(table: Fields) -> Equivalent:
    equivalent = Equivalent(mutant=table.text("mutant"), reason=table.text("reason"))
    table.reject_unknown_keys()
    return equivalent


def _parse(name: str, text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise TaskError(f"{name}: line {error.lineno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise TaskError(f"{name}: not valid Python: {error}") from error


def _check_programs(texts: dict[str, str], task: Task) -> None:
    """Raise TaskError if a program's signature differs from the reference, or a file has a forbidden import."""
    for name, text in texts.items():
        is_a_program = name == "starter.py" or name.startswith("mistakes/")
        if is_a_program and (signature := _signature(name, text, task.entry)) != task.signature:
            expected = f"expected the reference's signature {task.signature}"
            raise TaskError(f"{name}: {task.entry}: {expected}, got {signature}")
    _check_imports(texts)


def _signature(name: str, text: str, entry: str) -> str:
    for node in reversed(_parse(name, text).body):
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            return f"{entry}({ast.unparse(node.args)})"
    raise TaskError(f"{name}: defines no function {entry!r}, the entry in task.toml")


def _case_names(text: str) -> tuple[str, ...]:
    """Return the names of the cases in order, without running the file.

    Each `yield` must yield `Case("name", ...)` or the result of a function in the file that returns such a case.
    """
    module = _parse("cases.py", text)
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}
    yields = [node for node in ast.walk(module) if isinstance(node, ast.Yield)]
    names: list[str] = []
    for node in sorted(yields, key=lambda node: node.lineno):
        name = _case_name(node.value, functions, depth=4)
        if name is None:
            raise TaskError(
                f'cases.py: line {node.lineno}: yield Case("name", ...) with a literal name, or call a function whose'
                " last line returns one"
            )
        names.append(name)
    if not names or len(set(names)) != len(names):
        raise TaskError(f"cases.py: expected unique case names, got {names}")
    return tuple(names)


def _case_name(node: ast.expr | None, functions: dict[str, ast.FunctionDef], depth: int) -> str | None:
    if not isinstance(node, ast.Call) or not depth:
        return None
    named = [*(keyword.value for keyword in node.keywords if keyword.arg == "name"), *node.args[:1]]
    if named and isinstance(named[0], ast.Constant) and isinstance(named[0].value, str):
        return named[0].value
    called = functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
    last = called.body[-1] if called else None
    return _case_name(last.value, functions, depth - 1) if isinstance(last, ast.Return) else None


def _check_imports(texts: dict[str, str]) -> None:
    for name, text in texts.items():
        if not name.endswith(".py"):
            continue
        for node in ast.walk(_parse(name, text)):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or "."]
            else:
                continue
            for module in modules:
                is_task_types = module == "tasks.task" and name == "cases.py"
                if module.split(".")[0] not in IMPORTABLE and not is_task_types:
                    raise TaskError(
                        f"{name}: line {node.lineno}: imports {module!r}; content may import only torch, the standard"
                        " library and (cases.py) tasks.task"
                    )
