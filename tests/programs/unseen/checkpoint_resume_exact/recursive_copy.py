# expect: right
import random

import torch


def frozen(value):
    """Return a copy of nested plain data that shares nothing with the original."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: frozen(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return tuple(frozen(entry) for entry in value)
    if isinstance(value, list):
        return [frozen(entry) for entry in value]
    return value


class Checkpointer:
    PLAIN = ("order", "cursor", "epoch", "in_flight", "baseline", "steps")
    STATEFUL = ("model", "optimizer", "scheduler")

    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        """Return a checkpoint of the trainer as it is now."""
        trainer = self.trainer
        checkpoint = {name: getattr(trainer, name) for name in self.PLAIN}
        for name in self.STATEFUL:
            checkpoint[name] = getattr(trainer, name).state_dict()
        checkpoint["generator"] = trainer.generator.get_state()
        checkpoint["torch_rng"] = torch.get_rng_state()
        checkpoint["python_rng"] = random.getstate()
        return frozen(checkpoint)

    def load(self, checkpoint):
        """Put the trainer into the state of a checkpoint."""
        trainer = self.trainer
        checkpoint = frozen(checkpoint)
        for name in self.STATEFUL:
            getattr(trainer, name).load_state_dict(checkpoint[name])
        for name in self.PLAIN:
            setattr(trainer, name, checkpoint[name])
        trainer.generator.set_state(checkpoint["generator"])
        trainer.engine.load_weights(trainer.model)
        for prompt in list(trainer.in_flight):
            trainer.engine.submit(prompt)
        torch.set_rng_state(checkpoint["torch_rng"])
        random.setstate(checkpoint["python_rng"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
