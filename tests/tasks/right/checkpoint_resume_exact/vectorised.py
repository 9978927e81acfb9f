import copy
import random

import torch


class Checkpointer:
    """Goes by one table that says of each part how it is read and how it is written."""

    def __init__(self, trainer):
        self.trainer = trainer

    def parts(self):
        """Return how to read and how to write each part."""
        t = self.trainer
        stateful = {name: getattr(t, name) for name in ("model", "optimizer", "scheduler")}
        table = {name: (part.state_dict, part.load_state_dict) for name, part in stateful.items()}
        for name in ("order", "cursor", "epoch", "in_flight", "baseline", "steps"):
            table[name] = (lambda name=name: getattr(t, name), lambda value, name=name: setattr(t, name, value))
        table["shuffling"] = (t.generator.get_state, t.generator.set_state)
        table["sampling"] = (torch.get_rng_state, torch.set_rng_state)
        table["augmentation"] = (random.getstate, random.setstate)
        return table

    def save(self):
        return copy.deepcopy({name: read() for name, (read, _) in self.parts().items()})

    def load(self, checkpoint):
        for name, (_, write) in self.parts().items():
            write(copy.deepcopy(checkpoint[name]))
        engine = self.trainer.engine
        engine.load_weights(self.trainer.model)
        for prompt in self.trainer.in_flight:
            engine.submit(prompt)


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
