# expect: wrong
# mistake: The returned ratio is the mean of the capped weights instead of the ratios before the cap.
"""A policy-gradient loss that corrects for the rollout engine; start it with `python loss.py`."""

import logging

import torch


def token_logprobs(logits, tokens):
    """Return the log-probability of every token, [B, T]."""
    return logits.log_softmax(dim=-1).gather(-1, tokens[..., None]).squeeze(-1)


def engine_logprobs(logits, tokens, temperature):
    """Return what the rollout engine records for its sampled tokens, [B, T]."""
    return token_logprobs(logits / temperature, tokens)


def trainer_logprobs(logits, tokens, temperature):
    """Return the trainer's log-probabilities of the same tokens, [B, T]."""
    return token_logprobs(logits / temperature, tokens)


def mean_entropy(logits, mask, temperature):
    """Return the mean entropy of the distributions that the trainer's policy samples from."""
    logprobs = (logits / temperature).log_softmax(dim=-1)
    return -(logprobs.exp() * logprobs).sum(dim=-1)[mask].mean()


def policy_loss(logits, engine_logits, tokens, advantages, mask, temperature, cap):
    """Return the loss, the mean ratio and the mean entropy of one batch."""
    with torch.no_grad():
        recorded = engine_logprobs(engine_logits, tokens, temperature)
    logprobs = trainer_logprobs(logits, tokens, temperature)
    weight = (logprobs.detach() - recorded).exp().clamp(max=cap)
    loss = -(weight * advantages.detach() * logprobs)[mask].mean()
    return loss, weight[mask].mean(), mean_entropy(logits.detach(), mask, temperature)


def load_batch(temperature, rows=8, steps=32, vocabulary=64):
    """Return a synthetic batch in which engine and trainer have the same weights."""
    rng = torch.Generator().manual_seed(0)
    logits = 2 * torch.randn(rows, steps, vocabulary, generator=rng)
    chances = (logits / temperature).softmax(dim=-1).flatten(0, 1)
    return {
        "logits": logits.clone().requires_grad_(),
        "engine_logits": logits,
        "tokens": torch.multinomial(chances, 1, generator=rng).reshape(rows, steps),
        "advantages": torch.randn(rows, 1, generator=rng).expand(rows, steps),
        "mask": torch.arange(steps) < torch.randint(4, steps + 1, (rows, 1), generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for temperature in (1.0, 0.6, 1.4):
        loss, ratio, entropy = policy_loss(**load_batch(temperature), temperature=temperature, cap=2.0)
        told = (temperature, loss.item(), ratio, entropy)
        logging.info("temperature %.1f: loss %.4f, ratio %.3f, entropy %.3f", *told)


if __name__ == "__main__":
    main()
