"""No ring: the distinct observations are one table, and each transition has the index of its two rows in it."""

import logging

import torch


def replay(capacity, gamma, stream, draws):
    """Return the observations and the targets of the drawn transitions."""
    ended = stream["terminated"] | stream["truncated"]
    steps, device = len(ended), ended.device
    # Each finished episode before a transition adds one row, its last observation.
    finished = ended.long().cumsum(dim=0) - ended.long()
    first = torch.arange(steps, device=device) + finished
    table = stream["observation"].new_zeros(2 * steps, stream["observation"].shape[1])
    table[first] = stream["observation"]
    table[first[ended] + 1] = stream["next_observation"][ended]
    if steps:
        table[first[-1] + 1] = stream["next_observation"][-1]

    observations, targets = [], []
    for draw in draws:
        drawn = draw["after"] - 1 - draw["ages"]
        values = torch.mv(table[first[drawn] + 1], draw["weights"])
        bootstrap = (gamma * values).masked_fill(stream["terminated"][drawn], 0)
        observations.append(table[first[drawn]])
        targets.append(stream["reward"][drawn] + bootstrap)
    return torch.cat(observations), torch.cat(targets)


def walk(steps, limit):
    """Return a walk that moves one step per transition and starts again at 0 after `limit` steps."""
    at = torch.arange(steps) % limit
    return {
        "observation": at[:, None].float(),
        "reward": torch.ones(steps),
        "next_observation": (at[:, None] + 1).float(),
        "terminated": torch.zeros(steps, dtype=torch.bool),
        "truncated": at == limit - 1,
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for limit in (1000, 10, 2):
        draw = {"after": 40, "ages": torch.arange(20), "weights": torch.ones(1)}
        observations, targets = replay(20, 0.99, walk(40, limit), [draw])
        # The value of an observation is the observation itself.
        error = targets - (1 + 0.99 * (observations[:, 0] + 1))
        logging.info("episodes of %d steps: mean error of a target %.3f", limit, error.mean())


if __name__ == "__main__":
    main()
