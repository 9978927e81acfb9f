"""Both critics share a target, which is computed without a graph; the actor climbs the first critic only."""

import torch


def td3_losses(
    actor,
    critics,
    target_actor,
    target_critics,
    s,
    a,
    r,
    s_next,
    done,
    noise,
    low,
    high,
    gamma,
    step,
    noise_std=0.2,
    noise_clip=0.5,
    delay=2,
):
    """Return the loss of both critics and the actor's loss, which is None between two actor updates.

    Shapes: s, s_next [B, S]; a, noise [B, A]; r [B]; done [B] bool; low, high [A].
    Source: arXiv:1802.09477, sections 4 and 5, algorithm 1.
    """
    with torch.no_grad():
        smoothing = (noise_std * noise).clamp(-noise_clip, noise_clip)
        a_next = torch.minimum(torch.maximum(target_actor(s_next) + smoothing, low), high)
        q_next = torch.minimum(*(critic(s_next, a_next) for critic in target_critics))
        # torch.where instead of `* ~done`, because 0 * NaN is NaN.
        target = r + torch.where(done, 0.0, gamma * q_next)
    critic_loss = sum((critic(s, a) - target).square().mean() for critic in critics)
    if step % delay:
        return critic_loss, None
    return critic_loss, -critics[0](s, actor(s)).mean()
