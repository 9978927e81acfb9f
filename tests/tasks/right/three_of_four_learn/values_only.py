"""Pure functions on dicts that are never changed in place: a policy is a value, and a sync is an assignment."""

import logging

import torch

LAYERS = ("embed", "mix", "head")


def logprobs_of(policy, tokens):
    """Return the log-probability of every token but the first, given the token before it."""
    hidden = torch.tanh(policy["embed"][tokens[:-1]] @ policy["mix"].T)
    logprobs = (hidden @ policy["head"].T).log_softmax(dim=-1)
    return logprobs.gather(-1, tokens[1:, None]).squeeze(-1)


def flatten(weights, adapters):
    """Return all trained tensors in one dict, with names as they are in an optimizer step."""
    parts = {f"{layer}.{part}": x for layer, pair in adapters.items() for part, x in pair.items()}
    return dict(weights) | parts


def train(state, changes):
    """Return the state after an optimizer step."""
    return state | {name: state[name] + change for name, change in changes.items()}


def merged(state, scale):
    """Return the policy of a state, with each adapter added to its weight."""
    policy = {}
    for layer in LAYERS:
        policy[layer] = state[layer]
        if f"{layer}.up" in state:
            policy[layer] = state[layer] + scale * (state[f"{layer}.up"] @ state[f"{layer}.down"])
    return policy


def run(weights, adapters, scale, events):
    """Return the log-probabilities of all `generate` events, and those of all `score` events."""
    state, engine = flatten(weights, adapters), dict(weights)
    results = {"generate": [], "score": []}
    for name, *rest in events:
        match name:
            case "train":
                state = train(state, *rest)
            case "sync":
                engine = merged(state, scale)
            case "generate":
                results[name].append(logprobs_of(engine, *rest))
            case "score":
                results[name].append(logprobs_of(merged(state, scale), *rest))
            case _:
                raise ValueError(f"unknown event: {name}")
    return torch.cat(results["generate"]), torch.cat(results["score"])


def random_run(rng, has_adapter, vocabulary=8, size=4):
    """Return the inputs of a run that trains either an adapter or the weight itself."""
    weights = {
        "embed": torch.randn(vocabulary, size, generator=rng),
        "mix": torch.randn(size, size, generator=rng),
        "head": torch.randn(vocabulary, size, generator=rng),
    }
    adapter = {"down": torch.randn(2, size, generator=rng), "up": torch.zeros(size, 2)}
    tokens = torch.randint(0, vocabulary, (12,), generator=rng)
    change = torch.randn(size, 2, generator=rng)
    changes = {"mix.up": change} if has_adapter else {"mix": change @ adapter["down"]}
    events = [("train", changes), ("sync",), ("generate", tokens), ("score", tokens)]
    return {"weights": weights, "adapters": {"mix": adapter} if has_adapter else {}, "scale": 1.0, "events": events}


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for title, has_adapter in (("all weights trained", False), ("an adapter trained", True)):
        generated, scored = run(**random_run(torch.Generator().manual_seed(0), has_adapter))
        logging.info("%s: engine %.3f, trainer %.3f", title, generated.mean(), scored.mean())


if __name__ == "__main__":
    main()
