# expect: wrong
# mistake: all ranks use the names of rank 0, so an environment that rank 0 lacks is missing
"""A table of returns for each environment; `torchrun --nproc-per-node=4 table.py` starts it."""

import logging

import torch
import torch.distributed as dist

ENVIRONMENTS = ("algebra", "chess", "code", "geometry")


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
    pair = torch.tensor([total, count], dtype=torch.float64)
    dist.all_reduce(pair)
    return (pair[0] / pair[1]).item()


def summarize(finished):
    """Return for each environment the mean return of its episodes on all ranks, and their number in all."""
    meter = Meter()
    for environment, episode_return in finished:
        meter.add(environment, episode_return)

    box = [list(meter.sums)]
    dist.broadcast_object_list(box, src=0)

    means = {}
    for name in box[0]:
        means[name] = mean_over_ranks(meter.sums.get(name, 0.0), meter.counts.get(name, 0))
    episode_count = torch.tensor(len(finished))
    dist.all_reduce(episode_count)
    return {"means": means, "episodes": int(episode_count)}


def run_episodes(rank, count=12):
    """Return made-up episodes as they end: an environment's name and a return; a real actor plays them."""
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
