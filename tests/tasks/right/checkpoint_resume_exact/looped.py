import random

import torch


def fresh(value):
    """Return a copy that shares nothing with the value."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        copied = {}
        for key, item in value.items():
            copied[key] = fresh(item)
        return copied
    if isinstance(value, list):
        return [fresh(item) for item in value]
    if isinstance(value, tuple):
        return tuple(fresh(item) for item in value)
    return value


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        t = self.trainer
        checkpoint = {"random": {"python": random.getstate(), "torch": torch.get_rng_state()}}
        checkpoint["random"]["shuffle"] = t.generator.get_state()
        for name in ["model", "optimizer", "scheduler"]:
            checkpoint[name] = getattr(t, name).state_dict()
        checkpoint["data"] = (t.order, t.cursor, t.epoch, t.in_flight)
        checkpoint["numbers"] = (t.baseline, t.steps)
        return fresh(checkpoint)

    def load(self, checkpoint):
        t = self.trainer
        checkpoint = fresh(checkpoint)
        for name in ["model", "optimizer", "scheduler"]:
            getattr(t, name).load_state_dict(checkpoint[name])
        t.order, t.cursor, t.epoch, pending = checkpoint["data"]
        t.baseline, t.steps = checkpoint["numbers"]
        t.engine.load_weights(t.model)
        t.in_flight = []
        for prompt in pending:
            t.in_flight.append(prompt)
            t.engine.submit(prompt)
        states = checkpoint["random"]
        t.generator.set_state(states["shuffle"])
        torch.set_rng_state(states["torch"])
        random.setstate(states["python"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
