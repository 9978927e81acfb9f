# expect: wrong
# mistake: All arms share one regression that learns from every chosen context, instead of one regression per arm.
import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    T, K, d = contexts.shape
    A = lam * torch.eye(d, dtype=torch.float64)
    b = torch.zeros(d, dtype=torch.float64)
    arms, scores = [], torch.zeros(T, K, dtype=torch.float64)
    for t in range(T):
        A_inv = torch.linalg.inv(A)
        theta = A_inv @ b
        for k in range(K):
            x = contexts[t, k].double().contiguous()
            scores[t, k] = theta @ x + alpha * (x @ A_inv @ x).clamp(min=0.0).sqrt()
        row = scores[t].tolist()
        k = row.index(max(row))
        x = contexts[t, k].double().contiguous()
        A = A + torch.outer(x, x)
        b = b + rewards[t, k].double() * x
        arms.append(k)
    theta = torch.linalg.solve(A, b).repeat(K, 1)
    return torch.tensor(arms), scores.to(contexts.dtype), theta.to(contexts.dtype)
