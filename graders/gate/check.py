"""The content gate for tasks: checks the chosen task folders, several at a time, and prints their kill matrices.

A kill matrix shows which of a task's cases fail for which known mistake. Without names, the gate checks every shipped
task. Tasks whose files differ from the committed record of proofs are proven, and a random tenth of the other tasks is
proven again on some of the seeds. For all remaining tasks, the recorded proofs remain valid, and only the statements
are compared with coverage.toml. `--changed` does not prove the random tenth again, `--all` proves every task, and
`--write` saves the new proofs in the committed record. A task that is named on the command line is proven, unless the
same files have already been proven in this checkout.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import random
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from graders.errors import GradingError
from graders.gate.coverage import count_uncovered, find_coverage_problems
from graders.gate.proof import check_task, prove
from graders.gate.record import (
    PROSE_FILES,
    ROOT,
    Proven,
    digest_of,
    files_digest,
    read_record,
    today,
    versions,
    write_record,
)
from graders.reference import hide_gpus
from tasks.errors import TaskError
from tasks.load import find_task, load_task, task_folders

CACHE = ROOT / ".content_cache"
SEEDS = 20
SHARE_PROVEN_AGAIN = 0.1
# This many seeds are enough to detect that a recorded proof is wrong. The gate uses the first `SEEDS_AGAIN` of the
# seeds that the proof covers.
SEEDS_AGAIN = 5
__all__ = ["check_task", "main", "prove"]


@dataclass(frozen=True)
class Result:
    """The result of the content gate's checks for one task folder."""

    text: str
    complaints: int
    mistakes: int = 0
    mutants_killed: int = 0
    mutants_equivalent: int = 0


@dataclass(frozen=True)
class CheckOptions:
    """How tasks are checked: the number of seeds, the first seed, and whether this checkout's cache may be used."""

    seeds: int = SEEDS
    first_seed: int = 0
    uses_cache: bool = True


def _chosen(words: Sequence[str]) -> list[Path]:
    """Return the task folders that match the given ids, task folders or parent folders; by default, all folders."""
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
    """Print which cases catch which mistakes (the kill matrix), and the complaints, for the named tasks.

    Return 1 if there is a complaint.
    """
    choice = _parse(words)
    try:
        folders = _chosen(choice.tasks)
    except TaskError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    first_seed = secrets.randbelow(2**31 - choice.seeds) if choice.fresh_seeds else 0
    if choice.fresh_seeds:
        sys.stdout.write(f"seeds {first_seed} to {first_seed + choice.seeds - 1}\n")
    uses_record = not choice.tasks and not choice.all and not choice.fresh_seeds
    unchanged = _unchanged(folders, choice.seeds) if uses_record else {}
    again = draw_again(list(unchanged), random.SystemRandom()) if unchanged and not choice.changed else []
    kept = {folder: proven for folder, proven in unchanged.items() if folder not in again}
    trial = CheckOptions(choice.seeds, first_seed, uses_cache=not choice.all and not choice.fresh_seeds)
    changed = [folder for folder in folders if folder not in unchanged]
    proven = list(_reported(changed, trial))
    # Bypass the cache, which would only return this machine's earlier results.
    proven_again = list(_reported(again, CheckOptions(min(choice.seeds, SEEDS_AGAIN), uses_cache=False)))
    results = [*proven, *proven_again]
    if unchanged:
        names = ", ".join(folder.name for folder in again) or "none"
        sys.stdout.write(
            f"{len(kept)} tasks have not changed since their proofs were recorded; randomly rechecked: {names}\n"
        )
    uncovered, problems = _compare_statements(folders, list(kept))
    for problem in problems:
        sys.stdout.write(f"  ! {problem}\n")
    sys.stdout.write(_summary([result for _, result in results], list(kept.values())) + "\n")
    sys.stdout.write(f"statements: {uncovered} sentences without a case, {len(problems)} complaints\n")
    if choice.write:
        # Verifying a task on only some of the seeds does not create a new record; it only confirms or rejects the
        # existing one.
        kept |= {folder: unchanged[folder] for folder, result in proven_again if not result.complaints}
        _write(kept, proven, choice.seeds)
    elif uses_record and changed:
        sys.stdout.write(f"{len(changed)} proofs are not recorded; run `make proofs` to record them\n")
    return 1 if problems or any(result.complaints for _, result in results) else 0


def _parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m graders.gate.check", description="Check coding tasks.")
    parser.add_argument("tasks", nargs="*", metavar="PATH|ID")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="number of seeds to check each task on")
    parser.add_argument("--all", action="store_true", help="check every task, even those with a recorded proof")
    parser.add_argument("--changed", action="store_true", help="check only tasks without a valid recorded proof")
    parser.add_argument("--write", action="store_true", help="write the proofs to graders/gate/proofs.json")
    parser.add_argument("--fresh-seeds", action="store_true", help="check on new random seeds; records nothing")
    choice = parser.parse_args(words)
    if choice.write and (choice.tasks or choice.fresh_seeds or choice.seeds != SEEDS):
        parser.error("--write records all tasks on the default seeds: leave out task names, --seeds and --fresh-seeds")
    return choice


