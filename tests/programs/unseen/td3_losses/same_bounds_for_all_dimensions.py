# expect: wrong
# mistake: The smoothed action is limited to the lowest lower bound and the highest upper bound of all dimensions, instead of each dimension's own bounds.
import torch


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    lo, hi = low.min().item(), high.max().item()

    @torch.no_grad()
    def td_target():
        delta = torch.clamp(noise * noise_std, -noise_clip, noise_clip)
        act = torch.clamp(target_actor(s_next) + delta, lo, hi)
        q = torch.min(target_critics[0](s_next, act), target_critics[1](s_next, act))
        return torch.where(done, r, r + gamma * q)

    y = td_target()
    critic_loss = torch.stack([(c(s, a) - y).square().mean() for c in critics]).sum()
    actor_loss = None
    if step % delay == 0:
        actor_loss = critics[0](s, actor(s)).mean().neg()
    return critic_loss, actor_loss
