"""A module with torch.optim.SGD and LambdaLR: the start model is a buffer of the module, so a checkpoint has it too."""

import copy
import logging

import torch
from torch.nn import functional


class Model(torch.nn.Module):
    """The logits of the policy, and those of the model that the run started from."""

    def __init__(self, logits):
        super().__init__()
        self.logits = torch.nn.Parameter(logits.detach().clone())
        self.register_buffer("start", logits.detach().clone())

    def forward(self, prompts, answers):
        """Return the log-probabilities of the answers under the policy and under the start model."""
        logprobs = -functional.cross_entropy(self.logits[prompts], answers, reduction="none")
        return logprobs, -functional.cross_entropy(self.start[prompts], answers, reduction="none")


def session(settings, batches, checkpoint):
    """Train on the batches; return the divergences and a new checkpoint."""
    model = Model(settings["logits"])
    optimizer = torch.optim.SGD(model.parameters(), lr=settings["learning_rate"], momentum=settings["momentum"])
    warmup = settings["warmup"]
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: min(1.0, (done + 1) / warmup))
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    if checkpoint is not None:
        for name, part in parts.items():
            part.load_state_dict(checkpoint[name])
    divergences = []
    for batch in batches:
        logprobs, references = model(batch["prompts"], batch["answers"])
        ratio = references - logprobs
        divergence = (ratio.exp() - 1 - ratio).mean()
        loss = settings["kl_weight"] * divergence - torch.mean(batch["advantages"] * logprobs)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        divergences.append(divergence.detach())
    return divergences, copy.deepcopy({name: part.state_dict() for name, part in parts.items()})


def run(settings, sessions):
    """Return the logits after all sessions, and the divergence at every step."""
    checkpoint, divergences = None, []
    for batches in sessions:
        found, checkpoint = session(settings, batches, checkpoint)
        divergences.extend(found)
    return checkpoint["model"]["logits"], torch.stack(divergences)


def sample(rng, steps, prompts=4, answers=5, rows=16):
    """Return batches of random answers; advantages are higher for answers with a lower number."""
    batches = []
    for _ in range(steps):
        chosen = torch.randint(0, answers, (rows,), generator=rng)
        batches.append(
            {
                "prompts": torch.randint(0, prompts, (rows,), generator=rng),
                "answers": chosen,
                "advantages": 1 - chosen.float() / 2,
            }
        )
    return batches


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logits = torch.zeros(4, 5)
    settings = {"logits": logits, "learning_rate": 0.5, "momentum": 0.5, "warmup": 5, "kl_weight": 0.5}
    for number in (1, 2, 4):
        rng = torch.Generator().manual_seed(0)
        _, divergences = run(settings, [sample(rng, 40 // number) for _ in range(number)])
        shown = " ".join(f"{divergence:.2f}" for divergence in divergences[::5].tolist())
        logging.info("%d sessions: divergence %s", number, shown)


if __name__ == "__main__":
    main()
