"""The rewards and the logged metrics of a PPO rollout; start it with `python rollout.py`."""

import logging

import torch


def rollout_stats(logits, ref_logits, tokens, mask, scores, kl_weight):
    """Return the reward of every token, the mean divergence of an answer, and the entropy estimate for the log."""
    rewards = torch.zeros_like(logits[..., 0])
    divergences, surprises = [], []
    for i, length in enumerate(mask.sum(dim=1).tolist()):
        positions, answer = torch.arange(length), tokens[i, :length]
        logprobs = logits[i, :length].log_softmax(dim=-1)[positions, answer]
        ratios = logprobs - ref_logits[i, :length].log_softmax(dim=-1)[positions, answer]
        rewards[i, :length] = -kl_weight * ratios
        rewards[i, length - 1] += scores[i]
        divergences.append(ratios.sum())
        surprises.append(-logprobs)
    return rewards, torch.stack(divergences).mean(), torch.cat(surprises).mean()


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
