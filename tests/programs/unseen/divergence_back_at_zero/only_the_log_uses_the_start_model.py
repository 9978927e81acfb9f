# expect: wrong
# mistake: The logged divergence is measured from the start model, while the penalty in the loss still uses the model at the start of the session.
"""A policy that is trained with a penalty on its divergence, in several sessions; start it with `python train.py`."""

import copy
import logging

import torch


class Policy:
    """A table of logits with its optimizer: gradient descent with momentum, and a warmup of the learning rate."""

    def __init__(self, settings):
        self.learning_rate = settings["learning_rate"]
        self.momentum = settings["momentum"]
        self.warmup = settings["warmup"]
        self.logits = settings["logits"].clone()
        self.velocity = torch.zeros_like(self.logits)
        self.steps = 0

    def logprobs(self, prompts, answers):
        return self.logits[prompts].log_softmax(dim=1)[torch.arange(len(answers)), answers]

    def update(self, gradient):
        self.steps += 1
        rate = self.learning_rate * min(1.0, self.steps / self.warmup)
        self.velocity = self.momentum * self.velocity + gradient
        self.logits = self.logits.detach() - rate * self.velocity

    def save(self):
        return {"logits": self.logits, "velocity": self.velocity, "steps": self.steps}

    def load(self, checkpoint):
        self.logits = checkpoint["logits"]
        self.velocity = checkpoint["velocity"]
        self.steps = checkpoint["steps"]


def set_up(settings, checkpoint):
    """Return the policy, which continues from the checkpoint if there is one."""
    policy = Policy(settings)
    if checkpoint is not None:
        policy.load(checkpoint)
    return policy


class Trainer:
    """One session of a run."""

    def __init__(self, settings, checkpoint):
        self.kl_weight = settings["kl_weight"]
        self.policy = set_up(settings, checkpoint)
        self.reference = copy.deepcopy(self.policy)
        self.start = Policy(settings)

    def step(self, batch):
        """Make one update, and return the divergence from the reference before it."""
        self.policy.logits.requires_grad_()
        logprobs = self.policy.logprobs(batch["prompts"], batch["answers"])
        log_ratio = self.reference.logprobs(batch["prompts"], batch["answers"]) - logprobs
        kl = (log_ratio.exp() - 1 - log_ratio).mean()
        loss = self.kl_weight * kl - (batch["advantages"] * logprobs).mean()
        (gradient,) = torch.autograd.grad(loss, self.policy.logits)
        with torch.no_grad():
            drift = self.start.logprobs(batch["prompts"], batch["answers"]) - logprobs
            divergence = (drift.exp() - 1 - drift).mean()
        self.policy.update(gradient)
        return divergence


def run(settings, sessions):
    """Return the logits after all sessions, and the divergence at every step."""
    checkpoint, divergences = None, []
    for batches in sessions:
        trainer = Trainer(settings, checkpoint)
        divergences += [trainer.step(batch) for batch in batches]
        checkpoint = trainer.policy.save()
    return checkpoint["logits"], torch.stack(divergences)


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
