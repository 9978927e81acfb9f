"""Which rank takes which rows is the submission's choice, so what all ranks return is sorted into one table."""

import torch
import torch.distributed as dist


def drive(entry, args):
    """Return rewards and advantages by prompt and sample, and how often each pair was generated and returned."""
    rewards = args["rewards"]
    generated = torch.zeros(rewards.shape, dtype=torch.int64)

    def generate(prompt, sample):
        generated[prompt, sample] += 1
        return [prompt, sample]

    def score(answer):
        prompt, sample = answer
        return rewards[prompt, sample].item()

    batch = entry(list(args["prompts"]), rewards.shape[1], generate, score)
    rows = torch.stack([batch["prompts"], batch["samples"]], dim=1).tolist()
    table = torch.zeros(4, *rewards.shape, dtype=torch.float64)
    table[3] = generated
    for (prompt, sample), reward, advantage in zip(rows, batch["rewards"], batch["advantages"], strict=True):
        table[0, prompt, sample] += reward
        table[1, prompt, sample] += advantage
        table[2, prompt, sample] += 1
    dist.all_reduce(table)
    return {
        "rewards": table[0].to(rewards.dtype),
        "advantages": table[1].to(rewards.dtype),
        "generated": table[3].to(torch.int64),
        "returned": table[2].to(torch.int64),
    }
