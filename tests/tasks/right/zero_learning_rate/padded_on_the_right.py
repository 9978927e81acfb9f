"""Batches padded only on the right, so that positions and causal attention need no mask, and answers are picked."""

import logging

import torch
from torch.nn.utils.rnn import pad_sequence

PAD = 0


def forward(weights, tokens):
    """Return the logits at every place, [B, T, V]; a place attends to itself and all places before it."""
    length = tokens.shape[1]
    hidden = weights["embed"][tokens] + weights["position"][:length]
    scores = torch.einsum("bid,de,bje->bij", hidden, weights["query"], hidden @ weights["key"])
    future = torch.ones(length, length, dtype=torch.bool, device=tokens.device).triu(diagonal=1)
    attention = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return (hidden + torch.bmm(attention, hidden)) @ weights["head"]


def collate(samples, device):
    """Return the tokens, padded on the right, and which of the tokens but the first belong to an answer."""
    rows = [torch.tensor([*prompt, *answer], device=device) for prompt, answer in samples]
    tokens = pad_sequence(rows, batch_first=True, padding_value=PAD)
    starts = torch.tensor([len(prompt) for prompt, _ in samples], device=device)
    ends = torch.tensor([len(row) for row in rows], device=device)
    places = torch.arange(1, tokens.shape[1], device=device)
    return tokens, (places >= starts[:, None]) & (places < ends[:, None])


def in_batches(weights, samples, size):
    """Yield the log-probabilities of the answers of each batch, in the order of the samples."""
    for start in range(0, len(samples), size):
        tokens, in_answer = collate(samples[start : start + size], weights["embed"].device)
        logits = forward(weights, tokens[:, :-1])
        chosen = logits.gather(-1, tokens[:, 1:, None]).squeeze(-1)
        yield (chosen - logits.logsumexp(dim=-1))[in_answer]


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Return the old and the new log-probabilities and their ratios, for all tokens of all answers."""
    old_logprobs = torch.cat(list(in_batches(old_weights, samples, chunk_size)))
    logprobs = torch.cat(list(in_batches(weights, samples, batch_size)))
    return old_logprobs, logprobs, torch.exp(logprobs - old_logprobs)


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
