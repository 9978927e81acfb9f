"""The content gate for tasks: proves the chosen folders, several at a time, and prints their kill matrices.

A folder that was proven before and has not changed since, nor the graders, is told from the cache; a CI run has none.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from graders.errors import GradingError
from graders.gate.proof import check_task, prove
from graders.reference import hide_gpus
from tasks.load import TaskError, find_task, load_task, task_folders

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".content_cache"
__all__ = ["check_task", "main", "prove"]


@dataclass(frozen=True)
class Told:
    """Hold what the gate says about one folder."""

    text: str
    complaints: int
    mistakes: int = 0
    mutants_killed: int = 0
    mutants_equivalent: int = 0


def _chosen(words: Sequence[str]) -> list[Path]:
    """Return the task folders that ids, task folders or folders above them name; without any, all."""
    if not words:
        return task_folders()
    folders: list[Path] = []
    for word in words:
        path = Path(word)
        if not path.exists():
            folders.append(find_task(word).folder)
        elif (path / "task.toml").exists() or not path.is_dir():
            folders.append(path)
        else:
            inside = sorted({file.parent for file in path.rglob("task.toml")})
            folders += inside or [path]
    return folders


def main(words: Sequence[str] | None = None) -> int:
    """Print kill matrix and complaints of the tasks that are named; return 1 when there is a complaint."""
    parser = argparse.ArgumentParser(prog="python -m graders.gate.check", description="Prove coding tasks.")
    parser.add_argument("tasks", nargs="*", metavar="PATH|ID")
    parser.add_argument("--seeds", type=int, default=20)
    chosen = parser.parse_args(words)
    try:
        folders = _chosen(chosen.tasks)
    except TaskError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    told = []
    for one in _told_of(folders, chosen.seeds):
        told.append(one)
        sys.stdout.write(one.text + "\n")
        sys.stdout.flush()
    sys.stdout.write(_summary(told) + "\n")
    return 1 if any(one.complaints for one in told) else 0


def _told_of(folders: Sequence[Path], seeds: int) -> Iterator[Told]:
    """Yield what is said of each folder, in their order; one more at once than cores, because ranks often wait."""
    tell_one = partial(tell, seeds=seeds)
    if len(folders) == 1:
        hide_gpus()
        yield tell_one(folders[0])
        return
    # Spawned, not forked: torch's threads do not live through a fork.
    context = multiprocessing.get_context("spawn")
    with context.Pool(min((os.cpu_count() or 1) + 1, len(folders)) or 1, hide_gpus) as pool:
        yield from pool.imap(tell_one, folders)


def tell(folder: Path, seeds: int) -> Told:
    """Return the kill matrix and the complaints of one folder, from the cache if nothing has changed."""
    kept = _kept_at(folder, seeds)
    if kept is not None and kept.exists():
        return Told(**json.loads(kept.read_text(encoding="utf-8")))
    started = time.monotonic()
    try:
        proof = prove(load_task(folder), seeds)
    except (TaskError, GradingError) as error:
        # Told as text: an exception of ours does not travel between processes.
        return Told(f"{folder.name}: {error}\n", 1)
    lines = [proof.matrix(), *(f"  ! {complaint}" for complaint in proof.complaints)]
    lines.append(f"  {len(proof.complaints)} complaints, {time.monotonic() - started:.1f} s\n")
    told = Told(
        "\n".join(lines), len(proof.complaints), len(proof.caught), proof.mutants_killed, len(proof.task.equivalents)
    )
    if kept is not None and not told.complaints:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(asdict(told)), encoding="utf-8")
    return told


def _kept_at(folder: Path, seeds: int) -> Path | None:
    """Return where the proof of exactly these files is kept; None outside a checkout, and in CI."""
    if os.environ.get("CI") or not (CACHE.parent / "pyproject.toml").exists():
        return None
    digest = hashlib.sha256(_graders_digest() + str(seeds).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return CACHE / f"{folder.name}.{digest.hexdigest()[:24]}.json"


@cache
def _graders_digest() -> bytes:
    """Return a digest of everything besides the folder that a proof depends on."""
    digest = hashlib.sha256(importlib.metadata.version("torch").encode())
    for path in (*sorted((ROOT / "graders").rglob("*.py")), *sorted((ROOT / "tasks").glob("*.py"))):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes())
    return digest.digest()


def _summary(told: Sequence[Told]) -> str:
    """Return the totals in one line."""
    mistakes, killed = sum(one.mistakes for one in told), sum(one.mutants_killed for one in told)
    equivalent = sum(one.mutants_equivalent for one in told)
    return (
        f"tasks: {len(told)} proven with {mistakes} mistakes and {killed} mutants killed ({equivalent} more are"
        f" equivalent), {sum(one.complaints for one in told)} complaints"
    )


if __name__ == "__main__":
    sys.exit(main())
