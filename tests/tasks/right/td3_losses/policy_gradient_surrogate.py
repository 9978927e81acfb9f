import torch


def _clip(x, lo, hi):
    return lo + torch.relu(x - lo) - torch.relu(x - hi)


def _critic_part(critics, s, a, target):
    errors = torch.cat([critic(s, a) - target for critic in critics])
    return torch.dot(errors, errors) / target.shape[0]


def _actor_part(critic, actor, s):
    action = actor(s)
    leaf = action.detach().clone().requires_grad_(True)
    with torch.enable_grad():
        q = critic(s, leaf)
        (slope,) = torch.autograd.grad(q.sum(), leaf)
    value = -q.detach().mean()
    return value - (slope * (action - action.detach())).sum() / q.shape[0]


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
    clean = torch.where(done.unsqueeze(1), s, s_next).detach()
    smoothing = _clip(noise_std * noise, -noise_clip, noise_clip)
    action = _clip(target_actor(clean).detach() + smoothing, low, high)
    first, second = (c(clean, action).detach() for c in target_critics)
    bootstrap = torch.where(first <= second, first, second)
    target = torch.where(done, r, torch.add(r, bootstrap, alpha=gamma)).detach()

    critic_loss = _critic_part(critics, s, a, target)
    update = (step // delay) * delay == step
    return critic_loss, _actor_part(critics[0], actor, s) if update else None
