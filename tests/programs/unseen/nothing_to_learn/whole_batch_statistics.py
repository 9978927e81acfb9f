# expect: wrong
# mistake: The rewards of all ranks are gathered, but each is normalised with mean and deviation of the whole batch instead of its prompt's group.
"""Rollouts with advantages relative to a prompt's group; `torchrun --nproc-per-node=4 rollout.py` starts it."""

import logging
import random

import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_rows(prompts, group_size):
    """Return this rank's share of all pairs of prompt and sample; the pairs are dealt like cards, for even loads."""
    pairs = [(prompt, sample) for prompt in prompts for sample in range(group_size)]
    return pairs[dist.get_rank() :: dist.get_world_size()]


def normalise(rewards):
    """Return this rank's rewards, normalised with the statistics of the rewards of all ranks."""
    statistics = torch.stack([rewards.sum(), torch.tensor(float(len(rewards)))])
    dist.all_reduce(statistics)
    mean = statistics[0] / statistics[1]
    squares = (rewards - mean).square().sum()
    dist.all_reduce(squares)
    deviation = (squares / statistics[1]).sqrt()
    return (rewards - mean) / (deviation + EPSILON)


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    answers = [generate(prompt, sample) for prompt, sample in rows]
    rewards = torch.tensor([score(answer) for answer in answers])
    return {
        "prompts": torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64),
        "samples": torch.tensor([sample for _, sample in rows], dtype=torch.int64),
        "rewards": rewards,
        "advantages": normalise(rewards),
    }


def generate(prompt, sample):
    """Return a made-up answer; a real trainer asks its rollout engine."""
    rng = random.Random(1000 * prompt + sample)
    return [rng.randrange(10) for _ in range(rng.randrange(3, 9))]


def score(answer):
    """Return the reward of an answer."""
    return sum(answer) / 10


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    dist.init_process_group("gloo")
    batch = collect(list(range(6)), 4, generate, score)
    rank = dist.get_rank()
    for place in range(len(batch["rewards"])):
        row = {name: column[place].item() for name, column in batch.items()}
        logging.info("rank %d: %s", rank, row)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
