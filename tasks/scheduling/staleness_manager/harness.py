"""Drives a gate through calls; a sample is finished by its place among those let in, and no batch, no publish."""

import torch


def drive(entry, args):
    """Return for each call its result, the batch it gave out (-9 where none), the capacity and the queue's length."""
    gate = entry(args["train_batch"], args["eta"], args["max_concurrent"])
    running, submitted, has_batch = [], 0, False
    results, batches, capacity, queued = [], [], [], []
    for name, *rest in args["calls"]:
        result, batch = -2, []
        if name == "submit":
            result = int(bool(gate.submit(submitted)))
            running += [submitted] * result
            submitted += 1
        elif name in ("accept", "reject"):
            if running:
                getattr(gate, name)(running.pop(rest[0] % len(running)))
        elif name == "consume":
            found = gate.consume()
            result = -1 if found is None else len(found)
            batch = [list(pair) for pair in found or []]
            has_batch = result >= 0
        elif name == "restore":
            gate.restore(*rest)
            running, has_batch = [], False
        elif has_batch:
            gate.publish()
            has_batch = False
        results.append(result)
        batches.append((batch + [[-9, -9]] * args["train_batch"])[: args["train_batch"]])
        capacity.append(int(gate.capacity()))
        queued.append(int(gate.queued()))
    told = {"results": results, "batches": batches, "capacity": capacity, "queued": queued}
    return {name: torch.tensor(values) for name, values in told.items()}
