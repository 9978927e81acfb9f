# expect: wrong
# mistake: The padding is cut off by this rank's own count instead of the count of the rank that sent the part.
"""Evaluation on many GPUs; `torchrun --nproc-per-node=4 evaluate.py` starts it."""

import logging

import torch
import torch.distributed as dist

CRITERIA = ("right", "short", "polite")


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first."""
    n = len(rows)
    longest = torch.tensor(n)
    dist.all_reduce(longest, op=dist.ReduceOp.MAX)
    padded = torch.cat([rows, rows.new_zeros(int(longest) - n, rows.shape[1])])
    parts = [torch.empty_like(padded) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, padded)
    return torch.cat([part[:n] for part in parts])


def evaluate(problems, score, criteria):
    """Return the scores of all ranks' problems, and what the table of results shows of them, on every rank."""
    scores = torch.zeros(len(problems), criteria)
    for place, problem in enumerate(problems):
        scores[place] = score(problem)
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
