# expect: right
"""A toy LoRA run, in which a trainer sends its weights to a rollout engine; start it with `python sync.py`."""

import logging

import torch


def logprobs_of(project, embed, tokens):
    """Return the log-probability of every token but the first, given the token before it."""
    hidden = torch.tanh(project("mix", embed[tokens[:-1]]))
    logits = project("head", hidden)
    return logits.log_softmax(dim=-1).gather(-1, tokens[1:, None]).squeeze(-1)


class Trainer:
    """The policy in training: weights, and low-rank adapters for some of them."""

    def __init__(self, weights, adapters, scale):
        self.weights = {name: x.clone() for name, x in weights.items()}
        self.adapters = {name: {part: x.clone() for part, x in pair.items()} for name, pair in adapters.items()}
        self.scale = scale

    def train(self, changes):
        """Add an optimizer step's changes to the tensors that are trained."""
        for name, change in changes.items():
            layer, _, part = name.partition(".")
            if part:
                self.adapters[layer][part] += change
            else:
                self.weights[layer] += change

    def delta(self, name):
        """Return what the adapter adds to a weight."""
        return self.scale * self.adapters[name]["up"] @ self.adapters[name]["down"]

    def merged_weights(self):
        """Return new tensors with every adapter added to its weight."""
        merged = {name: x.clone() for name, x in self.weights.items()}
        for name in self.adapters:
            merged[name] += self.delta(name)
        return merged

    def project(self, name, x):
        y = x @ self.weights[name].T
        if name in self.adapters:
            y = y + x @ self.delta(name).T
        return y

    def score(self, tokens):
        return logprobs_of(self.project, self.weights["embed"], tokens)


class Engine:
    """The rollout engine, which has weights of its own and knows no adapters."""

    def __init__(self, weights):
        self.weights = {name: x.clone() for name, x in weights.items()}

    def load(self, weights):
        """Replace the weights."""
        for name, x in weights.items():
            self.weights[name].copy_(x)

    def project(self, name, x):
        return x @ self.weights[name].T

    def generate(self, tokens):
        """Return the log-probabilities with which these tokens are sampled."""
        return logprobs_of(self.project, self.weights["embed"], tokens)


def sync(trainer, engine):
    """Send the trainer's weights to the engine, with the adapters merged."""
    engine.load(trainer.merged_weights())


def run(weights, adapters, scale, events):
    """Return the log-probabilities of all `generate` events, and those of all `score` events."""
    trainer, engine = Trainer(weights, adapters, scale), Engine(weights)
    generated, scored = [], []
    for name, *rest in events:
        if name == "train":
            trainer.train(*rest)
        elif name == "sync":
            sync(trainer, engine)
        elif name == "generate":
            generated.append(engine.generate(*rest))
        else:
            scored.append(trainer.score(*rest))
    return torch.cat(generated), torch.cat(scored)


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
