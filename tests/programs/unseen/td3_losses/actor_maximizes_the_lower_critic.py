# expect: wrong
# mistake: The actor's loss is minus the mean of the lower of the two critics' values, instead of minus the mean value of the first critic.
import torch
import torch.nn.functional as F


def td3_losses(
    actor, critics, target_actor, target_critics, s, a, r, s_next, done, noise, low, high, gamma, step,
    noise_std=0.2, noise_clip=0.5, delay=2,
):
    with torch.no_grad():
        eps = (noise * noise_std).clamp(-noise_clip, noise_clip)
        a_next = torch.max(torch.min(target_actor(s_next) + eps, high), low)
        q_next = torch.min(*[c(s_next, a_next) for c in target_critics])
        y = torch.where(done, r, r + gamma * q_next)
    q1, q2 = critics[0](s, a), critics[1](s, a)
    critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)

    actor_loss = None
    if step % delay == 0:
        pi = actor(s)
        actor_loss = -torch.min(critics[0](s, pi), critics[1](s, pi)).mean()
    return critic_loss, actor_loss
