# expect: right
import torch


def _logprobs_of_answer(weights, prompt, answer):
    ids = torch.tensor(list(prompt) + list(answer))
    n = len(ids)
    hidden = weights["embed"][ids] + weights["position"][:n]
    scores = (hidden @ weights["query"]) @ (hidden @ weights["key"]).T
    future = torch.ones(n, n, dtype=torch.bool).triu(1)
    attention = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    logits = (hidden + attention @ hidden) @ weights["head"]
    logprobs = logits.log_softmax(dim=-1)
    places = torch.arange(len(prompt), n)
    return logprobs[places - 1, ids[places]]


def ratios(old_weights, weights, samples, chunk_size, batch_size):
    """Padding is not needed for so few samples, so the sizes of chunks and batches play no role."""
    old = torch.cat([_logprobs_of_answer(old_weights, p, a) for p, a in samples])
    new = torch.cat([_logprobs_of_answer(weights, p, a) for p, a in samples])
    return old, new, torch.exp(new - old)
