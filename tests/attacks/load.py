"""Reads the attacks and their honest twins; an incomplete file is an error that names the file.

The docstring of each file is a numbered sentence (the number is its line in the list of attacks), followed by TOML:

    task           which task it is submitted for: an id, or "ring", a sum over two ranks made for this suite
    verdict        which verdicts are right for it; not for a twin, which must pass
    twin           the honest program of the same family that looks like it; not for a twin
    uses           what is put in front of it: "right", the task's reference as `right`; "forge", the forger's tools
    wall_seconds   its deadline; short for what hangs
    needs          what the sandbox must promise for it to be run there; where it is not promised it would do harm
"""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graders.verdict import Verdict

FOLDER = Path(__file__).parent
FAMILIES = ("exhaustion", "escape", "forgery", "timing", "distributed", "deserialisation", "neighbor")
KEYS: dict[str, tuple[type, Any]] = {
    "task": (str, None),
    "verdict": (list, None),
    "twin": (str, None),
    "uses": (list, []),
    "wall_seconds": (int, 60),
    "needs": (list, []),
}
# What a sandbox may promise, and whether it does without Docker.
PROMISES = {
    "totals": "memory, processes and disk are not counted together",
    "files": "the user's files are in view",
    "network": "the user's network is in reach",
    "processes": "the user's other programs are in view",
    "rights": "the program has all rights of the user, who may be root",
    "kernel": "system calls are not filtered",
    "shared": "shared memory is closed, because it would be the whole machine's",
}
TOOLS = ("right", "forge")


@dataclass(frozen=True)
class Program:
    """One submission: an attack, or a twin if `verdicts` contains only passed."""

    name: str
    line: int
    says: str
    task: str
    verdicts: tuple[Verdict, ...]
    twin: str
    uses: tuple[str, ...]
    wall_seconds: int
    needs: tuple[str, ...]
    text: str
    is_variant: bool = False

    @property
    def family(self) -> str:
        """Return the folder that contains the file."""
        return self.name.partition("/")[0]


def load_all() -> tuple[list[Program], list[Program]]:
    """Return the attacks and the twins, each sorted by name.

    Raises ValueError if a file is incomplete, an attack has no twin, or no attack names a twin.
    """
    attacks: list[Program] = []
    twins: list[Program] = []
    for family in FAMILIES:
        for path in sorted((FOLDER / family).glob("*.py")):
            program = read(path)
            # The first one of each line represents the line if time is short.
            is_variant = program.line in {attack.line for attack in attacks}
            (twins if path.stem.startswith("twin_") else attacks).append(replace(program, is_variant=is_variant))
    named = {attack.twin for attack in attacks}
    on_disk = {twin.name for twin in twins}
    if named != on_disk:
        raise ValueError(f"twins: named but missing {sorted(named - on_disk)}, never named {sorted(on_disk - named)}")
    return attacks, twins


def read(path: Path) -> Program:
    """Return the program in a file. Raises ValueError, with the file and what it lacks, if it is incomplete."""
    text = path.read_text(encoding="utf-8")
    says, _, head = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    is_twin = path.stem.startswith("twin_")
    numbered = re.fullmatch(r"(?:(\d+)\. )?(.+)", says, re.DOTALL)
    try:
        if numbered is None or (numbered[1] is None) is not is_twin:
            raise ValueError("expected a docstring that begins with the attack's number; a twin has none")
        if not is_twin and not path.stem.startswith(f"{int(numbered[1]):02d}"):
            raise ValueError(f"expected a name that begins with {int(numbered[1]):02d}")
        fields = _fields(tomllib.loads(head), ("task",) if is_twin else ("task", "verdict", "twin"))
        verdicts = tuple(Verdict(word) for word in fields["verdict"] or ["passed"])
        if not is_twin and (Verdict.PASSED in verdicts or not fields["verdict"]):
            raise ValueError("expected verdicts, and never passed")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return Program(
        name=f"{path.parent.name}/{path.stem}",
        line=int(numbered[1] or 0),
        says=numbered[2],
        task=fields["task"],
        verdicts=verdicts,
        twin=f"{path.parent.name}/twin_{fields['twin']}" if fields["twin"] else "",
        uses=tuple(fields["uses"]),
        wall_seconds=fields["wall_seconds"],
        needs=tuple(fields["needs"]),
        text=text,
    )


def _fields(table: dict[str, Any], due: tuple[str, ...]) -> dict[str, Any]:
    unknown = [key for key in table if key not in KEYS or (KEYS[key][1] is None and key not in due)]
    missing = [key for key in due if key not in table]
    wrong = [key for key in table if key in KEYS and type(table[key]) is not KEYS[key][0]]
    odd = {*table.get("uses", [])} - {*TOOLS} | {*table.get("needs", [])} - {*PROMISES}
    if unknown or missing or wrong or odd:
        raise ValueError(f"unknown {unknown}, missing {missing}, of a wrong type {wrong}, no such words {sorted(odd)}")
    return {key: table.get(key, default) for key, (_, default) in KEYS.items()}


def source_of(program: Program, entry: str, reference: str) -> str:
    """Return the submitted text: the program, preceded by what it uses."""
    parts = []
    if "right" in program.uses:
        parts.append(reference.replace(f"def {entry}(", "def right("))
    if "forge" in program.uses:
        parts.append((FOLDER / "forge.py").read_text(encoding="utf-8"))
    return "\n\n".join([*parts, program.text])
