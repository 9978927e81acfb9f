# expect: wrong
# mistake: The scaled and limited noise is multiplied by half the range of each action dimension, although noise_std and noise_clip are already in the units of the actions.
import torch
import torch.nn.functional as F


def smooth(action, noise, low, high, std, clip):
    half_range = (high - low) / 2
    eps = (std * noise).clamp(-clip, clip) * half_range
    return (action + eps).clamp(low, high)


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    with torch.no_grad():
        a2 = smooth(target_actor(s_next), noise, low, high, noise_std, noise_clip)
        q = torch.stack([critic(s_next, a2) for critic in target_critics]).amin(dim=0)
        y = torch.where(done, r, r + gamma * q)
    critic_loss = 0
    for critic in critics:
        critic_loss = critic_loss + F.mse_loss(critic(s, a), y)
    if step % delay:
        return critic_loss, None
    return critic_loss, -critics[0](s, actor(s)).mean()
