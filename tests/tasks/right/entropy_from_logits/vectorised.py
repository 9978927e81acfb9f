import torch


def entropy_from_logits(logits, mask):
    if mask is None:
        mask = torch.ones_like(logits[..., 0], dtype=torch.bool)
    z = torch.where(mask.unsqueeze(-1), logits.float(), torch.zeros((), device=logits.device))
    p = z.softmax(dim=-1)
    finite = torch.where(z == -torch.inf, torch.zeros_like(z), z - z.detach().amax(-1, keepdim=True))
    total = torch.logsumexp(z - z.detach().amax(-1, keepdim=True), dim=-1)
    per_token = torch.where(mask, total - (p * finite).sum(-1), torch.zeros_like(total))
    return per_token.sum() / max(int(mask.sum()), 1), per_token
