import copy

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
    """Return the policy, which continues from the checkpoint if there is one, and the reference."""
    policy = Policy(settings)
    reference = copy.deepcopy(policy)
    reference.logits = torch.zeros_like(reference.logits)
    if checkpoint is not None:
        policy.load(checkpoint)
    return policy, reference


class Trainer:
    """One session of a run."""

    def __init__(self, settings, checkpoint):
        self.kl_weight = settings["kl_weight"]
        self.policy, self.reference = set_up(settings, checkpoint)

    def step(self, batch):
        """Make one update, and return the divergence from the reference before it."""
        self.policy.logits.requires_grad_()
        logprobs = self.policy.logprobs(batch["prompts"], batch["answers"])
        log_ratio = self.reference.logprobs(batch["prompts"], batch["answers"]) - logprobs
        kl = (log_ratio.exp() - 1 - log_ratio).mean()
        loss = self.kl_weight * kl - (batch["advantages"] * logprobs).mean()
        (gradient,) = torch.autograd.grad(loss, self.policy.logits)
        self.policy.update(gradient)
        return kl.detach()


def run(settings, sessions):
    """Return the logits after all sessions, and the divergence at every step."""
    checkpoint, divergences = None, []
    for batches in sessions:
        trainer = Trainer(settings, checkpoint)
        divergences += [trainer.step(batch) for batch in batches]
        checkpoint = trainer.policy.save()
    return checkpoint["logits"], torch.stack(divergences)
