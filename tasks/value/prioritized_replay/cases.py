"""Points are drawn away from the ends of the intervals, so that rounding does not change which slot is sampled."""

from collections.abc import Iterator

import torch

from tasks.task import Case

# Far more than the rounding error of a sum in float32.
GAP = 1e-4
ALMOST_ONE = 1 - 2.0**-53


def rand(rng, low, high):
    return low + (high - low) * float(torch.rand((), generator=rng, dtype=torch.float64))


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


class Script:
    """A list of calls, and the priorities after them, from which the draws are chosen."""

    def __init__(self, capacity, alpha, eps):
        self.capacity, self.alpha, self.eps = capacity, alpha, eps
        self.calls, self.priorities, self.added, self.largest = [], {}, 0, 1.0

    def add(self, count=1):
        for _ in range(count):
            self.priorities[self.added % self.capacity] = self.largest
            self.added += 1
            self.calls.append(("add",))

    def update(self, slots, errors):
        self.calls.append(("update", list(slots), list(errors)))
        for slot, error in zip(slots, errors, strict=True):
            self.priorities[slot] = abs(error) + self.eps
            self.largest = max(self.largest, self.priorities[slot])

    def sample(self, draws, beta):
        """Sample with these draws, which must not choose a point close to the end of an interval."""
        assert all(self.is_clear(place, draw, len(draws)) for place, draw in enumerate(draws))
        self.calls.append(("sample", draws, beta))

    def sample_any(self, rng, count, beta):
        """Sample with random draws, each of which is drawn again if its point is close to the end of an interval."""
        draws = []
        while len(draws) < count:
            draw = rand(rng, 0.02, 0.98)
            if self.is_clear(len(draws), draw, count):
                draws.append(draw)
        self.calls.append(("sample", draws, beta))

    def is_clear(self, place, draw, count):
        powers = [self.priorities[slot] ** self.alpha for slot in range(len(self.priorities))]
        ends = [sum(powers[:end]) / sum(powers) for end in range(len(powers) + 1)]
        return min(abs((place + draw) / count - end) for end in ends) > GAP

    def lower_largest(self):
        """Update all slots with the largest priority, so that no stored priority is as large any more."""
        slots = [slot for slot, priority in self.priorities.items() if priority == self.largest]
        self.update(slots, [0.3] * len(slots))

    def case(self, name):
        args = {"capacity": self.capacity, "alpha": self.alpha, "eps": self.eps, "calls": self.calls}
        return Case(name, args)


def by_hand(name, capacity, alpha, calls, slots, weights, probabilities):
    width = max(len(row) for row in weights)
    expected = {
        "slots": torch.tensor([(row + [-1] * width)[:width] for row in slots]),
        "weights": torch.tensor([(row + [0.0] * width)[:width] for row in weights], dtype=torch.float64),
        "probabilities": torch.tensor(
            [(row + [-1.0] * capacity)[:capacity] for row in probabilities], dtype=torch.float64
        ),
    }
    args = {"capacity": capacity, "alpha": alpha, "eps": 0.0, "calls": calls}
    return Case(name, args, visible=True, expected=expected)


def shares(*powers):
    return [power / sum(powers) for power in powers]


def example():
    """Return the statement's trace, in which the priorities become 1, 2 and 4."""
    calls = [
        ("add",),
        ("add",),
        ("update", [1], [-2.0]),
        ("add",),
        ("update", [2], [4.0]),
        ("sample", [0.5, 0.5, 0.9], 0.4),
        ("add",),
    ]
    two, four = 2.0**0.6, 4.0**0.6
    probabilities = [
        [1.0],
        [0.5, 0.5],
        shares(1.0, two),
        shares(1.0, two, two),
        shares(1.0, two, four),
        shares(1.0, two, four),
        shares(four, two, four),
    ]
    slots = [[0], [1], [], [2], [], [0, 1, 2], [0]]
    # The weights are (3 * P)^-0.4 over the largest one, which belongs to slot 0.
    weights = [[], [], [], [], [], [1.0, two**-0.4, four**-0.4], []]
    return by_hand("example", 3, 0.6, calls, slots, weights, probabilities)


def zero_priorities():
    """Return slots that must not be sampled: the first, the last and one in the middle; others are not occupied."""
    calls = [
        *[("add",)] * 5,
        ("update", [0, 1, 2, 3, 4], [0.0, -2.0, 0.0, 1.0, 0.0]),
        ("sample", [0.0, ALMOST_ONE], 0.0),
    ]
    final = [0.0, 2 / 3, 0.0, 1 / 3, 0.0]
    probabilities = [*([1 / count] * count for count in range(1, 6)), final, final]
    slots = [[0], [1], [2], [3], [4], [], [1, 3]]
    return by_hand("zero_priorities", 8, 1.0, calls, slots, [[]] * 6 + [[1.0, 1.0]], probabilities)


