"""The tools of a forger: ways to find the runner's work and its result descriptors, and frames in the runner's format.

This text is prepended to an attack with `uses = ["forge"]`; no test imports it.
"""

import functools
import gc
import json
import os
import stat
import struct
import sys

import torch
from safetensors.torch import save


def work():
    """Return the runner's work, found among all live objects: inputs, run numbers, the source itself."""
    return next(thing for thing in gc.get_objects() if type(thing) is dict and "source" in thing and "runs" in thing)


def descriptors():
    """Return descriptors that may lead to the grader: those that the runner holds, and every other pipe or socket."""
    held = [
        partial.args[0]
        for partial in gc.get_objects()
        if type(partial) is functools.partial
        and type(partial.args[:1]) is tuple
        and partial.args
        and type(partial.args[0]) is int
    ]
    frame = sys._getframe()
    while frame is not None:
        held += [
            value for name, value in frame.f_locals.items() if name in ("result", "answers") and type(value) is int
        ]
        frame = frame.f_back
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else map(str, range(3, 256)):
        try:
            kind = os.fstat(int(name)).st_mode
        except OSError:
            continue
        if int(name) > 2 and (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
            held.append(int(name))
    return list(dict.fromkeys(held))


def send(*frames):
    """Write frames to the first descriptor that accepts them; return how many descriptors accepted all of them."""
    data = b"".join(frames)
    for descriptor in descriptors():
        left = data
        try:
            while left:
                left = left[os.write(descriptor, left) :]
            return 1
        except OSError:
            continue
    return 0


def frame(header, blob=b""):
    """Return one frame; a header that is already bytes is used as is."""
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<II", len(head), len(blob)) + head + blob


def ok(run, leaves=(), grads=None):
    """Return the header of a successful run."""
    head = {"run": run, "status": "ok", "leaves": list(leaves), "grads": grads or {}}
    return {**head, "complaint": "", "mutated": [], "attached": []}


def zeros(run=0, shape=()):
    """Return the frame of a loss, a clip fraction and a KL of zero, with a gradient of zero for logp."""
    names = ("loss", "clipfrac", "approx_kl")
    leaves = [[name, "tensor", ["float32", []]] for name in names]
    blob = {**{str(place): torch.zeros(()) for place in range(3)}, "grad.logp": torch.zeros(shape)}
    grads = {"logp": ["tensor", ["float32", list(shape)]], "old_logp": None, "adv": None}
    return frame(ok(run, leaves, grads), save(blob))


def shapes():
    """Return the shape of logp in each run, as found in the runner's work."""
    payload = work()
    nodes = [dict(run["args"][1])["logp"] for run in payload["runs"]]
    return [tuple(payload["tensors"][node[1][0]].shape) for node in nodes]
