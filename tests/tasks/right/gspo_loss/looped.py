import torch


def gspo_loss(logp, old_logp, adv, mask, eps_low=3e-4, eps_high=4e-4, token_variant=False):
    def term(ratio, advantage):
        """Return the clipped loss; a clipped one is a plain number and has no gradient."""
        if advantage > 0 and ratio > 1 + eps_high:
            return ratio.detach() * 0 - (1 + eps_high) * advantage
        if advantage < 0 and ratio < 1 - eps_low:
            return ratio.detach() * 0 - (1 - eps_low) * advantage
        return -ratio * advantage

    rows = []
    for b in range(mask.shape[0]):
        places = [t for t in range(mask.shape[1]) if mask[b, t]]
        if not places:
            continue
        product = torch.ones((), dtype=logp.dtype, device=logp.device)
        for t in places:
            product = product * torch.exp(logp[b, t] - old_logp[b, t].detach())
        root = product ** (1 / len(places))
        if not token_variant:
            rows.append(term(root, adv[b].item()))
            continue
        total = torch.zeros((), dtype=logp.dtype, device=logp.device)
        for t in places:
            advantage = (adv[b] if adv.dim() == 1 else adv[b, t]).item()
            value = root.detach()
            total = total + term(value + value * (logp[b, t] - logp[b, t].detach()), advantage)
        rows.append(total / len(places))
    return logp[mask].sum() * 0 + (sum(rows) / len(rows) if rows else 0)
