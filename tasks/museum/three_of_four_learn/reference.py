"""Merged weights are new tensors, computed at every sync; nothing is merged in place."""

import torch


def run(weights, adapters, scale, events):
    """Return the log-probabilities of the engine's and of the trainer's tokens, 1-dim each.

    Assumes: there is at least one `generate` and one `score` event, with two or more tokens each.
    Source: https://github.com/huggingface/trl/issues/2856 (the symptom), W + scale * up @ down for each adapter.
    """
    tensors = {**weights, **{f"{name}.{part}": x for name, pair in adapters.items() for part, x in pair.items()}}

    def merged():
        deltas = {name: scale * tensors[f"{name}.up"] @ tensors[f"{name}.down"] for name in adapters}
        return {name: tensors[name] + deltas.get(name, 0.0) for name in weights}

    engine, logprobs = weights, {"generate": [], "score": []}
    for event, *rest in events:
        if event == "train":
            tensors = {name: x + rest[0].get(name, 0.0) for name, x in tensors.items()}
        elif event == "sync":
            engine = merged()
        else:
            before, after = rest[0][:-1], rest[0][1:]
            policy = engine if event == "generate" else merged()
            logits = torch.tanh(policy["embed"][before] @ policy["mix"].T) @ policy["head"].T
            logprobs[event].append(logits.log_softmax(dim=1)[torch.arange(len(after)), after])
    return torch.cat(logprobs["generate"]), torch.cat(logprobs["score"])
