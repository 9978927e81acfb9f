"""Plays two processes: the second has a new trainer, and random numbers of its own."""

import copy
import io
import random

import torch
from torch import nn


class Engine:
    def __init__(self, weight):
        self.weight = weight
        self.waiting = []

    def load_weights(self, model):
        self.weight = model.weight.detach().clone()

    def submit(self, prompt):
        self.waiting.append(prompt)

    def answer(self, features, noise):
        prompt = self.waiting.pop(0)
        # Always float32, so that the numbers are the same ones in every precision.
        sampled = noise * torch.randn((), dtype=torch.float32).to(features)
        return prompt, 0.5 * self.weight @ features[prompt] + sampled


class Model(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())


class Trainer:
    def __init__(self, weight, features, args, seed):
        self.model = Model(weight)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args["lr"], momentum=0.5)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=3, gamma=0.5)
        self.order, self.cursor, self.epoch = [], 0, 0
        self.generator = torch.Generator().manual_seed(seed)
        self.in_flight, self.baseline, self.steps = [], 0.0, 0
        self.engine = Engine(weight.clone())
        self.features, self.noise, self.trained_on = features, args["noise"], []

    def take(self):
        if self.cursor == len(self.order):
            self.order = torch.randperm(len(self.features), generator=self.generator).tolist()
            self.cursor, self.epoch = 0, self.epoch + 1
        self.cursor += 1
        return self.order[self.cursor - 1]

    def step(self):
        while len(self.in_flight) < 3:
            self.in_flight.append(self.take())
            self.engine.submit(self.in_flight[-1])
        prompt, answer = self.engine.answer(self.features, self.noise)
        self.in_flight.remove(prompt)
        scale = 1 + self.noise * random.random()
        error = scale * (self.model.weight @ self.features[prompt]) - (answer - self.baseline)
        self.optimizer.zero_grad()
        (0.5 * error.square()).backward()
        self.optimizer.step()
        self.scheduler.step()
        self.baseline += 0.1 * (float(answer) - self.baseline)
        self.steps += 1
        self.trained_on.append(prompt)
        self.engine.load_weights(self.model)


def seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)


def told(trainer, count):
    """Return what is left of a trainer; the prompts are those of its last steps."""
    prompts = trainer.trained_on[len(trainer.trained_on) - count :]
    return {
        "weight": trainer.model.weight.detach().clone(),
        "lr": trainer.optimizer.param_groups[0]["lr"],
        "baseline": trainer.baseline,
        "prompts": torch.tensor(prompts, dtype=torch.long),
        "counters": torch.tensor([trainer.steps, trainer.epoch, trainer.cursor]),
    }


def same(left, right):
    """Return whether two checkpoints hold the same."""
    buffers = [io.BytesIO(), io.BytesIO()]
    for buffer, one in zip(buffers, (left, right), strict=True):
        torch.save(copy.deepcopy(one), buffer)
    return buffers[0].getvalue() == buffers[1].getvalue()


def drive(entry, args):
    """Return the old trainer after all steps, and the new one after those that followed the checkpoint."""
    seed_all(args["seed"])
    old = Trainer(args["weight"], args["features"], args, args["seed"])
    for _ in range(args["before"]):
        old.step()
    checkpoint = entry(old).save()
    for _ in range(args["after"]):
        old.step()
    written = io.BytesIO()
    torch.save(checkpoint, written)
    seed_all(args["seed"] + 1)
    new = Trainer(torch.zeros_like(args["weight"]), args["features"], args, args["seed"] + 1)
    checkpoint = torch.load(io.BytesIO(written.getvalue()), weights_only=True)
    kept = copy.deepcopy(checkpoint)
    entry(new).load(checkpoint)
    for _ in range(args["after"]):
        new.step()
    is_kept = same(kept, checkpoint)
    return {"new": told(new, args["after"]), "old": told(old, args["after"]), "checkpoint_is_unchanged": is_kept}
