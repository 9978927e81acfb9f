# expect: wrong
# mistake: The Fisher matrix plus 1e-6 times the identity is inverted, instead of the pseudoinverse being used, so the entries of unlikely actions are about 0.
import torch

DAMPING = 1e-6


def natural_gradient_softmax(logits, grad, legal):
    masked = logits.double().masked_fill(~legal, float("-inf"))
    p = masked.softmax(dim=-1)
    g = torch.where(legal, grad.double(), 0.0)
    fisher = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
    eye = torch.eye(p.shape[1], dtype=torch.float64)
    nat = torch.linalg.solve(fisher + DAMPING * eye, g)
    single = legal.sum(dim=1, keepdim=True) == 1
    nat = nat.masked_fill(~legal | single, 0.0)
    rate = torch.einsum("ba,ba->b", g, nat)
    return nat.to(logits.dtype), rate.to(logits.dtype)
