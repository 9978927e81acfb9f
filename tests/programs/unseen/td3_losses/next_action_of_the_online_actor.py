# expect: wrong
# mistake: The smoothed next action comes from the actor instead of the target actor.
import torch


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    c1, c2 = critics
    t1, t2 = target_critics
    with torch.no_grad():
        next_action = actor(s_next)
        smoothing = torch.clamp(noise_std * noise, min=-noise_clip, max=noise_clip)
        next_action = torch.minimum(torch.maximum(next_action + smoothing, low), high)
        bootstrap = torch.minimum(t1(s_next, next_action), t2(s_next, next_action))
        bootstrap = bootstrap.masked_fill(done, 0.0)
        target = r + gamma * bootstrap
    critic_loss = (c1(s, a) - target).pow(2).mean() + (c2(s, a) - target).pow(2).mean()
    actor_loss = -c1(s, actor(s)).mean() if step % delay == 0 else None
    return critic_loss, actor_loss