def almost_one():
    """Return a draw whose point is rounded to the end of the last interval, in a buffer that is partly filled."""
    calls = [
        *[("add",)] * 3,
        ("update", [0, 1, 2], [1.0, -1.0, 2.0]),
        ("sample", [0.6, ALMOST_ONE], 0.5),
    ]
    final = [0.25, 0.25, 0.5]
    probabilities = [*([1 / count] * count for count in range(1, 4)), final, final]
    weights = [[]] * 4 + [[1.0, 0.5**0.5]]
    return by_hand("almost_one", 8, 1.0, calls, [[0], [1], [2], [], [1, 2]], weights, probabilities)


def overwritten():
    """Return a buffer that is overwritten more than once; the largest priority is overwritten, too."""
    script = Script(4, 0.7, 0.1)
    script.add(3)
    script.update([0, 1], [9.0, -2.0])
    script.add(2)
    script.update([0, 3, 2], [0.5, -0.3, 0.4])
    script.sample([0.1, 0.6, 0.8], 0.4)
    script.add(6)
    script.update([1, 2], [3.5, -0.7])
    script.sample([0.5, 0.05, 0.9, 0.7], 0.8)
    return script.case("overwritten")


def largest_lowered():
    """Return a transition that arrives after the largest priority has been lowered by a later update."""
    script = Script(6, 0.6, 0.1)
    script.add(4)
    script.update([0, 1, 2], [-5.5, 2.5, 0.4])
    script.update([0], [0.15])
    script.add()
    script.sample([0.7, 0.2, 0.9], 0.5)
    return script.case("largest_lowered")


def small_errors():
    """Return errors below 1, so that new transitions have the priority 1; `eps` is not small compared with them."""
    script = Script(6, 0.8, 0.1)
    script.add(3)
    script.update([0, 1, 2], [0.05, -0.2, 0.02])
    script.add(2)
    script.sample([0.4, 0.2, 0.9, 0.7], 0.6)
    return script.case("small_errors")


def repeated_slots():
    """Return an update in which one slot occurs several times; its largest error is neither the first nor the last."""
    script = Script(5, 0.7, 0.1)
    script.add(4)
    script.update([2, 0, 2, 2], [0.3, 3.5, -6.0, 1.2])
    script.sample([0.4, 0.2, 0.6], 0.4)
    script.add()
    return script.case("repeated_slots")


def uniform():
    """Return `alpha` = 0, where even a transition with the priority 0 is sampled as often as all others."""
    script = Script(6, 0.0, 0.0)
    script.add(5)
    script.update([0, 1, 2], [0.0, 2.5, -4.5])
    script.sample([0.1, 0.9, 0.3, 0.6, 0.5], 1.0)
    return script.case("uniform")


def proportional():
    """Return `alpha` = 1 with samples for several values of `beta`, and fewer draws than slots."""
    script = Script(8, 1.0, 0.1)
    script.add(8)
    script.update([3, 7, 0, 5, 1], [0.4, -3.0, 1.5, -0.7, 2.2])
    for beta in (0.0, 0.5, 1.0):
        script.sample([0.3, 0.85, 0.45], beta)
    script.sample([0.8, 0.1], 0.5)
    return script.case("proportional")


def one_draw():
    """Return a single draw, whose weight is 1, and more draws than slots."""
    script = Script(4, 0.6, 0.1)
    script.add(3)
    script.update([0, 1, 2], [0.6, -3.5, 1.4])
    script.sample([0.45], 0.7)
    script.sample([0.9, 0.1, 0.5, 0.3, 0.2, 0.7, 0.6], 0.7)
    return script.case("one_draw")


def random_trace(rng):
    script = Script(randint(rng, 10, 13), rand(rng, 0.5, 0.7), 0.1)
    script.add(6)
    for beta in (0.4, 0.5, 0.6, 0.8, 1.0):
        slots = torch.randperm(len(script.priorities), generator=rng)[:5].tolist()
        script.update(slots, [(-1) ** place * rand(rng, 0.1, 6.0) for place in range(5)])
        script.sample_any(rng, randint(rng, 4, 6), beta)
        script.lower_largest()
        script.add(randint(rng, 2, 4))
    return script.case("random_trace")


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield zero_priorities()
    yield almost_one()
    yield overwritten()
    yield largest_lowered()
    yield small_errors()
    yield repeated_slots()
    yield uniform()
    yield proportional()
    yield one_draw()
    yield random_trace(rng)
