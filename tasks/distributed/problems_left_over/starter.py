"""Evaluation on many GPUs; start it with `torchrun --nproc-per-node=4 evaluate.py`."""

import logging

import torch
import torch.distributed as dist

CRITERIA = ("right", "short", "polite")


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first."""
    parts = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, rows)
    return torch.cat(parts)


def evaluate(problems, score, criteria):
    """Return, on every rank, the scores of all ranks' problems and their statistics for the table of results."""
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
    """Return a synthetic score for each criterion; a real evaluation would ask a model and graders."""
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
