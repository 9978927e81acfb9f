"""A missing gradient cannot be compared, so it becomes a truth value."""


def drive(entry, args):
    """Return the norm and the clipped gradients, with True in place of None."""
    total_norm, clipped = entry(**args)
    ranks = [{name: True if grad is None else grad for name, grad in held.items()} for held in clipped]
    return {"total_norm": total_norm, "clipped": ranks}
