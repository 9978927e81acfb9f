import torch


class Targets:
    def __init__(self, actor, critics, low, high, std, clip):
        self.actor, self.critics = actor, critics
        self.low, self.high = low, high
        self.std, self.clip = std, clip

    def action(self, s, draws):
        bump = draws * self.std
        bump = torch.where(bump > self.clip, torch.full_like(bump, self.clip), bump)
        bump = torch.where(bump < -self.clip, torch.full_like(bump, -self.clip), bump)
        act = self.actor(s).detach() + bump
        return torch.max(torch.min(act, self.high.expand_as(act)), self.low.expand_as(act))

    def value(self, s, draws):
        act = self.action(s, draws)
        values = [c(s, act).detach() for c in self.critics]
        return torch.stack(values).amin(0)


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
    y = r.detach().clone()
    live = torch.nonzero(~done).flatten()
    if live.numel() > 0:
        targets = Targets(target_actor, target_critics, low, high, noise_std, noise_clip)
        y = y.index_add(0, live, gamma * targets.value(s_next[live], noise[live]))

    critic_loss = sum((c(s, a) - y).square().sum() for c in critics) / len(y)
    if step % delay:
        return critic_loss, None
    return critic_loss, critics[0](s, actor(s)).neg().mean()
