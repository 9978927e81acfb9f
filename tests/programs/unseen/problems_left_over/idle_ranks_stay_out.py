# expect: wrong
# mistake: A rank without problems returns at once and makes none of the collective calls that the others wait for.
"""Evaluation on many GPUs; `torchrun --nproc-per-node=4 evaluate.py` starts it."""

import logging

import torch
import torch.distributed as dist

CRITERIA = ("right", "short", "polite")


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first."""
    ranks = dist.get_world_size()
    counts = torch.zeros(ranks, dtype=torch.int64)
    counts[dist.get_rank()] = len(rows)
    dist.all_reduce(counts)
    block = torch.zeros(int(counts.max()), rows.shape[1], dtype=rows.dtype)
    block[: len(rows)] = rows
    parts = [torch.empty_like(block) for _ in range(ranks)]
    dist.all_gather(parts, block)
    return torch.cat([part[:count] for part, count in zip(parts, counts.tolist())])


def evaluate(problems, score, criteria):
    """Return the scores of all ranks' problems, and what the table of results shows of them, on every rank."""
    if not problems:
        nothing = torch.zeros(criteria)
        return {"scores": torch.zeros(0, criteria), "mean": nothing, "median": nothing, "best": nothing}
    scores = torch.stack([score(problem) for problem in problems])
    everybody = gather_rows(scores)
    return {
        "scores": everybody,
        "mean": everybody.mean(dim=0),
        "median": everybody.median(dim=0).values,
        "best": everybody.amax(dim=0),
    }


def score(problem):
    """Return a made-up score for each criterion; a real evaluation asks model and graders."""
    rng = torch.Generator().manual_seed(problem)
    return torch.randn(len(CRITERIA), generator=rng)


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    problems = list(range(42))[dist.get_rank() :: dist.get_world_size()]
    told = evaluate(problems, score, len(CRITERIA))
    if dist.get_rank() == 0:
        for place, criterion in enumerate(CRITERIA):
            shown = [told[name][place].item() for name in ("mean", "median", "best")]
            logging.info("%s: mean %.3f, median %.3f, best %.3f", criterion, *shown)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
