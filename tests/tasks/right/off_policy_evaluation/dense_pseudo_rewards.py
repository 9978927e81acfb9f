import torch


def off_policy_evaluation(
    target_probs, logged_probs, actions, rewards, q_hat
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the IPS, SNIPS and doubly robust estimates of the new policy's mean reward, 0-dim tensors."""
    n = rewards.shape[0]
    rows = torch.arange(n)
    policy = target_probs.to(torch.float64)
    reachable = policy != 0

    def value(model):
        """Average, under the new policy, of the model plus its corrected error at the logged action."""
        pseudo = model.to(torch.float64).clone()
        error = rewards.to(torch.float64) - pseudo[rows, actions]
        pseudo[rows, actions] += error / logged_probs.to(torch.float64)
        return (policy[reachable] * pseudo[reachable]).sum() / n

    nothing = torch.zeros_like(policy)
    ips = value(nothing)
    dr = value(q_hat)
    mean_weight = (policy[rows, actions] / logged_probs.to(torch.float64)).mean()
    snips = torch.where(mean_weight == 0, 0.0, ips / mean_weight)
    return ips.to(rewards.dtype), snips.to(rewards.dtype), dr.to(rewards.dtype)
