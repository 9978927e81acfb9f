import io
import random
from types import SimpleNamespace

import torch


def checkpoint_resume_exact(trainer):
    """Keep the checkpoint as bytes in a tensor: whatever happens to the trainer, they stay as they are."""
    values = ("order", "cursor", "epoch", "in_flight", "baseline", "steps")

    def save():
        buffer = io.BytesIO()
        state = {
            "modules": [part.state_dict() for part in (trainer.model, trainer.optimizer, trainer.scheduler)],
            "values": [getattr(trainer, name) for name in values],
            "generators": [trainer.generator.get_state(), torch.get_rng_state(), random.getstate()],
        }
        torch.save(state, buffer)
        return {"bytes": torch.frombuffer(bytearray(buffer.getvalue()), dtype=torch.uint8)}

    def load(checkpoint):
        state = torch.load(io.BytesIO(checkpoint["bytes"].numpy().tobytes()), weights_only=True)
        for part, own in zip((trainer.model, trainer.optimizer, trainer.scheduler), state["modules"], strict=True):
            part.load_state_dict(own)
        for name, value in zip(values, state["values"], strict=True):
            setattr(trainer, name, value)
        trainer.engine.load_weights(trainer.model)
        for prompt in trainer.in_flight:
            trainer.engine.submit(prompt)
        shuffle, sampling, augmentation = state["generators"]
        trainer.generator.set_state(shuffle)
        torch.set_rng_state(sampling)
        random.setstate(augmentation)

    return SimpleNamespace(save=save, load=load)
