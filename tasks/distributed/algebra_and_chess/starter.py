"""A table of the mean return for each environment; start it with `torchrun --nproc-per-node=4 table.py`."""

import logging

import torch
import torch.distributed as dist

ENVIRONMENTS = ("algebra", "chess", "code", "geometry")


class Meter:
    """Collects values by name; names are kept in the order of their first value."""

    def __init__(self):
        self.sums = {}
        self.counts = {}

    def add(self, name, value):
        """Add one value to a name's sum and count."""
        self.sums[name] = self.sums.get(name, 0.0) + value
        self.counts[name] = self.counts.get(name, 0) + 1


def mean_over_ranks(total, count):
    """Return the mean of all ranks' values, given the sum and count of this rank's values."""
    pair = torch.tensor([total, count], dtype=torch.float64)
    dist.all_reduce(pair)
    return (pair[0] / pair[1]).item()


def summarize(finished):
    """Return the mean return of each environment's episodes on all ranks, and the total number of episodes."""
    meter = Meter()
    for environment, episode_return in finished:
        meter.add(environment, episode_return)
    means = {name: mean_over_ranks(meter.sums[name], meter.counts[name]) for name in meter.sums}
    episode_count = torch.tensor(len(finished))
    dist.all_reduce(episode_count)
    return {"means": means, "episodes": episode_count.item()}


def run_episodes(rank, count=12):
    """Return synthetic episodes in the order in which they end, each with an environment's name and a return."""
    rng = torch.Generator().manual_seed(rank)
    names = [ENVIRONMENTS[place % len(ENVIRONMENTS)] for place in torch.randperm(count, generator=rng).tolist()]
    return [(name, len(name) + torch.rand((), generator=rng).item()) for name in names]


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    told = summarize(run_episodes(dist.get_rank()))
    if dist.get_rank() == 0:
        for name, mean in sorted(told["means"].items()):
            logging.info("%-10s %.3f", name, mean)
        logging.info("%d episodes", told["episodes"])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
