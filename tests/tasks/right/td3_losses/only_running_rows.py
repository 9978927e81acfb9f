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

    @torch.no_grad()
    def targets():
        zeros = torch.zeros_like(s_next)
        states = torch.where(done[:, None], zeros, s_next)
        actions = target_actor(states)
        actions = actions + (noise_std * noise).clamp(min=-noise_clip).clamp(max=noise_clip)
        actions = torch.where(actions < low, low, actions)
        actions = torch.where(actions > high, high, actions)
        first, second = (critic(states, actions) for critic in target_critics)
        result = r.clone()
        lower = torch.where(first < second, first, second)
        result[~done] += gamma * lower[~done]
        return result

    target = targets()
    critic_loss = 0.0
    for critic in critics:
        error = critic(s, a) - target
        critic_loss = critic_loss + (error @ error) / len(error)
    actor_loss = None
    if step % delay == 0:
        actor_loss = -torch.mean(critics[0](s, actor(s)))
    return critic_loss, actor_loss
