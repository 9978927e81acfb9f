# expect: right
"""A toy rollout engine with a prefix cache and weight updates; start it with `python engine.py`."""

import logging

import torch


class Engine:
    """Runs requests one token at a time. The state after a token stands for that token's keys and values."""

    def __init__(self, weights):
        self.weights = {name: x.clone() for name, x in weights.items()}
        self.cache = {}
        self.version = 0
        self.running = {}
        self.computed = []

    def update(self, weights):
        """Copy new weights into the engine; running requests go on with them."""
        for name, x in weights.items():
            self.weights[name].copy_(x)
        self.version += 1

    def extend(self, request, token):
        """Compute the state after one more token of a request, and cache it."""
        state = torch.tanh(request["state"] @ self.weights["mix"] + self.weights["embed"][token])
        request["state"] = state
        request["tokens"] = (*request["tokens"], token)
        # A request that has lived through an update writes under its old version, which nobody looks up.
        self.cache[request["version"], request["tokens"]] = state
        self.computed[request["number"]] += 1

    def start(self, prompt):
        """Start a request: find the longest cached prefix of the prompt, and compute the rest."""
        request = {
            "number": len(self.computed),
            "version": self.version,
            "tokens": (),
            "state": torch.zeros_like(self.weights["mix"][0]),
        }
        self.running[request["number"]] = request
        self.computed.append(0)
        for end in range(len(prompt), 0, -1):
            prefix = tuple(prompt[:end])
            if (self.version, prefix) in self.cache:
                request["tokens"], request["state"] = prefix, self.cache[self.version, prefix]
                break
        for token in prompt[len(request["tokens"]) :]:
            self.extend(request, token)

    def step(self, number, token):
        """Append a sampled token to a running request; return the token's log-probability."""
        request = self.running[number]
        logprobs = (request["state"] @ self.weights["head"]).log_softmax(dim=-1)
        self.extend(request, token)
        return logprobs[token]

    def finish(self, number):
        """End a request; its states stay in the cache."""
        del self.running[number]


def serve(weights, events):
    """Return the log-probabilities of all steps, and how many states each request computed."""
    engine = Engine(weights)
    logprobs = []
    for name, *rest in events:
        result = getattr(engine, name)(*rest)
        if name == "step":
            logprobs.append(result)
    return torch.stack(logprobs), torch.tensor(engine.computed)


def random_weights(rng, vocabulary=6, size=4):
    return {
        "embed": torch.randn(vocabulary, size, generator=rng),
        "mix": torch.randn(size, size, generator=rng) / 2,
        "head": torch.randn(size, vocabulary, generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rng = torch.Generator().manual_seed(0)
    old, new = random_weights(rng), random_weights(rng)
    request = [("start", [1, 2, 3]), ("step", 0, 4), ("finish", 0)]
    again = [("start", [1, 2, 3]), ("step", 1, 4), ("finish", 1)]
    after_update, _ = serve(old, [*request, ("update", new), *again])
    restarted, _ = serve(new, request)
    logging.info("after the update: log-probability %.3f", after_update[1])
    logging.info("after a restart of the engine: log-probability %.3f", restarted[0])


if __name__ == "__main__":
    main()
