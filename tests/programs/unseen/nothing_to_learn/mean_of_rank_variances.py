# expect: wrong
# mistake: The group's mean is taken over all ranks, but its deviation is built from the squared distances to each rank's own mean, so what lies between the ranks is missing from it.
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


def group_advantages(rewards, places, n_prompts):
    """Return each reward, normalised among the rewards of the same prompt on all ranks; places: row of the prompt."""
    totals = torch.zeros(3, n_prompts)
    totals[0].index_add_(0, places, torch.ones_like(rewards))
    totals[1].index_add_(0, places, rewards)
    local_mean = totals[1] / totals[0].clamp(min=1)
    totals[2].index_add_(0, places, (rewards - local_mean[places]).square())
    dist.all_reduce(totals)
    count, total, squares = totals
    mean = total / count
    deviation = (squares / count).sqrt()
    return (rewards - mean[places]) / (deviation[places] + EPSILON)


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    answers = [generate(prompt, sample) for prompt, sample in rows]
    rewards = torch.tensor([score(answer) for answer in answers])
    place_of = {prompt: place for place, prompt in enumerate(prompts)}
    places = torch.tensor([place_of[prompt] for prompt, _ in rows], dtype=torch.int64)
    return {
        "prompts": torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64),
        "samples": torch.tensor([sample for _, sample in rows], dtype=torch.int64),
        "rewards": rewards,
        "advantages": group_advantages(rewards, places, len(prompts)),
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
