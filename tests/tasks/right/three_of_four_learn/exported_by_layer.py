"""Modules with low-rank layers; a sync exports fresh merged tensors into the engine's module, one layer at a time."""

import logging

import torch
from torch import nn


class Dense(nn.Module):
    """A weight, and maybe a low-rank adapter, which is applied on its own side path."""

    def __init__(self, weight, adapter=None, scale=1.0):
        super().__init__()
        self.register_buffer("weight", weight.detach().clone())
        self.scale = scale
        self.has_adapter = adapter is not None
        if self.has_adapter:
            self.register_buffer("down", adapter["down"].detach().clone())
            self.register_buffer("up", adapter["up"].detach().clone())

    def forward(self, x):
        y = x @ self.weight.T
        if self.has_adapter:
            y = y + self.scale * (x @ self.down.T) @ self.up.T
        return y

    def export(self):
        """Return the effective weight in memory of its own."""
        if self.has_adapter:
            return torch.addmm(self.weight, self.up, self.down, alpha=self.scale)
        return self.weight.clone()


class Model(nn.Module):
    """The policy: it predicts a token from the one before it."""

    def __init__(self, weights, adapters, scale):
        super().__init__()
        self.embed = Dense(weights["embed"])
        self.mix = Dense(weights["mix"], adapters.get("mix"), scale)
        self.head = Dense(weights["head"], adapters.get("head"), scale)

    def forward(self, tokens):
        """Return the log-probability of every token but the first, given the token before it."""
        before, after = tokens[:-1], tokens[1:]
        logits = self.head(torch.tanh(self.mix(self.embed.weight[before])))
        return -nn.functional.cross_entropy(logits, after, reduction="none")

    def train_step(self, changes):
        """Add an optimizer step's changes to the tensors that are trained."""
        for name, change in changes.items():
            layer, _, part = name.partition(".")
            getattr(getattr(self, layer), part or "weight").add_(change)

    def export(self):
        """Return the effective weights by name, without a trace of the adapters."""
        return {f"{name}.weight": layer.export() for name, layer in self.named_children()}


def sync(trainer, engine):
    """Send the trainer's policy to the engine."""
    engine.load_state_dict(trainer.export())


@torch.no_grad()
def run(weights, adapters, scale, events):
    """Return the log-probabilities of all `generate` events, and those of all `score` events."""
    trainer, engine = Model(weights, adapters, scale), Model(weights, {}, scale)
    generated, scored = [], []
    handlers = {
        "train": trainer.train_step,
        "sync": lambda: sync(trainer, engine),
        "generate": lambda tokens: generated.append(engine(tokens)),
        "score": lambda tokens: scored.append(trainer(tokens)),
    }
    for name, *rest in events:
        handlers[name](*rest)
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
