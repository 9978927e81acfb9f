"""Rollouts with advantages relative to a prompt's group; start it with `torchrun --nproc-per-node=4 rollout.py`."""

import logging
import random

import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_rows(prompts, group_size):
    """Return this rank's share of all pairs of prompt and sample; pairs are dealt round-robin to balance the load."""
    pairs = [(prompt, sample) for prompt in prompts for sample in range(group_size)]
    return pairs[dist.get_rank() :: dist.get_world_size()]


def group_advantages(rewards, prompt_ids):
    """Return each reward, normalized among the rewards of the same prompt."""
    advantages = torch.empty_like(rewards)
    for prompt in prompt_ids.unique():
        is_member = prompt_ids == prompt
        group = rewards[is_member]
        advantages[is_member] = (group - group.mean()) / (group.std(unbiased=False) + EPSILON)
    return advantages


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: which answers it has, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    answers = [generate(prompt, sample) for prompt, sample in rows]
    rewards = torch.tensor([score(answer) for answer in answers])
    prompt_ids = torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64)
    return {
        "prompts": prompt_ids,
        "samples": torch.tensor([sample for _, sample in rows], dtype=torch.int64),
        "rewards": rewards,
        "advantages": group_advantages(rewards, prompt_ids),
    }


def generate(prompt, sample):
    """Return a synthetic answer; a real trainer would ask its rollout engine."""
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
