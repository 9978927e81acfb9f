import torch


def make_arm(dim, alpha, lam, device):
    """Return the functions score, observe and coefficients of one arm's ridge regression."""
    seen_contexts, seen_rewards = [], []
    fit = {}

    def refit():
        design = (
            torch.stack(seen_contexts) if seen_contexts else torch.zeros(0, dim, dtype=torch.float64, device=device)
        )
        target = torch.tensor(seen_rewards, dtype=torch.float64, device=device)
        precision = design.T @ design + lam * torch.eye(dim, dtype=torch.float64, device=device)
        fit["factor"] = torch.linalg.cholesky(precision)
        fit["theta"] = torch.cholesky_solve((design.T @ target)[:, None], fit["factor"])[:, 0]

    def score(context):
        whitened = torch.linalg.solve_triangular(fit["factor"], context[:, None], upper=False)
        return (context @ fit["theta"] + alpha * torch.linalg.vector_norm(whitened)).item()

    def observe(context, reward):
        seen_contexts.append(context)
        seen_rewards.append(reward)
        refit()

    refit()
    return score, observe, lambda: fit["theta"]


def linucb(contexts, rewards, alpha, lam=1.0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (arms, scores, theta): the choices [T] int64, the scores [T, K], and the final estimates [K, d]."""
    num_rounds, num_arms, dim = contexts.shape
    models = [make_arm(dim, alpha, lam, contexts.device) for _ in range(num_arms)]
    arms, scores = [], []
    for round_contexts, round_rewards in zip(contexts.to(torch.float64), rewards):
        row = [score(context) for (score, _, _), context in zip(models, round_contexts)]
        chosen = row.index(max(row))
        models[chosen][1](round_contexts[chosen], round_rewards[chosen].item())
        arms.append(chosen)
        scores.append(row)
    return (
        torch.tensor(arms, dtype=torch.int64, device=contexts.device),
        torch.tensor(scores, dtype=contexts.dtype, device=contexts.device).reshape(num_rounds, num_arms),
        torch.stack([coefficients() for _, _, coefficients in models]).to(contexts.dtype),
    )
