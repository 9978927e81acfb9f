# expect: wrong
# mistake: The target is computed without detaching, so that critic_loss sends a gradient to the target networks, and the next value is multiplied by 1 - done, so that NaN in s_next makes the loss NaN.
import torch
import torch.nn.functional as F


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    eps = torch.clamp(noise * noise_std, -noise_clip, noise_clip)
    next_a = torch.clamp(target_actor(s_next) + eps, low, high)
    next_q = torch.min(target_critics[0](s_next, next_a), target_critics[1](s_next, next_a))
    target = r + gamma * (1 - done.to(r.dtype)) * next_q

    critic_loss = F.mse_loss(critics[0](s, a), target) + F.mse_loss(critics[1](s, a), target)

    actor_loss = None
    if step % delay == 0:
        actor_loss = -critics[0](s, actor(s)).mean()
    return critic_loss, actor_loss
