# expect: wrong
# mistake: The draws are limited to noise_clip before they are multiplied by noise_std, instead of after.
import torch


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    with torch.no_grad():
        clipped_noise = noise_std * noise.clamp(-noise_clip, noise_clip)
        next_actions = target_actor(s_next) + clipped_noise
        next_actions = next_actions.clamp(min=low, max=high)
        v1 = target_critics[0](s_next, next_actions)
        v2 = target_critics[1](s_next, next_actions)
        future = torch.where(v1 < v2, v1, v2)
        future = torch.where(done, torch.zeros_like(future), future)
        y = r + gamma * future

    err1 = critics[0](s, a) - y
    err2 = critics[1](s, a) - y
    critic_loss = (err1 ** 2).mean() + (err2 ** 2).mean()
    if step % delay == 0:
        return critic_loss, -(critics[0](s, actor(s))).mean()
    return critic_loss, None
