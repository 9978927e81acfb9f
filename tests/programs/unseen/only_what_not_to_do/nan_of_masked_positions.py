# expect: wrong
# mistake: The masked positions are multiplied by 0 instead of removed, so that NaN there makes the loss NaN.
"""PPO's policy loss with a second clip for large ratios; start it with `python loss.py`."""

import logging

import torch


def policy_loss(logprobs, old_logprobs, advantages, mask, clip, dual_clip=None):
    """Return the loss of one batch."""
    adv = advantages.detach()
    ratio = torch.exp(logprobs - old_logprobs.detach())
    surr1 = ratio * adv
    surr2 = ratio.clamp(1 - clip, 1 + clip) * adv
    loss = torch.maximum(-surr1, -surr2)
    if dual_clip is not None:
        loss = torch.where(adv < 0, torch.minimum(loss, -dual_clip * adv), loss)
    weights = mask.to(loss.dtype)
    return (loss * weights).sum() / weights.sum()


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
