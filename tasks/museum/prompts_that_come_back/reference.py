"""States are cached under the number of the update that came last when their request started."""

import torch


def serve(weights, events):
    """Return the log-probabilities of all steps, [steps], and the states that each request computed, [requests].

    Assumes: there is at least one step.
    Source: https://github.com/radixark/miles/pull/2783 (a cache keyed by the weight version).
    """
    updates, cache, requests, logprobs = 0, {}, [], []

    def extend(request, token):
        request["state"] = torch.tanh(request["state"] @ weights["mix"] + weights["embed"][token])
        request["tokens"] = [*request["tokens"], token]
        request["computed"] += 1
        cache[request["version"], *request["tokens"]] = request["state"]

    for name, *rest in events:
        if name == "update":
            (weights,) = rest
            updates += 1
        elif name == "start":
            (prompt,) = rest
            hit = max((end for end in range(1, len(prompt) + 1) if (updates, *prompt[:end]) in cache), default=0)
            state = cache.get((updates, *prompt[:hit]), weights["mix"].new_zeros(len(weights["mix"])))
            requests.append({"version": updates, "tokens": prompt[:hit], "state": state, "computed": 0})
            for token in prompt[hit:]:
                extend(requests[-1], token)
        elif name == "step":
            number, token = rest
            logits = requests[number]["state"] @ weights["head"]
            logprobs.append(logits[token] - logits.logsumexp(dim=0))
            extend(requests[number], token)
    return torch.stack(logprobs), torch.tensor([request["computed"] for request in requests])
