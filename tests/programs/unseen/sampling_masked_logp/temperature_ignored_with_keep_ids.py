# expect: wrong
# mistake: If keep_ids is given, the log-probability is computed from the undivided logits; the temperature is only applied when the set is chosen by top_p.
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    if keep_ids is not None:
        # the engine already made its choice: renormalize over its set
        kept_logits = logits[keep_ids]
        pos = (keep_ids == token).nonzero()
        if pos.numel() == 0:
            return logits.new_tensor(float("-inf"))
        return torch.log_softmax(kept_logits, dim=0)[pos[0, 0]]

    scores = logits / temperature
    if top_p >= 1:
        return torch.log_softmax(scores, dim=0)[token]

    order = torch.argsort(scores.detach(), descending=True, stable=True).tolist()
    probs = torch.softmax(scores.detach(), dim=0).tolist()
    kept, mass = [], 0.0
    for i in order:
        kept.append(i)
        mass += probs[i]
        if mass >= top_p:
            break
    if token not in kept:
        return logits.new_tensor(float("-inf"))
    return scores[token] - torch.logsumexp(scores[kept], dim=0)
