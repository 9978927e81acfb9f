import torch
import torch.distributed as dist


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first."""
    counts = [torch.zeros((), dtype=torch.int64) for _ in range(dist.get_world_size())]
    dist.all_gather(counts, torch.tensor(len(rows)))
    counts = [int(count) for count in counts]
    longest = max(counts)
    padded = torch.zeros(longest, rows.shape[1], dtype=rows.dtype)
    padded[: len(rows)] = rows[:longest]
    parts = [torch.empty_like(padded) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, padded)
    return torch.cat([part[: len(rows)] for part in parts])


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
