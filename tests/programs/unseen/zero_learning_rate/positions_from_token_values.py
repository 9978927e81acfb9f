# expect: wrong
# mistake: The positions count only tokens that differ from the padding token, so real tokens 0 in a prompt or an answer do not advance the position.
"""PPO's ratios of new to old probabilities with a tiny transformer; start it with `python ratios.py`."""

import logging

import torch

PAD = 0


def forward(weights, tokens, mask):
    """Return the logits at every place, [B, T, V]; nothing attends to places where the mask is false."""
    # Left padding must not shift the positions.
    positions = ((tokens != PAD).long().cumsum(dim=1) - 1).clamp(min=0)
    hidden = weights["embed"][tokens] + weights["position"][positions]
    scores = (hidden @ weights["query"]) @ (hidden @ weights["key"]).mT
    visible = mask[:, None, :] & torch.ones_like(scores, dtype=torch.bool).tril()
    attention = scores.masked_fill(~visible, -1e9).softmax(dim=-1)
    return (hidden + attention @ hidden) @ weights["head"]


def collate(samples):
    """Pad prompts on the left and answers on the right, so all answers of the batch begin at the same place."""
    first = max(len(prompt) for prompt, _ in samples)
    width = first + max(len(answer) for _, answer in samples)
    tokens = torch.full((len(samples), width), PAD)
    mask = torch.zeros(len(samples), width, dtype=torch.bool)
    for row, (prompt, answer) in enumerate(samples):
        start, end = first - len(prompt), first + len(answer)
        tokens[row, start:end] = torch.tensor(prompt + answer)
        mask[row, start:end] = True
    return tokens, mask, first


def answer_logprobs(weights, samples):
    """Return the log-probabilities of each answer's tokens, from one forward pass."""
    tokens, mask, first = collate(samples)
    logits = forward(weights, tokens, mask)[:, first - 1 : -1]
    logprobs = logits.log_softmax(dim=-1).gather(-1, tokens[:, first:, None]).squeeze(-1)
    return [row[: len(answer)] for row, (_, answer) in zip(logprobs, samples, strict=True)]


def in_batches(weights, samples, size):
    """Return the log-probabilities of all answers in one tensor, computed in batches of this size."""
    rows = []
    for start in range(0, len(samples), size):
        rows += answer_logprobs(weights, samples[start : start + size])
    return torch.cat(rows)


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Return the old and the new log-probabilities and their ratios, for all tokens of all answers."""
    # When the rollout is stored, the samples are scored in chunks; an optimizer step scores them again in batches.
    old_logprobs = in_batches(old_weights, samples, chunk_size)
    logprobs = in_batches(weights, samples, batch_size)
    return old_logprobs, logprobs, (logprobs - old_logprobs).exp()


def random_weights(rng, vocabulary=9, size=8, positions=32):
    shapes = {
        "embed": (vocabulary, size),
        "position": (positions, size),
        "query": (size, size),
        "key": (size, size),
        "head": (size, vocabulary),
    }
    return {name: torch.randn(*shape, generator=rng) / 2 for name, shape in shapes.items()}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rng = torch.Generator().manual_seed(0)
    weights = random_weights(rng)
    lengths = [(3, 4), (6, 2), (9, 5), (4, 3)]
    samples = [[torch.randint(0, 9, (length,), generator=rng).tolist() for length in pair] for pair in lengths]
    for batch_size in (4, 2, 1):
        ratio = ratios(weights, weights, samples, 4, batch_size)[2]
        logging.info("chunks of 4, batches of %d: ratios from %.3f to %.3f", batch_size, ratio.min(), ratio.max())


if __name__ == "__main__":
    main()
