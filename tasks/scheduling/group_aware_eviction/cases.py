"""Ids and rewards are random; who starts when, and what is evicted, is fixed for each case."""

from collections.abc import Iterator

import torch

from tasks.task import Case

NOBODY = -9


def ids(rng, count):
    """Return different ids; the second is less than the first, the fourth less than the third, and so on."""
    drawn = sorted((10 + torch.randperm(90, generator=rng)[: count + 1]).tolist())
    return [drawn[place + 1 - 2 * (place % 2)] for place in range(count)]


def rewards(rng, count):
    """Return different rewards in random order, one from each of `count` equal parts of the unit interval."""
    places = torch.randperm(count, generator=rng) + 0.2 + 0.6 * torch.rand(count, generator=rng)
    return (places / count).tolist()


def started(group, prompt, *versions):
    """Return the starts of a group's members, in order."""
    return [("start", group, member, prompt, version) for member, version in enumerate(versions)]


def finished(group, *values):
    """Return the ends of a group's members, in order; None for a member that is still being generated."""
    return [("finish", group, member, value) for member, value in enumerate(values) if value is not None]


def whole(group, prompt, version, values):
    """Return a group whose members were started by the same version and have finished."""
    return started(group, prompt, *[version] * len(values)) + finished(group, *values)


def take(version):
    return [("take", version)]


def case(name, strategy, group_size, batch_groups, max_staleness, calls, **more):
    args = {"group_size": group_size, "batch_groups": batch_groups, "max_staleness": max_staleness}
    return Case(name=name, args={**args, "strategy": strategy, "calls": calls}, **more)


def expected_of(group_size, batch_groups, takes):
    """Return the expected outputs; each take is (batch or None, evicted groups, stale, filtered)."""
    counts, batches, advantages, gone = [], [], [], []
    for batch, evicted, stale, filtered in takes:
        counts.append([-1 if batch is None else len(batch), stale, filtered, len(evicted)])
        batches.append(([group for group, _ in batch or []] + [NOBODY] * batch_groups)[:batch_groups])
        advantages.append(([values for _, values in batch or []] + [[0.0] * group_size] * batch_groups)[:batch_groups])
        gone.append((evicted + [NOBODY] * 8)[:8])
    return {"counts": counts, "batches": batches, "advantages": advantages, "evicted": gone}


def by_hand():
    """Return the statement's example."""
    calls = [
        *started(10, 7, 0, 0),
        *started(11, 8, 0, 1),
        *finished(10, 1.0, 0.0),
        *finished(11, 0.0, None),
        *whole(12, 9, 1, [1.0, 1.0]),
        *take(1),
        *started(13, 5, 1, 1),
        ("finish", 13, 1, 1.0),
        ("finish", 13, 0, 0.0),
        *take(1),
        *take(2),
        ("finish", 11, 1, 1.0),
        *take(2),
    ]
    takes = [
        (None, [12], 0, 1),
        ([(10, [0.5, -0.5]), (13, [-0.5, 0.5])], [], 0, 0),
        (None, [11], 1, 0),
        (None, [], 0, 0),
    ]
    return case("by_hand", "drop", 2, 2, 1, calls, visible=True, expected=expected_of(2, 2, takes))


def both_reasons():
    """Return a group that is both stale and filtered, and one that is neither."""
    calls = [*whole(3, 1, 0, [1.0, 1.0]), *whole(4, 2, 3, [0.0, 1.0]), *take(3)]
    takes = [([(4, [-0.5, 0.5])], [3], 1, 1)]
    return case("both_reasons", "drop", 2, 1, 2, calls, visible=True, expected=expected_of(2, 1, takes))


def three_tenths():
    """Return groups of equal rewards; the floating-point mean of the first group's rewards is not exactly 0.1."""
    calls = [
        *whole(1, 1, 0, [0.1, 0.1, 0.1]),
        *whole(2, 2, 0, [0.0, 0.0, 0.0]),
        *whole(3, 3, 0, [0.0, 0.75, 0.75]),
        *take(0),
    ]
    takes = [([(3, [-0.5, 0.25, 0.25])], [1, 2], 0, 2)]
    return case("three_tenths", "wait", 3, 1, 2, calls, visible=True, expected=expected_of(3, 1, takes))


def one_old_member(rng):
    """Return groups in which a single member is too stale; the second one is not needed for the batch."""
    a, b, c, d = ids(rng, 4)
    calls = [
        *started(a, 1, 3, 3, 1, 3),
        *started(b, 2, 3, 2, 2, 3),
        *started(c, 3, 2, 3, 3, 2),
        *started(d, 4, 3, 1, 3, 3),
    ]
    for group in (a, b, c, d):
        calls += finished(group, *rewards(rng, 4))
    calls += [*take(3), *take(3)]
    return case("one_old_member", "drop", 4, 2, 1, calls)


def running_and_stale(rng):
    """Return incomplete groups with a stale member, which is still running in the first and finished in the second.

    The members that were running finish after the eviction.
    """
    a, b, c, d = ids(rng, 4)
    calls = [
        *started(a, 1, 2, 2, 0),
        *started(b, 2, 0, 2, 2),
        *started(c, 3, 2, 2, 2),
        *finished(a, *rewards(rng, 3)[:2], None),
        *finished(b, *rewards(rng, 3)[:2], None),
        *finished(c, *rewards(rng, 3)),
        *take(2),
        ("finish", a, 2, 0.5),
        ("finish", b, 2, 0.5),
        *whole(d, 4, 2, rewards(rng, 3)),
        *take(2),
        *take(3),
    ]
    return case("running_and_stale", "drop", 3, 1, 1, calls)


