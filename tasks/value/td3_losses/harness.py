"""Builds the six networks from weight matrices, and differentiates each loss as the two optimizers would."""

import torch

LEARNED = ("actor", "critic_1", "critic_2")


def make_actor(weights, low, high):
    """Return a policy [B, S] -> [B, A] whose actions are within the bounds."""
    return lambda s: (low + high) / 2 + (high - low) / 2 * torch.tanh(s @ weights)


def make_critic(weights):
    """Return a value function: its first column of weights is linear in (s, a), and each other one is a unit."""

    def critic(s, a):
        x = torch.cat([s, a], dim=1)
        return x @ weights[:, 0] + 2 * torch.tanh(x @ weights[:, 1:]).sum(dim=1)

    return critic


def slopes(loss, weights):
    """Return the gradient of a loss with respect to each tensor; zeros if it does not depend on the tensor."""
    if not isinstance(loss, torch.Tensor) or not loss.requires_grad:
        return [torch.zeros_like(weight) for weight in weights]
    taken = torch.autograd.grad(loss, weights, allow_unused=True, retain_graph=True)
    return [torch.zeros_like(weight) if slope is None else slope for weight, slope in zip(weights, taken, strict=True)]


def drive(entry, args):
    """Return both losses, the gradients that the optimizers apply, and the sizes of gradients elsewhere."""
    given = dict(args)
    weights = {
        name: given.pop(name).clone().requires_grad_() for name in (*LEARNED, *(f"target_{name}" for name in LEARNED))
    }
    bounds = given["low"].clone(), given["high"].clone()
    critic_loss, actor_loss = entry(
        make_actor(weights["actor"], *bounds),
        (make_critic(weights["critic_1"]), make_critic(weights["critic_2"])),
        make_actor(weights["target_actor"], *bounds),
        (make_critic(weights["target_critic_1"]), make_critic(weights["target_critic_2"])),
        **given,
    )
    targets = [weights[f"target_{name}"] for name in LEARNED]
    critic_slopes = slopes(critic_loss, [weights["critic_1"], weights["critic_2"]])
    actor_slope = slopes(actor_loss, [weights["actor"]])[0]
    leaks = slopes(critic_loss, [weights["actor"], *targets]) + slopes(actor_loss, targets)
    updates_actor = actor_loss is not None
    return {
        "critic_loss": critic_loss,
        "updates_actor": updates_actor,
        "actor_loss": actor_loss if updates_actor else torch.zeros((), device=given["r"].device),
        "critic_1_slope": critic_slopes[0],
        "critic_2_slope": critic_slopes[1],
        "actor_slope": actor_slope,
        "leaks": torch.stack([slope.abs().sum() for slope in leaks]),
    }
