def delta_weight_sync(weights, version, updates, kind):
    """Return the weights and the version after all updates, the status of each update, and one delta for all."""
    raise NotImplementedError
