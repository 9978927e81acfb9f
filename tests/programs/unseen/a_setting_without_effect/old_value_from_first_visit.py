# expect: wrong
# mistake: The old value of a state is the value at the first minibatch of the rollout that contains the state, instead of the value before the rollout's first step.
import torch


def train_critic(settings, rollouts):
    weights = settings["weights"].detach().clone()
    lr, eps = settings["learning_rate"], settings["clip_range"]
    losses, shares = [], []
    for rollout in rollouts:
        features, returns = rollout["features"], rollout["returns"]
        old = torch.full_like(returns, float("nan"))
        for epoch in rollout["epochs"]:
            for rows in epoch:
                w = weights.clone().requires_grad_()
                values = features[rows] @ w
                known = old[rows]
                old[rows] = torch.where(known.isnan(), values.detach(), known)
                base = old[rows]
                change = values - base
                clipped = base + change.clamp(-eps, eps)
                target = returns[rows]
                error = torch.maximum((values - target) ** 2, (clipped - target) ** 2)
                loss = error.mean() / 2
                (grad,) = torch.autograd.grad(loss, w)
                losses.append(loss.detach())
                shares.append((change.detach().abs() > eps).to(weights.dtype).mean())
                weights = weights - lr * grad
    return weights, torch.stack(losses), torch.stack(shares)
