import torch


def simko_ratio(logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1):
    one = torch.ones((), dtype=logits.dtype, device=logits.device)
    ratios, scales = [], []
    for b in range(mask.shape[0]):
        places = torch.nonzero(mask[b]).flatten().tolist()
        new = {t: torch.softmax(logits[b, t], dim=0) for t in places}
        entropy = {t: -(new[t].detach() * new[t].detach().log()).sum() for t in places}
        limit = torch.quantile(torch.stack(list(entropy.values())), q) if places else None
        for t in range(mask.shape[1]):
            if t not in new:
                ratios.append(one)
                scales.append(one)
                continue
            token = int(tokens[b, t])
            old = torch.softmax(old_logits[b, t].detach(), dim=0)
            each = new[t] / old
            is_fork = bool(entropy[t] > limit)
            ratio = each[token]
            if is_fork and correct[b]:
                best = torch.argsort(old, descending=True)[:K].tolist()
                parts = [(each[token] / each[k]).detach() * each[k] for k in best]
                ratio = (1 - alpha) * each[token] + alpha * sum(parts) / K
            ratios.append(ratio)
            is_penalized = is_fork and not correct[b] and int(new[t].argmax()) == token
            scales.append(one * penalty if is_penalized else one)
    return torch.stack(ratios).view(mask.shape), torch.stack(scales).view(mask.shape)
