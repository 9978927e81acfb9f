import torch
import torch.nn.functional as F
from torch.utils import checkpoint


def chunked_logprobs(hidden, weight, tokens, chunk):
    def run(start, matrix):
        states = hidden[start : min(start + chunk, count)].to(torch.float32)
        logits = F.linear(states, matrix)
        return F.cross_entropy(logits, tokens[start + 1 : start + 1 + len(states)], reduction="none").neg()

    count = len(tokens) - 1
    matrix = weight.to(torch.float32)
    starts = range(0, count, chunk)
    return torch.cat([checkpoint.checkpoint(run, start, matrix, use_reentrant=True) for start in starts])
