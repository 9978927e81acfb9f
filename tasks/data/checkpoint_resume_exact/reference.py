"""A checkpoint shares no memory with the trainer; the engine's state is not in it and is rebuilt on load."""

import copy
import random

import torch

PLAIN = ("order", "cursor", "epoch", "in_flight", "baseline", "steps")
WITH_STATE = ("model", "optimizer", "scheduler")


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        trainer = self.trainer
        state = {name: getattr(trainer, name).state_dict() for name in WITH_STATE}
        state |= {name: getattr(trainer, name) for name in PLAIN}
        state["generator"] = trainer.generator.get_state()
        state["torch"], state["python"] = torch.get_rng_state(), random.getstate()
        # State dicts refer to the same tensors that the next step overwrites.
        return copy.deepcopy(state)

    def load(self, checkpoint):
        trainer, state = self.trainer, copy.deepcopy(checkpoint)
        for name in WITH_STATE:
            getattr(trainer, name).load_state_dict(state[name])
        for name in PLAIN:
            setattr(trainer, name, state[name])
        trainer.engine.load_weights(trainer.model)
        for prompt in trainer.in_flight:
            trainer.engine.submit(prompt)
        trainer.generator.set_state(state["generator"])
        torch.set_rng_state(state["torch"])
        random.setstate(state["python"])


def checkpoint_resume_exact(trainer):
    """Return an object whose `save` and `load` let a new process resume a trainer exactly.

    Source: PyTorch notes on reproducibility; docs of torch.optim.Optimizer.load_state_dict.
    """
    return Checkpointer(trainer)
