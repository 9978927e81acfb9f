# expect: wrong
# mistake: The top-p set is chosen from the probabilities of the undivided logits, and the temperature only enters the final log-probability.
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    if keep_ids is not None:
        keep[keep_ids] = True
    elif top_p >= 1.0:
        keep[:] = True
    else:
        probs = torch.softmax(logits.detach(), dim=-1)
        sorted_probs, order = torch.sort(probs, descending=True, stable=True)
        cum = torch.cumsum(sorted_probs, dim=-1)
        sorted_keep = (cum - sorted_probs) < top_p
        keep[order[sorted_keep]] = True
    masked = logits.masked_fill(~keep, float("-inf"))
    logp = torch.log_softmax(masked / temperature, dim=-1)
    return logp[token]
