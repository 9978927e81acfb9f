# expect: right
import io
import random

import torch


def roundtrip(data):
    """Serialize and read back: a copy without aliases that weights_only accepts."""
    buffer = io.BytesIO()
    torch.save(data, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=True)


class Checkpointer:
    def __init__(self, trainer):
        self.trainer = trainer

    def save(self):
        t = self.trainer
        version, words, gauss = random.getstate()
        return roundtrip(
            {
                "model": dict(t.model.state_dict()),
                "optimizer": dict(t.optimizer.state_dict()),
                "scheduler": dict(t.scheduler.state_dict()),
                "data": {
                    "order": list(t.order),
                    "cursor": t.cursor,
                    "epoch": t.epoch,
                    "shuffle": t.generator.get_state(),
                    "in_flight": list(t.in_flight),
                },
                "progress": {"baseline": t.baseline, "steps": t.steps},
                "rng": {"torch": torch.get_rng_state(), "python": [version, list(words), gauss]},
            }
        )

    def load(self, checkpoint):
        t = self.trainer
        state = roundtrip(checkpoint)
        t.model.load_state_dict(state["model"])
        t.optimizer.load_state_dict(state["optimizer"])
        t.scheduler.load_state_dict(state["scheduler"])

        data = state["data"]
        t.order = data["order"]
        t.cursor = data["cursor"]
        t.epoch = data["epoch"]
        t.generator.set_state(data["shuffle"])
        t.baseline = state["progress"]["baseline"]
        t.steps = state["progress"]["steps"]

        # the engine comes with weights of its own and an empty queue
        t.engine.load_weights(t.model)
        t.in_flight = data["in_flight"]
        for prompt in tuple(t.in_flight):
            t.engine.submit(prompt)

        # last, so that nothing above can draw from them
        version, words, gauss = state["rng"]["python"]
        random.setstate((version, tuple(words), gauss))
        torch.set_rng_state(state["rng"]["torch"])


def checkpoint_resume_exact(trainer):
    return Checkpointer(trainer)
