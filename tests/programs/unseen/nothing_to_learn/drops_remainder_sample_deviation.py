# expect: wrong
# mistake: Prompts beyond a multiple of the number of ranks are given to no rank.
# mistake: The deviation divides by the number of samples minus 1.
"""Rollouts with advantages relative to a prompt's group; `torchrun --nproc-per-node=4 rollout.py` starts it."""

import logging
import random

import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_rows(prompts, group_size):
    """Return this rank's share of all pairs of prompt and sample; groups stay whole."""
    per_rank = len(prompts) // dist.get_world_size()
    start = dist.get_rank() * per_rank
    return [(prompt, sample) for prompt in prompts[start : start + per_rank] for sample in range(group_size)]


def group_advantages(rewards, group_size):
    """Return each reward, normalised among the rewards of the same prompt; groups are whole and in order."""
    groups = rewards.unflatten(0, (-1, group_size))
    groups = (groups - groups.mean(dim=1, keepdim=True)) / (groups.std(dim=1, keepdim=True) + EPSILON)
    return groups.flatten()


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    answers = [generate(prompt, sample) for prompt, sample in rows]
    rewards = torch.tensor([score(answer) for answer in answers])
    return {
        "prompts": torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64),
        "samples": torch.tensor([sample for _, sample in rows], dtype=torch.int64),
        "rewards": rewards,
        "advantages": group_advantages(rewards, group_size),
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
