import torch
import torch.distributed as dist


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first, and the largest score of each criterion."""
    counts = [torch.zeros(1, dtype=torch.int64) for _ in range(dist.get_world_size())]
    dist.all_gather(counts, torch.tensor([len(rows)]))
    padded = rows.new_zeros(int(max(counts)), rows.shape[1])
    padded[: len(rows)] = rows
    parts = [torch.empty_like(padded) for _ in counts]
    dist.all_gather(parts, padded)
    best = torch.cat(parts).amax(dim=0)
    return torch.cat([part[: int(count)] for part, count in zip(parts, counts, strict=True)]), best


def evaluate(problems, score, criteria):
    """Return the scores of all ranks' problems, and what the table of results shows of them, on every rank."""
    scores = torch.zeros(len(problems), criteria)
    for place, problem in enumerate(problems):
        scores[place] = score(problem)
    everybody, best = gather_rows(scores)
    return {
        "scores": everybody,
        "mean": everybody.mean(dim=0),
        "median": everybody.median(dim=0).values,
        "best": best,
    }
