# expect: right
"""A policy-gradient loss with a penalty on the divergence from a reference; start it with `python loss.py`."""

import logging

import torch

ESTIMATE_MAX = 10.0


def kl_estimate(logprobs, ref_logprobs):
    """Return an estimate of the divergence from the reference for each token, between 0 and 10."""
    difference = ref_logprobs - logprobs
    with torch.no_grad():
        capped = ~(difference.exp() - 1 - difference <= ESTIMATE_MAX)
    # Zero is harmless on both passes, and these entries are overwritten below.
    safe = difference.masked_fill(capped, 0.0)
    return (safe.exp() - 1 - safe).masked_fill(capped, ESTIMATE_MAX)


def policy_loss(logprobs, ref_logprobs, advantages, mask, kl_weight):
    """Return the loss of one batch and its mean divergence estimate."""
    chosen = logprobs[mask]
    kl = kl_estimate(chosen, ref_logprobs.detach()[mask])
    per_token = kl_weight * kl - advantages.detach()[mask] * chosen
    return per_token.mean(), kl.detach().mean()


def load_batch(rows=8, steps=32, unlikely=0):
    """Return a synthetic batch; `unlikely` tokens have become nearly impossible under the policy."""
    rng = torch.Generator().manual_seed(0)
    ref_logprobs = -2 * torch.rand(rows, steps, generator=rng)
    logprobs = ref_logprobs + 0.2 * torch.randn(rows, steps, generator=rng)
    logprobs[0, :unlikely] = -150.0
    return {
        "logprobs": logprobs.requires_grad_(),
        "ref_logprobs": ref_logprobs,
        "advantages": torch.randn(rows, 1, generator=rng).expand(rows, steps),
        "mask": torch.arange(steps) < torch.randint(4, steps + 1, (rows, 1), generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for unlikely in (0, 1):
        batch = load_batch(unlikely=unlikely)
        loss, kl = policy_loss(**batch, kl_weight=0.1)
        loss.backward()
        norm = batch["logprobs"].grad.norm()
        logging.info("%d unlikely tokens: loss %.4f, kl %.4f, grad norm %.4f", unlikely, loss.item(), kl, norm)


if __name__ == "__main__":
    main()
