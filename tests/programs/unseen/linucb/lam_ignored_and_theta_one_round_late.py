# expect: wrong
# mistake: The ridge penalty has the weight 1 whatever lam is, and the returned theta lacks the last round's reward.
import torch


def linucb(contexts, rewards, alpha, lam=1.0):
    T, K, d = contexts.shape
    dtype = contexts.dtype
    A = [torch.eye(d, dtype=torch.float64) for _ in range(K)]
    b = [torch.zeros(d, dtype=torch.float64) for _ in range(K)]
    theta = torch.zeros(K, d, dtype=torch.float64)
    arms, scores = [], []
    for x, reward in zip(contexts.double(), rewards.double()):
        row = []
        for k in range(K):
            features = x[k].clone()
            A_inv = torch.linalg.inv(A[k])
            theta[k] = A_inv @ b[k]
            std = (features @ (A_inv @ features)).clamp(min=0).sqrt()
            row.append((features @ theta[k] + alpha * std).item())
        chosen = max(range(K), key=lambda k: row[k])
        arms.append(chosen)
        scores.append(row)
        A[chosen] = A[chosen] + torch.outer(x[chosen], x[chosen])
        b[chosen] = b[chosen] + reward[chosen] * x[chosen]
    return torch.tensor(arms), torch.tensor(scores, dtype=dtype), theta.to(dtype)
