# expect: wrong
# mistake: the state of Python's module random is neither saved nor loaded
import copy

import torch


class Checkpointer:
    def __init__(self, trainer):
        self.t = trainer

    def save(self):
        t = self.t
        out = dict(
            model=dict(t.model.state_dict()),
            optimizer=t.optimizer.state_dict(),
            scheduler=t.scheduler.state_dict(),
            loader=dict(order=t.order, cursor=t.cursor, epoch=t.epoch, generator=t.generator.get_state()),
            queue=t.in_flight,
            baseline=t.baseline,
            steps=t.steps,
            rng=torch.get_rng_state(),
        )
        return copy.deepcopy(out)

    def load(self, checkpoint):
        t, c = self.t, copy.deepcopy(checkpoint)
        t.model.load_state_dict(c["model"])
        t.optimizer.load_state_dict(c["optimizer"])
        t.scheduler.load_state_dict(c["scheduler"])
        loader = c["loader"]
        t.order, t.cursor, t.epoch = loader["order"], loader["cursor"], loader["epoch"]
        t.generator.set_state(loader["generator"])
        t.baseline, t.steps = c["baseline"], c["steps"]
        t.engine.load_weights(t.model)
        t.in_flight = []
        for prompt in c["queue"]:
            t.engine.submit(prompt)
            t.in_flight.append(prompt)
        torch.set_rng_state(c["rng"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
