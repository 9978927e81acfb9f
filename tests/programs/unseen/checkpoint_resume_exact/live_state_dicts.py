# expect: wrong
# mistake: the checkpoint holds the live tensors of model and optimizer, which change as training goes on
import copy
import random

import torch


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        tr = self.trainer
        return {
            "model": dict(tr.model.state_dict()),
            "optimizer": tr.optimizer.state_dict(),
            "scheduler": tr.scheduler.state_dict(),
            "order": list(tr.order),
            "cursor": tr.cursor,
            "epoch": tr.epoch,
            "generator": tr.generator.get_state(),
            "in_flight": list(tr.in_flight),
            "baseline": tr.baseline,
            "steps": tr.steps,
            "torch": torch.get_rng_state(),
            "random": random.getstate(),
        }

    def load(self, checkpoint):
        tr = self.trainer
        c = copy.deepcopy(checkpoint)
        tr.model.load_state_dict(c["model"])
        tr.optimizer.load_state_dict(c["optimizer"])
        tr.scheduler.load_state_dict(c["scheduler"])
        for name in ("order", "cursor", "epoch", "in_flight", "baseline", "steps"):
            setattr(tr, name, c[name])
        tr.generator.set_state(c["generator"])
        tr.engine.load_weights(tr.model)
        for prompt in c["in_flight"]:
            tr.engine.submit(prompt)
        torch.set_rng_state(c["torch"])
        random.setstate(c["random"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
