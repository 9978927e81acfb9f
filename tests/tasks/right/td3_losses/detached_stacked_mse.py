import torch
from torch.nn.functional import mse_loss


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
    scaled = torch.clip(noise_std * noise, min=-noise_clip, max=noise_clip)
    smoothed = torch.clip(target_actor(s_next) + scaled, min=low, max=high).detach()
    values = torch.stack([critic(s_next, smoothed).detach() for critic in target_critics])
    future = values.amin(dim=0).masked_fill(done, 0.0)
    target = (r + gamma * future).detach()
    critic_loss = mse_loss(critics[0](s, a), target) + mse_loss(critics[1](s, a), target)
    if step % delay:
        return critic_loss, None
    return critic_loss, critics[0](s, actor(s)).mean().neg()
