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
    """Return (critic_loss, actor_loss), two 0-dim tensors; `actor_loss` is None if the actor is not updated.

    s, s_next: [B, S]; a, noise: [B, A]; r: [B]; done: [B] bool; low, high: [A].
    """
    raise NotImplementedError
