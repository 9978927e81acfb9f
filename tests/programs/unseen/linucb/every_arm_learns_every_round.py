# expect: wrong
# mistake: After each round, all arms are updated with their own entries of the rewards table, not only the chosen arm.
import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    T, K, d = contexts.shape
    dtype = contexts.dtype
    X, Y = contexts.double().contiguous(), rewards.double().contiguous()
    A = torch.eye(d, dtype=torch.float64).mul(lam).expand(K, d, d).clone()
    b = torch.zeros(K, d, dtype=torch.float64)
    arms = torch.empty(T, dtype=torch.int64)
    scores = torch.empty(T, K, dtype=torch.float64)
    for t in range(T):
        x = X[t]
        inverse = torch.linalg.inv(A)
        theta = (inverse * b[:, None, :]).sum(-1)
        width = ((inverse * x[:, None, :]).sum(-1) * x).sum(-1).clamp(min=0).sqrt()
        scores[t] = (theta * x).sum(-1) + alpha * width
        row = scores[t].tolist()
        arms[t] = row.index(max(row))
        A = A + x[:, :, None] * x[:, None, :]
        b = b + Y[t][:, None] * x
    theta = (torch.linalg.inv(A) * b[:, None, :]).sum(-1)
    return arms, scores.to(dtype), theta.to(dtype)
