# expect: wrong
# mistake: Positions begin at 1 instead of 0 (and are limited to the last one), and nothing attends to real tokens 0 because the attention mask is made from the token values.
import torch

PAD = 0


def pad_left(samples):
    """Pad whole samples on the left, so that all of them end at the same place."""
    full = [list(p) + list(a) for p, a in samples]
    width = max(map(len, full))
    tokens = torch.tensor([[PAD] * (width - len(x)) + x for x in full])
    lengths = torch.tensor([len(x) for x in full])
    return tokens, lengths


def forward(weights, tokens, lengths):
    width = tokens.shape[1]
    offset = width - lengths
    limit = weights["position"].shape[0] - 1
    positions = (torch.arange(1, width + 1) - offset[:, None]).clamp(min=0, max=limit)
    hidden = weights["embed"][tokens] + weights["position"][positions]
    scores = (hidden @ weights["query"]) @ (hidden @ weights["key"]).mT
    causal = torch.ones(width, width, dtype=torch.bool).tril()
    visible = causal & (tokens != PAD)[:, None, :]
    attention = scores.masked_fill(~visible, -1e9).softmax(dim=-1)
    return (hidden + attention @ hidden) @ weights["head"]


def score(weights, samples, size):
    out = []
    for start in range(0, len(samples), size):
        part = samples[start : start + size]
        tokens, lengths = pad_left(part)
        logprobs = forward(weights, tokens, lengths)[:, :-1].log_softmax(-1)
        logprobs = logprobs.gather(-1, tokens[:, 1:, None]).squeeze(-1)
        for row, (_, answer) in zip(logprobs, part):
            out.append(row[-len(answer) :])
    return torch.cat(out)


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    old_logprobs = score(old_weights, samples, chunk_size)
    logprobs = score(weights, samples, batch_size)
    return old_logprobs, logprobs, (logprobs - old_logprobs).exp()
