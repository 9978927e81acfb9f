# expect: wrong
# mistake: A token at the dual clip has the right objective, but it is scaled to it with a detached factor, so that it keeps a gradient instead of having none.
"""PPO's policy loss with a second clip for large ratios; start it with `python loss.py`."""

import logging

import torch


def dual_clip_scale(ratio, advantages, dual_clip):
    """Return the factor that keeps a token with a negative advantage from dominating."""
    scale = (dual_clip / ratio.detach()).clamp(max=1.0)
    return torch.where(advantages < 0, scale, torch.ones_like(scale))


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss of one batch."""
    ratio = (logprobs - old_logprobs.detach())[mask].exp()
    advantages = advantages.detach()[mask]
    objective = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    if dual_clip is not None:
        objective = objective * dual_clip_scale(ratio, advantages, dual_clip)
    return -objective.mean()


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
