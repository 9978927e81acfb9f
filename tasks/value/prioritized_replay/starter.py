class Replay:
    def add(self) -> int:
        """Return the slot of the new transition."""
        raise NotImplementedError

    def probabilities(self) -> list[float]:
        """Return the sampling probability of each occupied slot."""
        raise NotImplementedError

    def sample(self, draws, beta) -> tuple[list[int], list[float]]:
        """Return one slot and one importance weight for each draw."""
        raise NotImplementedError

    def update(self, slots, errors) -> None:
        raise NotImplementedError


def prioritized_replay(capacity, alpha, eps):
    return Replay()
