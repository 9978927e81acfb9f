"""The expected values are those of one process with all ranks' episodes, computed in float64."""

from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

NAMES = ("web", "chess", "code", "algebra")


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, orders, has_own_hash_seeds=False, **more):
    """Return a case in which each rank gets the names in its own order; the environments' returns are far apart."""
    base = {one: 10.0 * place + 5 * torch.rand((), generator=rng).item() for place, one in enumerate(NAMES)}

    def episodes(rank, order):
        # Later names and later ranks have more episodes, and the first name is repeated at the end.
        names = [name for place, name in enumerate(order) for _ in range(1 + place * (rank + 1))] + list(order[:1])
        return [(name, base[name] + rank + torch.rand((), generator=rng).item()) for name in names]

    finished = tuple(episodes(rank, order) for rank, order in enumerate(orders))
    args = arguments(finished, is_renamed=not has_own_hash_seeds)
    return Case(name=name, args=args, world=len(orders), has_own_hash_seeds=has_own_hash_seeds, **more)


def arguments(finished, is_renamed=True):
    """Return a case's arguments; the harness renames environments so that a set lists their names in a fixed order."""
    names = sorted({name for own in finished for name, _ in own})
    return {"finished": PerRank(finished), "renamed": names if is_renamed else []}


def expected(case: Case):
    """Return the means over all ranks' episodes; it does not matter which rank played them."""
    everybodys = [episode for own in case.args["finished"].values for episode in own]
    returns = {name: [value for other, value in everybodys if other == name] for name, _ in everybodys}
    means = {name: sum(values) / len(values) for name, values in returns.items()}
    return {"means": means, "episodes": len(everybodys)}


def reverse_rank_zero(args):
    first, *others = args["finished"].values
    return {**args, "finished": PerRank((first[::-1], *others))}


REVERSED = Relation(
    name="other_order",
    says="It does not matter in which order a rank's episodes end.",
    change=reverse_rank_zero,
)


def two_names():
    """Return two environments whose episodes end in a different order on each rank."""
    finished = ([("chess", 1.0), ("code", 10.0)], [("code", 40.0), ("chess", 3.0), ("code", 10.0)])
    # chess: (1 + 3) / 2, code: (10 + 40 + 10) / 3.
    result = {"means": {"chess": 2.0, "code": 20.0}, "episodes": 5}
    return Case(name="two_names", args=arguments(finished), world=2, visible=True, expected=result)


def two_ranks(rng):
    shift = randint(rng, 1, 3)
    return case("two_ranks", rng, [NAMES, (*NAMES[shift:], *NAMES[:shift])], relations=(REVERSED,))


def missing_names(rng):
    return case("missing_names", rng, [NAMES[:2], NAMES[1:]])


def four_ranks(rng):
    shift = randint(rng, 1, 3)
    return case("four_ranks", rng, [NAMES, NAMES[::-1], (*NAMES[shift:], *NAMES[:shift]), NAMES])


def own_hash_seeds(rng):
    """Return names in the same order on both ranks, which a set lists in a different order on each rank."""
    return case("own_hash_seeds", rng, [NAMES, NAMES], has_own_hash_seeds=True)


def zero_returns(rng):
    """Return an environment whose returns are all 0, and one whose returns sum to 0."""
    value = 1.0 + randint(rng, 1, 9)
    finished = ([("web", 0.0), ("code", value), ("chess", 2.0)], [("code", -value), ("web", 0.0), ("chess", value)])
    return Case(name="zero_returns", args=arguments(finished), world=2)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_names()
    yield two_ranks(rng)
    yield missing_names(rng)
    yield four_ranks(rng)
    yield own_hash_seeds(rng)
    yield zero_returns(rng)
