import torch


def linucb(contexts, rewards, alpha, lam=1.0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (arms, scores, theta): the choices [T] int64, the scores [T, K], and the final estimates [K, d]."""
    num_rounds, num_arms, dim = contexts.shape
    x = contexts.double()
    inverse = (torch.eye(dim, dtype=torch.float64, device=contexts.device) / lam).repeat(num_arms, 1, 1)
    moment = torch.zeros(num_arms, dim, dtype=torch.float64, device=contexts.device)
    theta = torch.zeros(num_arms, dim, dtype=torch.float64, device=contexts.device)
    arms = torch.zeros(num_rounds, dtype=torch.int64, device=contexts.device)
    scores = torch.zeros(num_rounds, num_arms, dtype=torch.float64, device=contexts.device)

    for t in range(num_rounds):
        spread = (inverse @ x[t].unsqueeze(-1)).squeeze(-1)
        variance = (spread * x[t]).sum(dim=-1).clamp(min=0)
        scores[t] = (theta * x[t]).sum(dim=-1) + alpha * variance.sqrt()
        arm = int(scores[t].argmax())
        arms[t] = arm
        direction = spread[arm].clone()
        inverse[arm] -= torch.outer(direction, direction) / (1 + variance[arm])
        moment[arm] += rewards[t, arm].double() * x[t, arm]
        theta[arm] = inverse[arm] @ moment[arm]

    return arms, scores.to(contexts.dtype), theta.to(contexts.dtype)
