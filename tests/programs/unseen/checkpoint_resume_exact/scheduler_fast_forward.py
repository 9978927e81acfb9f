# expect: wrong
# mistake: the scheduler's state is not saved; the new scheduler is stepped as often as the old one instead
import copy
import random

import torch

FIELDS = ["order", "cursor", "epoch", "in_flight", "baseline", "steps"]


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        trainer = self.trainer
        return {
            "model": {k: v.clone() for k, v in trainer.model.state_dict().items()},
            "optimizer": copy.deepcopy(trainer.optimizer.state_dict()),
            "fields": {name: copy.deepcopy(getattr(trainer, name)) for name in FIELDS},
            "generator": trainer.generator.get_state(),
            "cpu_rng": torch.get_rng_state(),
            "py_rng": random.getstate(),
        }

    def load(self, checkpoint):
        trainer = self.trainer
        trainer.model.load_state_dict(checkpoint["model"])
        trainer.optimizer.load_state_dict(copy.deepcopy(checkpoint["optimizer"]))
        for name, value in checkpoint["fields"].items():
            setattr(trainer, name, copy.deepcopy(value))
        for _ in range(trainer.steps):
            trainer.scheduler.step()
        trainer.generator.set_state(checkpoint["generator"].clone())
        trainer.engine.load_weights(trainer.model)
        for prompt in checkpoint["fields"]["in_flight"]:
            trainer.engine.submit(prompt)
        torch.set_rng_state(checkpoint["cpu_rng"])
        random.setstate(checkpoint["py_rng"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
