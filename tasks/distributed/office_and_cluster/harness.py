"""Stands for a slow network: an asynchronous reduction changes its tensor when its handle is waited for, not before.

Small tensors travel so fast that a missing wait would go unseen. What is sent is what the tensor held at the call.
"""

import torch
import torch.distributed as dist
from torch import nn


class SlowWork:
    def __init__(self, reduce, tensor, op, group):
        self.reduce, self.tensor, self.op, self.group = reduce, tensor, op, group
        self.sent = tensor.detach().clone()
        self.is_done = False

    def wait(self, timeout=None):
        if not self.is_done:
            self.is_done = True
            self.reduce(self.sent, op=self.op, group=self.group)
            self.tensor.detach().copy_(self.sent)
        return True

    def is_completed(self):
        return self.wait()

    def get_future(self):
        self.wait()
        future = torch.futures.Future()
        future.set_result([self.tensor])
        return future


class Classifier(nn.Module):
    def __init__(self, hidden, head, bias):
        super().__init__()
        self.hidden = nn.Parameter(hidden.clone())
        self.head = nn.Parameter(head.clone())
        self.bias = nn.Parameter(bias.clone())

    def forward(self, features):
        return (features @ self.hidden.T).tanh() @ self.head.T + self.bias


def drive(entry, args):
    """Return the norms for the log and the parameters after the last step."""
    model = Classifier(args["hidden"], args["head"], args["bias"])
    optimizer = torch.optim.SGD(model.parameters(), lr=args["lr"])
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)  # what somebody else left behind
    reduce = dist.all_reduce

    def slow_all_reduce(tensor, op=dist.ReduceOp.SUM, group=None, async_op=False):
        return SlowWork(reduce, tensor, op, group) if async_op else reduce(tensor, op=op, group=group)

    dist.all_reduce = slow_all_reduce
    try:
        norms = entry(model, iter(args["batches"]), optimizer)
    finally:
        dist.all_reduce = reduce  # the next program in this process has its own network
    return {"norms": norms, "parameters": {name: p.detach().clone() for name, p in model.named_parameters()}}
