import copy

import torch


class Checkpointer:
    def __init__(self, trainer):
        self.t = trainer

    def save(self):
        t = self.t
        return {
            "model": {k: v.detach().clone() for k, v in t.model.state_dict().items()},
            "optimizer": copy.deepcopy(t.optimizer.state_dict()),
            "scheduler": dict(t.scheduler.state_dict()),
            "sampler": {"order": list(t.order), "cursor": t.cursor, "epoch": t.epoch},
            "generator": t.generator.get_state(),
            "torch_rng": torch.get_rng_state(),
            "in_flight": list(t.in_flight),
            "baseline": t.baseline,
            "steps": t.steps,
        }

    def load(self, checkpoint):
        t = self.t
        ckpt = copy.deepcopy(checkpoint)
        t.model.load_state_dict(ckpt["model"])
        t.optimizer.load_state_dict(ckpt["optimizer"])
        t.scheduler.load_state_dict(ckpt["scheduler"])
        t.order = ckpt["sampler"]["order"]
        t.cursor = ckpt["sampler"]["cursor"]
        t.epoch = ckpt["sampler"]["epoch"]
        t.generator.set_state(ckpt["generator"])
        t.baseline = ckpt["baseline"]
        t.steps = ckpt["steps"]
        t.in_flight = ckpt["in_flight"]
        t.engine.load_weights(t.model)
        for prompt in t.in_flight:
            t.engine.submit(prompt)
        torch.set_rng_state(ckpt["torch_rng"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
