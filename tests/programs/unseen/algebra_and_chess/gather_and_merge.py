# expect: right
"""A table of returns for each environment; `torchrun --nproc-per-node=4 table.py` starts it."""

import logging
import math
from collections import defaultdict

import torch
import torch.distributed as dist

ENVIRONMENTS = ("algebra", "chess", "code", "geometry")


def gather(local):
    """Return what every rank passes, in the order of the ranks."""
    everybody = [None for _ in range(dist.get_world_size())]
    dist.all_gather_object(everybody, local)
    return everybody


def summarize(finished):
    """Return for each environment the mean return of its episodes on all ranks, and their number in all."""
    local = defaultdict(list)
    for environment, episode_return in finished:
        local[environment].append(float(episode_return))

    merged = defaultdict(list)
    for theirs in gather(dict(local)):
        for environment, returns in theirs.items():
            merged[environment] += returns

    means = {environment: math.fsum(returns) / len(returns) for environment, returns in merged.items()}
    return {"means": means, "episodes": sum(map(len, merged.values()))}


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
