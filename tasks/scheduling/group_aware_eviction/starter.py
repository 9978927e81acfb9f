class Buffer:
    def start(self, group, member, prompt, version) -> None:
        raise NotImplementedError

    def finish(self, group, member, reward) -> None:
        raise NotImplementedError

    def take(self, version) -> dict:
        """Return batch, evicted, stale, filtered and refill."""
        raise NotImplementedError


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer()
