"""Which rank takes which rows is the submission's choice, so what all ranks return is sorted into one table."""

import torch
import torch.distributed as dist

COLUMNS = ("prompts", "samples", "rewards", "advantages")


def is_as_asked(batch):
    """Return whether a rank's columns have one length and the dtypes that the statement asks for."""
    default = torch.get_default_dtype()
    wanted = [(len(batch["prompts"]),)] * 4, [torch.int64, torch.int64, default, default]
    return ([tuple(batch[name].shape) for name in COLUMNS], [batch[name].dtype for name in COLUMNS]) == wanted


def drive(entry, args):
    """Return rewards and advantages by prompt and sample, and how often each pair was generated and returned."""
    rewards = args["rewards"]
    torch.set_default_dtype(rewards.dtype)
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
        "columns_as_asked": is_as_asked(batch),
    }