def wait_at_limit(rng):
    """Return an incomplete group that has reached the limit, and complete groups that have exceeded it."""
    a, b, c = ids(rng, 3)
    calls = [
        *whole(a, 1, 0, rewards(rng, 2)),
        *started(b, 2, 2, 1),
        *finished(b, rewards(rng, 2)[0], None),
        *whole(c, 3, 0, rewards(rng, 2)),
        *take(3),
        ("finish", b, 1, 1.5),
        *take(3),
        *take(4),
    ]
    return case("wait_at_limit", "wait", 2, 2, 2, calls)


def wait_below_limit(rng):
    """Return an incomplete group one version below the limit, and complete groups beyond it."""
    a, b, c, d = ids(rng, 4)
    calls = [
        *whole(a, 1, 0, rewards(rng, 2)),
        *started(b, 2, 3, 2),
        *finished(b, rewards(rng, 2)[0], None),
        *whole(c, 3, 0, rewards(rng, 2)),
        *whole(d, 4, 2, [0.25, 0.25]),
        *take(3),
        ("finish", b, 1, 1.5),
        *take(4),
    ]
    return case("wait_below_limit", "wait", 2, 2, 2, calls)


def wait_for_finished_member(rng):
    """Return an incomplete group whose oldest member is beyond the limit and has finished; the last one starts late."""
    a, b = ids(rng, 2)
    values = rewards(rng, 3)
    calls = [
        *started(a, 1, 1, 3),
        *finished(a, values[0], values[1]),
        *whole(b, 2, 4, rewards(rng, 3)),
        *take(4),
        ("start", a, 2, 1, 4),
        *take(4),
        ("finish", a, 2, values[2]),
        *take(4),
    ]
    return case("wait_for_finished_member", "wait", 3, 1, 2, calls)


def same_prompt(rng):
    """Return four groups of two prompts, and later two more; each batch gets one group of each prompt."""
    a, b, c, d, e, f = ids(rng, 6)
    calls = []
    for group, prompt in ((a, 6), (b, 6), (c, 2), (d, 2)):
        calls += whole(group, prompt, 1, rewards(rng, 2))
    calls += [*take(1), *take(2), *take(3)]
    calls += [*whole(e, 6, 3, rewards(rng, 2)), *whole(f, 2, 3, rewards(rng, 2)), *take(3)]
    return case("same_prompt", "drop", 2, 2, 3, calls)


def restarted(rng):
    """Return a complete group of which one member is started again, and a group whose old member is started again."""
    a, b, c = ids(rng, 3)
    first, second = rewards(rng, 3), rewards(rng, 3)
    calls = [
        *whole(a, 1, 2, first),
        *started(b, 2, 2, 2, 0),
        *finished(b, second[0], second[1], None),
        *whole(c, 3, 2, rewards(rng, 3)),
        ("start", b, 2, 2, 3),
        ("start", a, 1, 1, 3),
        *take(3),
        ("finish", b, 2, second[2]),
        ("finish", a, 1, first[1] + 2.0),
        *take(4),
        *take(4),
    ]
    return case("restarted", "drop", 3, 1, 2, calls)


def still_equal(rng):
    """Return an incomplete group whose rewards so far are equal, and a group that becomes equal by a new attempt."""
    a, b, c = ids(rng, 3)
    calls = [
        *started(a, 1, 1, 1, 1),
        *finished(a, 0.5, 0.5, None),
        *whole(b, 2, 1, [0.25, 0.75, 0.25]),
        ("start", b, 1, 2, 1),
        *whole(c, 3, 1, rewards(rng, 3)),
        *take(1),
        ("finish", a, 2, 2.0),
        ("finish", b, 1, 0.25),
        *take(1),
        *take(1),
    ]
    return case("still_equal", "drop", 3, 1, 2, calls)


def interleaved(rng):
    """Return groups whose members start in turn and whose last members finish in the opposite order."""
    groups = ids(rng, 5)
    values = [rewards(rng, 3) for _ in groups]
    calls = [("start", group, member, 20 + place, 1) for member in range(3) for place, group in enumerate(groups)]
    for member in (2, 0, 1):
        calls += [
            ("finish", group, member, value[member])
            for group, value in zip(reversed(groups), reversed(values), strict=True)
        ]
    return case("interleaved", "drop", 3, 2, 1, [*calls, *take(1), *take(2), *take(2), *take(3)])


def too_few(rng):
    """Return one group fewer than a batch needs, and a filtered group; the replacement completes the batch."""
    a, b, c, d = ids(rng, 4)
    calls = [
        *whole(a, 1, 1, rewards(rng, 2)),
        *whole(b, 2, 1, [1.0, 1.0]),
        *whole(c, 3, 1, rewards(rng, 2)),
        *take(1),
        *take(1),
        *whole(d, 4, 1, rewards(rng, 2)),
        *take(1),
    ]
    return case("too_few", "drop", 2, 3, 1, calls)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield both_reasons()
    yield three_tenths()
    yield one_old_member(rng)
    yield running_and_stale(rng)
    yield wait_at_limit(rng)
    yield wait_below_limit(rng)
    yield wait_for_finished_member(rng)
    yield same_prompt(rng)
    yield restarted(rng)
    yield still_equal(rng)
    yield interleaved(rng)
    yield too_few(rng)
