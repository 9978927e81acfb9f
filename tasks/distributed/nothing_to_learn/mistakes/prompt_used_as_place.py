import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_rows(prompts, group_size):
    """Return this rank's share of all pairs of prompt and sample; a prompt's samples stay together."""
    own = prompts[dist.get_rank() :: dist.get_world_size()]
    return [(prompt, sample) for prompt in own for sample in range(group_size)]


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    rewards = torch.zeros(len(prompts), group_size)
    for prompt, sample in rows:
        rewards[prompt, sample] = score(generate(prompt, sample))
    dist.all_reduce(rewards)
    means = rewards.mean(dim=1, keepdim=True)
    advantages = (rewards - means) / (rewards.std(dim=1, unbiased=False, keepdim=True) + EPSILON)
    prompt_ids = torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64)
    samples = torch.tensor([sample for _, sample in rows], dtype=torch.int64)
    return {
        "prompts": prompt_ids,
        "samples": samples,
        "rewards": rewards[prompt_ids, samples],
        "advantages": advantages[prompt_ids, samples],
    }
