# expect: wrong
# mistake: The logarithm is taken of softmax probabilities divided by their kept sum, so a kept token whose probability underflows to 0 gets minus infinity instead of a finite value.
import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    probs = torch.softmax(logits / temperature, dim=0)
    if keep_ids is not None:
        ids = keep_ids
    elif top_p == 1:
        ids = torch.arange(len(probs), device=probs.device)
    else:
        order = torch.argsort(logits.detach(), descending=True, stable=True)
        csum = probs.detach()[order].cumsum(0)
        k = int((csum < top_p).sum()) + 1
        ids = order[:k]
    if token not in ids.tolist():
        return probs.new_tensor(float("-inf"))
    return torch.log(probs[token] / probs[ids].sum())
