# expect: wrong
# mistake: The cached states are stored under a fingerprint of the weights, so that states are reused after later updates if those restore the earlier weights.
import hashlib

import torch


def fingerprint(weights):
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].contiguous().numpy().tobytes())
    return digest.hexdigest()


class Engine:
    def __init__(self, weights):
        self.weights = {name: x.detach().clone() for name, x in weights.items()}
        self.key = fingerprint(self.weights)
        self.cache = {}
        self.running = {}
        self.computed = []

    def update(self, weights):
        for name, x in weights.items():
            self.weights[name].copy_(x)
        self.key = fingerprint(self.weights)
        for request in self.running.values():
            request["mixed"] = True  # from now on its states are not pure

    def extend(self, request, token):
        state = torch.tanh(request["state"] @ self.weights["mix"] + self.weights["embed"][token])
        request["state"] = state
        request["tokens"] += (token,)
        if not request["mixed"]:
            self.cache[self.key, request["tokens"]] = state
        self.computed[request["number"]] += 1

    def start(self, prompt):
        zeros = torch.zeros_like(self.weights["mix"][0])
        request = {"number": len(self.computed), "tokens": (), "state": zeros, "mixed": False}
        self.running[request["number"]] = request
        self.computed.append(0)
        for end in range(len(prompt), 0, -1):
            state = self.cache.get((self.key, tuple(prompt[:end])))
            if state is not None:
                request["tokens"], request["state"] = tuple(prompt[:end]), state
                break
        for token in prompt[len(request["tokens"]):]:
            self.extend(request, token)

    def step(self, number, token):
        request = self.running[number]
        logprobs = torch.log_softmax(request["state"] @ self.weights["head"], dim=-1)
        self.extend(request, token)
        return logprobs[token]

    def finish(self, number):
        self.running.pop(number)


def serve(weights, events):
    engine = Engine(weights)
    logprobs = []
    for name, *rest in events:
        result = getattr(engine, name)(*rest)
        if name == "step":
            logprobs.append(result)
    return torch.stack(logprobs), torch.tensor(engine.computed, dtype=torch.int64)
