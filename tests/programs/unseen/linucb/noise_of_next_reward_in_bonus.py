# expect: wrong
# mistake: The standard deviation includes the noise of the next reward: it is the root of 1 plus the variance of the prediction.
import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    T, K, d = contexts.shape
    x = contexts.double()
    y = rewards.double()
    A = lam * torch.eye(d, dtype=torch.float64).repeat(K, 1, 1)
    b = torch.zeros(K, d, dtype=torch.float64)
    arms = torch.zeros(T, dtype=torch.int64)
    scores = torch.zeros(T, K, dtype=torch.float64)
    for t in range(T):
        for k in range(K):
            context = x[t, k].contiguous()
            theta_k = torch.linalg.solve(A[k], b[k])
            variance = context @ torch.linalg.solve(A[k], context)
            scores[t, k] = context @ theta_k + alpha * (1.0 + variance).sqrt()
        best = int((scores[t] == scores[t].max()).nonzero()[0])
        arms[t] = best
        A[best] += torch.outer(x[t, best], x[t, best])
        b[best] += y[t, best] * x[t, best]
    theta = torch.stack([torch.linalg.solve(A[k], b[k]) for k in range(K)])
    return arms, scores.to(contexts.dtype), theta.to(contexts.dtype)
