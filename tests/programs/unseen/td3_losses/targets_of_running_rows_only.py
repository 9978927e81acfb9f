# expect: right
import torch


def _targets(target_actor, target_critics, r, s_next, done, noise, low, high, gamma, noise_std, noise_clip):
    y = r.detach().clone()
    live = ~done
    nxt = s_next[live]
    shift = torch.clamp(noise[live] * noise_std, -noise_clip, noise_clip)
    act = torch.clamp(target_actor(nxt) + shift, low, high)
    lowest = torch.minimum(target_critics[0](nxt, act), target_critics[1](nxt, act))
    y[live] = y[live] + gamma * lowest
    return y


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    with torch.no_grad():
        y = _targets(target_actor, target_critics, r, s_next, done, noise, low, high, gamma, noise_std, noise_clip)
    critic_loss = sum(((critic(s, a) - y) ** 2).mean() for critic in critics)
    if step % delay != 0:
        return critic_loss, None
    return critic_loss, -critics[0](s, actor(s)).mean()
