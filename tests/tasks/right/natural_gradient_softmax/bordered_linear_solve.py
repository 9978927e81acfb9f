import torch


def natural_gradient_softmax(logits, grad, legal):
    b, a = logits.shape
    zero = torch.zeros((), dtype=torch.float64, device=logits.device)
    x = torch.where(legal, logits.double(), torch.full_like(zero, -torch.inf))
    g = torch.where(legal, grad.double(), zero)
    logp = torch.log_softmax(x, dim=1)
    rhs_top = torch.where(legal, torch.sign(g) * torch.exp(torch.log(g.abs()) - logp), zero)

    mask = legal.double()
    system = torch.zeros(b, a + 1, a + 1, dtype=torch.float64, device=logits.device)
    system[:, :a, :a] = torch.eye(a, dtype=torch.float64, device=logits.device)
    system[:, :a, a] = mask
    system[:, a, :a] = mask
    rhs = torch.cat([rhs_top, torch.zeros(b, 1, dtype=torch.float64, device=logits.device)], dim=1)
    nat = torch.linalg.solve(system, rhs.unsqueeze(-1)).squeeze(-1)[:, :a]
    nat = torch.where(legal & (legal.sum(1, keepdim=True) > 1), nat, zero)
    rate = torch.einsum("ba,ba->b", g, nat)
    return nat.to(logits.dtype), rate.to(logits.dtype)
