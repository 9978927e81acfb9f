# expect: wrong
# mistake: With dual clipping, a token with a negative advantage has the unclipped objective limited from below, so that it still has a gradient if its ratio is below 1 - clip.
"""PPO's policy loss with a second clip for large ratios; start it with `python loss.py`."""

import logging

import torch


def token_objective(ratio, advantages, clip, dual_clip):
    """Return the clipped objective of each token, which is to be maximized."""
    plain = ratio * advantages
    clipped = ratio.clamp(1 - clip, 1 + clip) * advantages
    objective = torch.minimum(plain, clipped)
    if dual_clip is not None:
        limited = torch.maximum(plain, dual_clip * advantages)
        objective = torch.where(advantages < 0, limited, objective)
    return objective


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss of one batch."""
    ratio = (logprobs - old_logprobs.detach())[mask].exp()
    return -token_objective(ratio, advantages.detach()[mask], clip, dual_clip).mean()


def load_batch(rows=64, steps=16):
    """Return a synthetic batch in which every second answer is better than average."""
    rng = torch.Generator().manual_seed(0)
    old_logprobs = -2 * torch.rand(rows, steps, generator=rng)
    is_better = torch.arange(rows)[:, None] % 2 == 0
    return {
        "logprobs": (old_logprobs + 0.05 * torch.randn(rows, steps, generator=rng)).requires_grad_(),
        "old_logprobs": old_logprobs,
        "advantages": torch.where(is_better, 1.0, -1.0).expand(rows, steps),
        "mask": torch.arange(steps) < torch.randint(4, steps + 1, (rows, 1), generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for dual_clip in (None, 3.0):
        batch = load_batch()
        loss = policy_loss(**batch, clip=0.2, dual_clip=dual_clip)
        loss.backward()
        pull = -batch["logprobs"].grad.sum(dim=1)
        told = (dual_clip, loss.item(), pull[::2].sum(), pull[1::2].sum())
        logging.info("dual_clip %s: loss %.4f, pull on better answers %.3f, on worse answers %.3f", *told)


if __name__ == "__main__":
    main()
