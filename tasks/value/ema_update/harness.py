"""Builds the two networks from tensors, and changes the online one in place after each call, as an optimizer does."""

import torch
from torch import nn


class Statistics(nn.Module):
    """Buffers like those of a normalization layer, and one that is not persistent."""

    def __init__(self, tensors):
        super().__init__()
        self.register_buffer("mean", tensors["mean"].clone())
        self.register_buffer("batches", tensors["batches"].clone())
        self.register_buffer("positions", tensors["positions"].clone(), persistent=False)


class Network(nn.Module):
    """An embedding, an output head that may share its weight, and statistics in a submodule."""

    def __init__(self, tensors, is_tied, is_frozen, is_training):
        super().__init__()
        self.embedding = nn.Parameter(tensors["embedding"].clone(), requires_grad=not is_frozen)
        self.head = self.embedding
        if not is_tied:
            self.head = nn.Parameter(tensors["head"].clone(), requires_grad=not is_frozen)
        self.bias = nn.Parameter(tensors["bias"].clone(), requires_grad=not is_frozen)
        self.statistics = Statistics(tensors)
        self.train(is_training)


def tensors_of(network):
    """Return all parameters and buffers by name; a tied parameter has two names."""
    return dict(network.named_parameters(remove_duplicate=False)) | dict(network.named_buffers())


def drive(entry, args):
    """Return the tensors of the target network after one call for each tau, and what the calls left unchanged."""
    target = Network(args["target"], args["is_tied"], args["is_frozen"], is_training=not args["is_frozen"])
    online = Network(args["online"], args["is_tied"], False, is_training=True)
    objects = tensors_of(target)
    # Views keep the original memory alive, so that no new tensor can get the same address.
    views = {name: tensor.detach() for name, tensor in objects.items()}
    is_online_unchanged = returns_nothing = True
    for tau in args["taus"]:
        before = {name: tensor.detach().clone() for name, tensor in tensors_of(online).items()}
        returns_nothing &= entry(target, online, tau) is None
        is_online_unchanged &= all(torch.equal(tensor, before[name]) for name, tensor in tensors_of(online).items())
        with torch.no_grad():
            for tensor in (*online.parameters(), *online.buffers()):
                tensor.add_(1)
    parameters = list(target.parameters())
    return {
        "tensors": {name: tensor.detach().clone() for name, tensor in tensors_of(target).items()},
        "keeps_objects": all(tensor is objects[name] for name, tensor in tensors_of(target).items()),
        "keeps_memory": all(tensor.data_ptr() == views[name].data_ptr() for name, tensor in tensors_of(target).items()),
        "has_graph": any(not parameter.is_leaf for parameter in parameters),
        "requires_grad": torch.tensor([parameter.requires_grad for parameter in parameters]),
        "training": torch.tensor([target.training, online.training]),
        "is_online_unchanged": is_online_unchanged,
        "returns_nothing": returns_nothing,
    }
