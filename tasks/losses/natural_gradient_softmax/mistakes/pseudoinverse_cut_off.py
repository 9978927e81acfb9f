import torch


def natural_gradient_softmax(logits, grad, legal):
    probs = logits.double().masked_fill(~legal, -torch.inf).softmax(dim=1)
    grad = grad.masked_fill(~legal, 0.0).double()
    eye = torch.eye(logits.shape[1], dtype=torch.float64, device=logits.device)
    fisher = torch.diag_embed(probs) - probs[:, :, None] * probs[:, None, :]
    nat = torch.einsum('bij,bj->bi', torch.linalg.pinv(fisher, rtol=1e-10, hermitian=True), grad)
    nat = nat.masked_fill(~legal, 0.0)
    return nat.to(logits.dtype), (grad * nat).sum(dim=1).to(logits.dtype)
