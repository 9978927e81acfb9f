import torch


class Engine:
    """Runs requests one token at a time. The state after a token stands for that token's keys and values."""

    def __init__(self, weights):
        self.weights = {name: x.clone() for name, x in weights.items()}
        self.cache = {}
        self.running = {}
        self.computed = []
        self.version = 0

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
        self.cache[request["version"], request["tokens"]] = state
        self.computed[request["number"]] += 1

    def start(self, prompt):
        """Start a request: find the longest cached prefix of the prompt, and compute the rest."""
        request = {"number": len(self.computed), "version": self.version, "tokens": ()}
        request["state"] = torch.zeros_like(self.weights["mix"][0])
        self.running[request["number"]] = request
        self.computed.append(0)
        for end in range(0):
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
