# expect: wrong
# mistake: Every batch is padded to the longest prompt and answer of all samples, so batch sizes do not matter, but positions still begin in the padding.
"""PPO's ratios of new to old probabilities with a tiny transformer; start it with `python ratios.py`."""


import torch

PAD = 0


def forward(weights, tokens, mask):
    """Return the logits at every place, [B, T, V]; nothing attends to places where the mask is false."""
    positions = torch.arange(tokens.shape[1])
    hidden = weights["embed"][tokens] + weights["position"][positions]
    scores = (hidden @ weights["query"]) @ (hidden @ weights["key"]).mT
    visible = mask[:, None, :] & torch.ones_like(scores, dtype=torch.bool).tril()
    attention = scores.masked_fill(~visible, -1e9).softmax(dim=-1)
    return (hidden + attention @ hidden) @ weights["head"]


def collate(samples, first, width):
    """Pad prompts on the left and answers on the right, so all answers begin at the same place in every batch."""
    tokens = torch.full((len(samples), width), PAD)
    mask = torch.zeros(len(samples), width, dtype=torch.bool)
    for row, (prompt, answer) in enumerate(samples):
        start, end = first - len(prompt), first + len(answer)
        tokens[row, start:end] = torch.tensor(prompt + answer)
        mask[row, start:end] = True
    return tokens, mask


def answer_logprobs(weights, samples, first, width):
    """Return the log-probabilities of each answer's tokens, from one forward pass."""
    tokens, mask = collate(samples, first, width)
    logits = forward(weights, tokens, mask)[:, first - 1 : -1]
    logprobs = logits.log_softmax(dim=-1).gather(-1, tokens[:, first:, None]).squeeze(-1)
    return [row[: len(answer)] for row, (_, answer) in zip(logprobs, samples, strict=True)]


def in_batches(weights, samples, size):
    """Return the log-probabilities of all answers in one tensor, computed in batches of this size."""
    first = max(len(prompt) for prompt, _ in samples)
    width = first + max(len(answer) for _, answer in samples)
    rows = []
    for start in range(0, len(samples), size):
        rows += answer_logprobs(weights, samples[start : start + size], first, width)
    return torch.cat(rows)


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Return the old and the new log-probabilities and their ratios, for all tokens of all answers."""
    # When the rollout is stored, the samples are scored in chunks; an optimizer step scores them again in batches.
    old_logprobs = in_batches(old_weights, samples, chunk_size)
    logprobs = in_batches(weights, samples, batch_size)
    return old_logprobs, logprobs, (logprobs - old_logprobs).exp()
