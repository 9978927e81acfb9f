"""No padding at all: every sample is scored alone, and queries are computed only where an answer's token is next."""

import logging

import torch


def forward(weights, tokens, first):
    """Return the logits at the places from `first` on for one sample, [T - first, V]."""
    count = len(tokens)
    hidden = weights["embed"][tokens] + weights["position"][:count]
    asking = hidden[first:]
    scores = asking @ weights["query"] @ (hidden @ weights["key"]).T
    places = torch.arange(count, device=tokens.device)
    scores = scores.masked_fill(places > places[first:, None], float("-inf"))
    return (asking + scores.softmax(dim=-1) @ hidden) @ weights["head"]


def answer_logprobs(weights, prompt, answer):
    """Return the log-probabilities of the answer's tokens."""
    tokens = torch.tensor([*prompt, *answer], device=weights["embed"].device)
    logprobs = forward(weights, tokens[:-1], len(prompt) - 1).log_softmax(dim=-1)
    return logprobs.gather(-1, tokens[len(prompt) :, None]).squeeze(-1)


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Return the old and the new log-probabilities and their ratios, for all tokens of all answers.

    As samples are scored one by one, like in the engine, the sizes of chunks and batches have no effect.
    """
    old_logprobs = torch.cat([answer_logprobs(old_weights, *sample) for sample in samples])
    logprobs = torch.cat([answer_logprobs(weights, *sample) for sample in samples])
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
