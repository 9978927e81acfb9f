"""All ranks reduce the same names in the same order, because a collective only matches calls by their order."""

import torch
import torch.distributed as dist


def summarize(finished):
    """Return the mean return of each environment's episodes on all ranks, and the total number of episodes.

    Assumes: a default process group; at least one episode over all ranks.
    """
    own_names = sorted({environment for environment, _ in finished})
    everybodys = [None] * dist.get_world_size()
    dist.all_gather_object(everybodys, own_names)
    # Sorted, because neither a dict nor a set has the same order on all ranks.
    names = sorted(set().union(*everybodys))
    table = torch.zeros(len(names), 2, dtype=torch.float64)
    for environment, episode_return in finished:
        table[names.index(environment)] += torch.tensor([episode_return, 1.0], dtype=torch.float64)
    dist.all_reduce(table)
    means = {name: (total / count).item() for name, (total, count) in zip(names, table, strict=True)}
    return {"means": means, "episodes": int(table[:, 1].sum())}
