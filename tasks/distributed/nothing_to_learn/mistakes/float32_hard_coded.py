import torch
import torch.distributed as dist

EPSILON = 1e-4


def own_rows(prompts, group_size):
    """Return this rank's share of all pairs of prompt and sample; a prompt's samples stay together."""
    own = prompts[dist.get_rank() :: dist.get_world_size()]
    return [(prompt, sample) for prompt in own for sample in range(group_size)]


def group_advantages(rewards, prompt_ids):
    """Return each reward, normalised among the rewards of the same prompt."""
    advantages = torch.empty_like(rewards)
    for prompt in prompt_ids.unique():
        is_member = prompt_ids == prompt
        group = rewards[is_member]
        advantages[is_member] = (group - group.mean()) / (group.std(unbiased=False) + EPSILON)
    return advantages


def collect(prompts, group_size, generate, score):
    """Return this rank's part of the next batch: answers to the prompts, their rewards and advantages."""
    rows = own_rows(prompts, group_size)
    answers = [generate(prompt, sample) for prompt, sample in rows]
    rewards = torch.tensor([score(answer) for answer in answers], dtype=torch.float32)
    prompt_ids = torch.tensor([prompt for prompt, _ in rows], dtype=torch.int64)
    return {
        "prompts": prompt_ids,
        "samples": torch.tensor([sample for _, sample in rows], dtype=torch.int64),
        "rewards": rewards,
        "advantages": group_advantages(rewards, prompt_ids),
    }
