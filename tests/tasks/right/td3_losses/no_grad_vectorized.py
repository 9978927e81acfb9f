import torch
import torch.nn.functional as F


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
    with torch.no_grad():
        eps = (noise * noise_std).clamp(-noise_clip, noise_clip)
        a_next = torch.clamp(target_actor(s_next) + eps, low, high)
        q_next = torch.minimum(target_critics[0](s_next, a_next), target_critics[1](s_next, a_next))
        target = r + gamma * q_next.masked_fill(done, 0.0)

    critic_loss = F.mse_loss(critics[0](s, a), target) + F.mse_loss(critics[1](s, a), target)

    actor_loss = None
    if step % delay == 0:
        actor_loss = -critics[0](s, actor(s)).mean()
    return critic_loss, actor_loss
