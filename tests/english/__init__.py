"""Everything in this project that people read, sentence by sentence, and a sample of it for blind readers.

`python -m tests.english --seed 7 --count 400` prints sentences without context; readers who have not seen the project
mark each as OK, ODD or RIDDLE. Every kind has the same share of a sample, as long as it has enough sentences.
"""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "interviewer" / "bank" / "questions"
TASKS = ROOT / "tasks"
PACKAGES = ("graders", "interviewer", "sandbox", "tasks")
# Written by programs from text that is sampled elsewhere.
GENERATED = ("commands.md", "peers.md", "tasks.md", "english-sample.md")
# The kind of each text in a question or task, by its key; other keys contain no prose.
QUESTION_KEYS = {
    **dict.fromkeys(("title", "prompt", "ask", "still_open"), "question"),
    "hints": "hint",
    **dict.fromkeys(("says", "answer", "holds", "fails"), "answer or point"),
}
TASK_KEYS = {"title": "statement", "after_pass": "statement", "text": "hint", "wrong": "mistake", "ask": "mistake"}
_END = re.compile(r"(?<=[.?!:])\s+(?=[A-Z\"'(`\d])")
_MARKUP = re.compile(r"^(?:[-*>]|\d+\.|#+)\s+|\*\*|\[([^]]*)\]\([^)]*\)")
_WORD = re.compile(r"[A-Za-z]{2,}")
MIN_WORDS = 4


@dataclass(frozen=True)
class Sentence:
    """One sentence, its kind (for example, question, mistake or docstring), and the file that contains it."""

    kind: str
    place: str
    text: str


def collect() -> list[Sentence]:
    """Return all sentences of the project, each text once, in a deterministic order."""
    found: dict[str, Sentence] = {}
    for kind, path, text in (*_content(), *_documents(), *_code()):
        for sentence in split(text):
            found.setdefault(sentence, Sentence(kind, path.relative_to(ROOT).as_posix(), sentence))
    return list(found.values())


def draw(sentences: list[Sentence], count: int, seed: int) -> list[Sentence]:
    """Return a sample in random order, with the same share of each kind."""
    source = random.Random(seed)
    kinds: dict[str, list[Sentence]] = {}
    for sentence in source.sample(sentences, len(sentences)):
        kinds.setdefault(sentence.kind, []).append(sentence)
    drawn: list[Sentence] = []
    while len(drawn) < count and any(kinds.values()):
        drawn += [kinds[kind].pop() for kind in sorted(kinds) if kinds[kind]][: count - len(drawn)]
    return source.sample(drawn, len(drawn))


def split(text: str) -> Iterator[str]:
    """Yield the sentences of a text that have at least four words, without its Markdown."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^#.*$", r"\g<0>\n", text, flags=re.MULTILINE)
    for unit in re.split(r"\n\s*\n|\n(?=\s*(?:[-*#>]|\d+\.)\s)", text):
        line = _MARKUP.sub(r"\1", " ".join(unit.split()))
        if line.startswith("|") or "http" in line:
            continue
        for sentence in _END.split(line):
            if len(_WORD.findall(sentence)) >= MIN_WORDS:
                yield sentence.strip()


def _content() -> Iterator[tuple[str, Path, str]]:
    """Yield the kind, file and text of everything that questions and tasks say."""
    for path in sorted(QUESTIONS.glob("*/*.toml")):
        yield from ((kind, path, text) for kind, text in _texts(_read(path), QUESTION_KEYS))
    for path in sorted(TASKS.glob("*/*/task.toml")):
        yield from ((kind, path, text) for kind, text in _texts(_read(path), TASK_KEYS))
        statement = path.with_name("statement.md")
        yield "statement", statement, statement.read_text(encoding="utf-8")


def _read(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _texts(table: Mapping[str, Any], kinds: Mapping[str, str], kind: str = "") -> Iterator[tuple[str, str]]:
    """Yield the texts of a table and of its nested tables, with the kind that belongs to their key."""
    for key, value in table.items():
        own = kinds.get(key, kind)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from _texts(item, kinds)
            elif isinstance(item, str) and own:
                yield own, item


def _documents() -> Iterator[tuple[str, Path, str]]:
    for path in (*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))):
        if path.name not in GENERATED:
            yield "document", path, path.read_text(encoding="utf-8")


def _code() -> Iterator[tuple[str, Path, str]]:
    """Yield docstrings, comments, and strings with several words, which are the app's texts and errors."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            is_content = package == "tasks" and path.parent.parent != ROOT
            if not is_content:
                source = path.read_text(encoding="utf-8")
                yield from ((kind, path, text) for kind, text in _strings(ast.parse(source)))
                yield from (("comment", path, text) for text in _comments(source))


def _strings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the docstrings and the other texts of a module, with {} in place of inserted values."""
    documented: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None and isinstance(node.body[0], ast.Expr):
                documented.add(id(node.body[0].value))
                yield "docstring", text
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            documented.update(id(part) for part in node.values)
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield from _message("".join(map(str, parts)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from _message(node.value)


def _message(text: str) -> Iterator[tuple[str, str]]:
    """Yield a string if it reads like words for people, not like a pattern, a style sheet or code."""
    words = text.split()
    plain = sum(bool(re.fullmatch(r"[\"'(]*[A-Za-z][A-Za-z'’-]*[.,;:!?)\"']*", word)) for word in words)
    if len(words) >= MIN_WORDS and plain >= 0.7 * len(words) and "\n    " not in text:
        yield "message", text


def _comments(source: str) -> Iterator[str]:
    """Yield the comments of a module, with consecutive lines joined into one comment."""
    lines: list[str] = []
    last = -1
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or token.string.startswith(("# type:", "# noqa", "#!")):
            continue
        if token.start[0] != last + 1 and lines:
            yield " ".join(lines)
            lines = []
        lines.append(token.string.lstrip("# "))
        last = token.start[0]
    if lines:
        yield " ".join(lines)
