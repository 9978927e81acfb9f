"""Model and optimizer cannot cross the sandbox's border; `made` holds the collectives that this rank has called."""

import weakref

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Graph:
    """Live as long as the graph of one forward pass."""


class Value(nn.Module):
    def __init__(self, hidden, head):
        super().__init__()
        self.hidden = nn.Parameter(hidden.clone())
        self.head = nn.Parameter(head.clone())
        self.rows = []
        self.graphs = []
        self.finished = set()
        self.graphs_at_once = 0

    def forward(self, states):
        self.rows.append(len(states))
        values = (states @ self.hidden.T).tanh() @ self.head
        if values.requires_grad:
            self.count_graphs(values)
        return values

    def count_graphs(self, values):
        """Count the graphs that are in memory and that no backward pass has gone through."""
        place = len(self.graphs)
        graph = values.grad_fn.metadata["graph"] = Graph()
        self.graphs.append(weakref.ref(graph))
        values.register_hook(lambda _: self.finished.add(place))
        waiting = [other for other, alive in enumerate(self.graphs) if alive() and other not in self.finished]
        self.graphs_at_once = max(self.graphs_at_once, len(waiting))


def drive(entry, args, made):
    """Return this rank's loss, the parameters after one step, and whether network and memory were spared."""
    model = Value(args["hidden"], args["head"])
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)  # what the step before left behind
    wrapped = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(wrapped.parameters(), lr=args["lr"])
    before = len(made)
    loss = entry(wrapped, list(args["microbatches"]), optimizer)
    told = {"graphs_kept_low": model.graphs_at_once <= 1} if args["counts_graphs"] else {}
    return {
        **told,
        "loss": loss,
        "parameters": {name: parameter.detach().clone() for name, parameter in model.named_parameters()},
        "collectives_kept_low": len(made) - before <= len(list(model.parameters())),
        "passes_kept_small": max(model.rows) <= max(len(part["states"]) for part in args["microbatches"]),
    }
