"""Packs the batch as the submission's caller would."""


def drive(entry, args):
    """Return what the learner needs of this rank's rollouts."""
    batch = {name: args[name] for name in ("rewards", "values", "mask")}
    return entry(batch, args["gamma"], args["lam"])
