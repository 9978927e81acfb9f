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
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return (critic_loss, actor_loss), two 0-dim tensors; `actor_loss` is None if the actor is not updated."""
    with torch.no_grad():
        smoothing = (noise * noise_std).clamp(-noise_clip, noise_clip)
        a_next = torch.minimum(torch.maximum(target_actor(s_next) + smoothing, low), high)
        q_next = torch.minimum(*(critic(s_next, a_next) for critic in target_critics))
        target = torch.where(done, r, r + gamma * q_next)
    critic_loss = sum((critic(s, a) - target).square().mean() for critic in critics)
    actor_loss = -critics[0](s, actor(s)).mean() if step % delay == 0 else None
    return critic_loss, actor_loss
