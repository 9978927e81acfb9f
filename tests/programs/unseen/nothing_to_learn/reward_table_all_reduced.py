# expect: right
"""Rollouts with advantages relative to a prompt's group; `torchrun --nproc-per-node=4 rollout.py` starts it."""

import logging
import random

import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_places(n_prompts, group_size):
    """Return this rank's share of the places in the table [prompts, samples], dealt like cards, for even loads."""
    places = torch.arange(n_prompts * group_size)
    return places[dist.get_rank() :: dist.get_world_size()]


def group_advantages(table):
    """Return the rewards [prompts, samples], each row normalised."""
    return torch.stack([(row - row.mean()) / (row.std(unbiased=False) + EPSILON) for row in table])


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    places = own_places(len(prompts), group_size)
    prompt_ids = torch.tensor(prompts, dtype=torch.int64)[places // group_size]
    samples = places % group_size
    rewards = torch.tensor(
        [score(generate(prompt, sample)) for prompt, sample in zip(prompt_ids.tolist(), samples.tolist())],
        dtype=torch.get_default_dtype(),
    )
    # Every place is filled by one rank and 0 on the others, so the sum over ranks is the whole table.
    table = torch.zeros(len(prompts) * group_size)
    table[places] = rewards
    dist.all_reduce(table)
    advantages = group_advantages(table.view(len(prompts), group_size)).flatten()[places]
    return {"prompts": prompt_ids, "samples": samples, "rewards": rewards, "advantages": advantages}


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
