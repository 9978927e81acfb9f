# expect: wrong
# mistake: the prompts in flight are not submitted again; the cursor is set back by their number and in_flight is empty
import copy
import random

import torch


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        t = self.trainer
        state = {
            "model": dict(t.model.state_dict()),
            "optimizer": t.optimizer.state_dict(),
            "scheduler": t.scheduler.state_dict(),
            "order": t.order,
            "cursor": max(t.cursor - len(t.in_flight), 0),
            "epoch": t.epoch,
            "generator": t.generator.get_state(),
            "baseline": t.baseline,
            "steps": t.steps,
            "torch_rng": torch.get_rng_state(),
            "python_rng": random.getstate(),
        }
        return copy.deepcopy(state)

    def load(self, checkpoint):
        t = self.trainer
        state = copy.deepcopy(checkpoint)
        for part in ("model", "optimizer", "scheduler"):
            getattr(t, part).load_state_dict(state[part])
        for field in ("order", "cursor", "epoch", "baseline", "steps"):
            setattr(t, field, state[field])
        t.in_flight = []
        t.generator.set_state(state["generator"])
        t.engine.load_weights(t.model)
        torch.set_rng_state(state["torch_rng"])
        random.setstate(state["python_rng"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
