class Gate:
    def capacity(self) -> int:
        raise NotImplementedError

    def submit(self, sample) -> bool:
        raise NotImplementedError

    def accept(self, sample) -> None:
        raise NotImplementedError

    def reject(self, sample) -> None:
        raise NotImplementedError

    def consume(self) -> list[tuple[int, int]] | None:
        """Return pairs (sample, staleness), or None if there are too few."""
        raise NotImplementedError

    def publish(self) -> None:
        raise NotImplementedError

    def restore(self, version) -> None:
        raise NotImplementedError

    def queued(self) -> int:
        raise NotImplementedError


def staleness_manager(train_batch, eta, max_concurrent):
    return Gate()
