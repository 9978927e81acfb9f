"""DDP decides in the forward pass whether the backward pass will synchronize, so both are in the same context."""

from contextlib import nullcontext


def train_step(model, microbatches, optimizer):
    """Take one optimizer step on all ranks' microbatches and return this rank's mean loss.

    Shapes: each microbatch has states [B, D] and returns [B], of this rank.
    Assumes: a DistributedDataParallel model; the same total number of rows on every rank.
    Source: arXiv:2006.15704, section 3.2.4 (gradient accumulation).
    """
    optimizer.zero_grad()
    row_count = sum(len(microbatch["states"]) for microbatch in microbatches)
    total = 0.0
    for place, microbatch in enumerate(microbatches, start=1):
        is_last = place == len(microbatches)
        # Around the forward pass as well: around backward alone, the context has no effect.
        with nullcontext() if is_last else model.no_sync():
            loss = (model(microbatch["states"]) - microbatch["returns"]).square().sum() / row_count
            loss.backward()
        total += loss.item()
    optimizer.step()
    return total
