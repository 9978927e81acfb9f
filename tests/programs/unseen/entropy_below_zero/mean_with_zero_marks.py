# expect: wrong
# mistake: The marks of the padding are 0, but the entropy is still averaged over all B * T places including the padding.
"""The rewards and the logged metrics of a PPO rollout; start it with `python rollout.py`."""

import logging

import torch

# Value of the log-probabilities of padding, so that padding does not contribute to sums.
INVALID = 0.0


def logprobs_of(logits, tokens, mask):
    """Return the log-probability of every sampled token, [B, T], with marked padding."""
    logprobs = logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)
    return logprobs.masked_fill(~mask, INVALID)


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the reward of every token, the mean divergence of an answer, and the entropy estimate for the log."""
    logprobs = logprobs_of(logits, tokens, mask)
    ref_logprobs = logprobs_of(ref_logits, tokens, mask)
    # The marks cancel.
    divergence = logprobs - ref_logprobs
    rewards = -kl_weight * divergence
    last = mask.sum(dim=1) - 1
    rewards[torch.arange(len(scores)), last] += scores
    kl = divergence.sum(dim=1).mean()
    entropy = -logprobs.mean()
    return rewards, kl, entropy


def sample(rng, lengths, width, vocabulary=16):
    """Return synthetic answers of these lengths with the logits of both models."""
    logits = 2 * torch.randn(len(lengths), width, vocabulary, generator=rng)
    chances = logits.softmax(dim=-1).flatten(0, 1)
    return {
        "logits": logits,
        "ref_logits": logits + 0.1 * torch.randn(logits.shape, generator=rng),
        "tokens": torch.multinomial(chances, 1, generator=rng).reshape(len(lengths), width),
        "mask": torch.arange(width) < torch.tensor(lengths)[:, None],
        "scores": torch.ones(len(lengths)),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for lengths in ([24, 24], [24, 12], [12, 4]):
        batch = sample(torch.Generator().manual_seed(0), lengths, width=24)
        _, kl, entropy = rollout_stats(**batch, kl_weight=0.05)
        logging.info("answers of %s tokens: kl %.3f, entropy %.3f", lengths, kl, entropy)


if __name__ == "__main__":
    main()
