"""gloo's all_gather needs equal sizes, so the ranks agree on a size, pad to it, and drop the padding afterward."""

import torch
import torch.distributed as dist


def gather_rows(rows):
    """Return the rows of all ranks, those of rank 0 first."""
    counts = [torch.zeros(1, dtype=torch.int64) for _ in range(dist.get_world_size())]
    dist.all_gather(counts, torch.tensor([len(rows)]))
    padded = rows.new_zeros(int(max(counts)), rows.shape[1])
    padded[: len(rows)] = rows
    parts = [torch.empty_like(padded) for _ in counts]
    dist.all_gather(parts, padded)
    # Trimmed by count, not by value: a row of zeros may be a result.
    return torch.cat([part[: int(count)] for part, count in zip(parts, counts, strict=True)])


def evaluate(problems, score, criteria):
    """Return all ranks' scores [N, C], and their mean, median and best [C].

    Assumes: a default process group; at least one problem over all ranks.
    Source: PyTorch documentation, torch.distributed: all_gather (gloo rejects uneven sizes).
    """
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