def _unchanged(folders: Sequence[Path], seeds: int) -> dict[Path, Proven]:
    """Return the recorded proofs that are still valid, by task folder: those whose digest has not changed."""
    record = read_record()
    digests = {folder: digest_of(folder, seeds) for folder in folders if folder.name in record}
    return {folder: record[folder.name] for folder, digest in digests.items() if record[folder.name].digest == digest}


def draw_again(folders: Sequence[Path], source: random.Random) -> list[Path]:
    """Return a random tenth of the folders (at least one), so repeated checks eventually find any wrong record."""
    return sorted(source.sample(list(folders), math.ceil(SHARE_PROVEN_AGAIN * len(folders))))


def _reported(folders: Sequence[Path], trial: CheckOptions) -> Iterator[tuple[Path, Result]]:
    """Prove these folders and print each result as soon as it is available."""
    for folder, result in zip(folders, prove_folders(folders, trial), strict=True):
        sys.stdout.write(result.text + "\n")
        sys.stdout.flush()
        yield folder, result


def _write(kept: Mapping[Path, Proven], results: Sequence[tuple[Path, Result]], seeds: int) -> None:
    """Record which tasks are proven. A task that failed is not recorded, so the next check runs its proof again."""
    proofs = {folder.name: proven for folder, proven in kept.items()}
    for folder, result in results:
        if not result.complaints:
            counts = result.mistakes, result.mutants_killed, result.mutants_equivalent
            proofs[folder.name] = Proven(digest_of(folder, seeds), today(), *counts)
    write_record(proofs)
    sys.stdout.write(f"recorded {len(proofs)} proofs\n")


def prove_folders(folders: Sequence[Path], trial: CheckOptions) -> Iterator[Result]:
    """Yield the result for each folder, in order.

    Use one more process than there are cores, because ranks often wait.
    """
    prove_folder = partial(result_of, trial=trial)
    if len(folders) <= 1:
        for folder in folders:
            hide_gpus()
            yield prove_folder(folder)
        return
    # Spawn, not fork: torch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with context.Pool(min((os.cpu_count() or 1) + 1, len(folders)), hide_gpus) as pool:
        yield from pool.imap(prove_folder, folders)


def result_of(folder: Path, trial: CheckOptions) -> Result:
    """Return which cases catch which mistakes (the kill matrix), and the complaints, for one task folder.

    If nothing has changed since an earlier check, the result comes from the cache, unless `trial` rules this out.
    """
    kept = _kept_at(folder, trial)
    if kept is not None and trial.uses_cache and kept.exists():
        return Result(**json.loads(kept.read_text(encoding="utf-8")))
    started = time.monotonic()
    try:
        proof = prove(load_task(folder), trial.seeds, trial.first_seed)
    except (TaskError, GradingError) as error:
        # Return the error as text, because our exceptions cannot be pickled across processes.
        return Result(f"{folder.name}: {error}\n", 1)
    lines = [proof.matrix(), *(f"  ! {complaint}" for complaint in proof.complaints)]
    lines.append(f"  {len(proof.complaints)} complaints, {time.monotonic() - started:.1f} s\n")
    result = Result(
        "\n".join(lines), len(proof.complaints), len(proof.caught), proof.mutants_killed, len(proof.task.equivalents)
    )
    if kept is not None and not result.complaints:
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(asdict(result)), encoding="utf-8")
    return result


def _kept_at(folder: Path, trial: CheckOptions) -> Path | None:
    """Return the cache path for the proof of exactly these files; None outside a checkout, in CI or for fresh seeds."""
    if os.environ.get("CI") or trial.first_seed or not (CACHE.parent / "pyproject.toml").exists():
        return None
    version = "-".join(versions().values())
    # The cached result lists the statement's sentences that no case covers, so it is valid only for exactly this
    # statement.
    prose = files_digest(folder, (path for name in PROSE_FILES if (path := folder / name).exists())).hex()[:8]
    return CACHE / f"{folder.name}.{version}.{digest_of(folder, trial.seeds)[:24]}.{prose}.json"


def _compare_statements(folders: Sequence[Path], kept: Sequence[Path]) -> tuple[int, list[str]]:
    """Return how many sentences of all statements match no coverage.toml entry, and the problems of the `kept` tasks.

    The `kept` tasks were not proven in this run. Problems in the other tasks were already reported when those tasks
    were proven.
    """
    uncovered, problems = 0, list[str]()
    for folder in folders:
        try:
            task = load_task(folder)
            uncovered += count_uncovered(task)
            if folder in kept:
                problems += [f"{folder.name}: {problem}" for problem in find_coverage_problems(task)]
        except TaskError as error:
            if folder in kept:
                problems.append(str(error))
    return uncovered, problems


def _summary(results: Sequence[Result], kept: Sequence[Proven]) -> str:
    """Return the totals in one line."""
    proofs: list[Result | Proven] = [*results, *kept]
    mistakes, killed = sum(proof.mistakes for proof in proofs), sum(proof.mutants_killed for proof in proofs)
    equivalent = sum(proof.mutants_equivalent for proof in proofs)
    return (
        f"tasks: {len(proofs)} proven with {mistakes} mistakes and {killed} mutants killed ({equivalent} more are"
        f" equivalent), {sum(result.complaints for result in results)} complaints"
    )


if __name__ == "__main__":
    sys.exit(main())
