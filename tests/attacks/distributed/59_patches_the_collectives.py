"""59. Makes every collective of torch do nothing, also for the harness.

task = "shrinking_learning_rate"
verdict = ["wrong_value", "raised", "non_finite"]
twin = "own_average"
uses = ["right"]
"""
import torch.distributed as dist

for name in ("all_reduce", "barrier", "broadcast", "all_gather", "reduce", "monitored_barrier"):
    setattr(dist, name, lambda *a, **k: None)


def train_step(model, batch, optimizer):
    return right(model, batch, optimizer)
