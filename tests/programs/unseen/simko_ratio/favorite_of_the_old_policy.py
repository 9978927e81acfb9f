# expect: wrong
# mistake: The penalty goes to sampled tokens that have the highest probability under the old policy, instead of under the current policy.
import torch


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    B, T, V = logits.shape
    old_logits = old_logits.detach()
    ratio_rows, scale_rows = [], []
    for b in range(B):
        idx = mask[b].nonzero(as_tuple=True)[0]
        ratio_b = torch.ones(T, dtype=logits.dtype, device=logits.device)
        scale_b = torch.ones(T, dtype=logits.dtype, device=logits.device)
        if len(idx):
            logp = torch.log_softmax(logits[b, idx], -1)
            old_logp = torch.log_softmax(old_logits[b, idx], -1)
            tok = tokens[b, idx].unsqueeze(-1)
            ent = -(logp.exp() * logp).sum(-1).detach()
            fork = ent > torch.quantile(ent, q)
            s = (logp - old_logp).gather(-1, tok).squeeze(-1).exp()
            order = old_logp.argsort(dim=-1, descending=True)
            if correct[b]:
                c = (logp - old_logp).gather(-1, order[:, :K]).exp()
                c = c * (s.detach().unsqueeze(-1) / c.detach())
                s = torch.where(fork, (1 - alpha) * s + alpha * c.mean(-1), s)
            else:
                top1 = order[:, 0] == tok.squeeze(-1)
                scale_b[idx[fork & top1]] = penalty
            ratio_b = ratio_b.index_put((idx,), s)
        ratio_rows.append(ratio_b)
        scale_rows.append(scale_b)
    return torch.stack(ratio_rows), torch.stack(scale_rows)
