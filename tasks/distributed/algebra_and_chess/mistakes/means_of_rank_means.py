import torch
import torch.distributed as dist


class Meter:
    """Collects values under names, each in the order in which it comes for the first time."""

    def __init__(self):
        self.sums = {}
        self.counts = {}

    def add(self, name, value):
        """Count one value under a name."""
        self.sums[name] = self.sums.get(name, 0.0) + value
        self.counts[name] = self.counts.get(name, 0) + 1


def mean_over_ranks(total, count):
    """Return the mean of everybody's values, of which this rank has a sum and a count."""
    pair = torch.tensor([total / count if count else 0.0, float(count > 0)], dtype=torch.float64)
    dist.all_reduce(pair)
    return (pair[0] / pair[1]).item()


def summarize(finished):
    """Return for each environment the mean return of its episodes on all ranks, and their number in all."""
    meter = Meter()
    for environment, episode_return in finished:
        meter.add(environment, episode_return)
    everybodys = [None] * dist.get_world_size()
    dist.all_gather_object(everybodys, list(meter.sums))
    names = sorted(set().union(*everybodys))
    means = {name: mean_over_ranks(meter.sums.get(name, 0.0), meter.counts.get(name, 0)) for name in names}
    episode_count = torch.tensor(len(finished))
    dist.all_reduce(episode_count)
    return {"means": means, "episodes": episode_count.item()}
