# expect: wrong
# mistake: of the shuffling generator only the initial seed is kept and not its state
import copy
import random

import torch


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        t = self.trainer
        return copy.deepcopy(
            {
                "model": dict(t.model.state_dict()),
                "optimizer": t.optimizer.state_dict(),
                "scheduler": t.scheduler.state_dict(),
                "sampler": [t.order, t.cursor, t.epoch, t.generator.initial_seed()],
                "in_flight": t.in_flight,
                "baseline": t.baseline,
                "steps": t.steps,
                "rng": [torch.get_rng_state(), random.getstate()],
            }
        )

    def load(self, checkpoint):
        t = self.trainer
        state = copy.deepcopy(checkpoint)
        t.model.load_state_dict(state["model"])
        t.optimizer.load_state_dict(state["optimizer"])
        t.scheduler.load_state_dict(state["scheduler"])
        t.order, t.cursor, t.epoch, seed = state["sampler"]
        t.generator.manual_seed(seed)
        t.in_flight = state["in_flight"]
        t.baseline, t.steps = state["baseline"], state["steps"]
        t.engine.load_weights(t.model)
        for prompt in t.in_flight:
            t.engine.submit(prompt)
        torch.set_rng_state(state["rng"][0])
        random.setstate(state["rng"][1])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
