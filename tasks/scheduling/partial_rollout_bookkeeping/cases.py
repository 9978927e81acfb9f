"""Pieces, versions and tool calls are random; what ends the answer is fixed for each case."""

from collections.abc import Iterator

import torch

from tasks.task import Case

EOS = 0


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def draw(rng, count):
    return torch.randint(10, 1000, (count,), generator=rng).tolist()


def piece(rng, count, version, *end):
    logps = (-3 * torch.rand(count + len(end), generator=rng) - 0.1).tolist()
    return ("append", [*draw(rng, count), *end], logps, version)


RESUME = ("resume",)


def case(name, calls, version, max_new_tokens, policy="train_all", max_span=None, prompt=(1, 2, 3), **more):
    args = {"prompt": list(prompt), "max_new_tokens": max_new_tokens, "eos_id": EOS, "policy": policy}
    return Case(name=name, args={**args, "max_span": max_span, "calls": calls, "version": version}, **more)


def by_hand():
    calls = [("append", [5, 6], [-0.5, -0.25], 3), ("append_tool", [9]), ("append", [7], [-1.0], 4), RESUME]
    expected = {
        "sent": [[1, 2, 5, 6, 9, 7] + [-1] * 94],
        "remaining": [1],
        "tokens": [5, 6, 9, 7],
        "logps": [-0.5, -0.25, 0.0, -1.0],
        "versions": [3, 3, -1, 4],
        "loss_mask": [False, False, False, True],
        "spans": [[3, 0, 2], [4, 3, 4]],
        "staleness": {"head": 1.0, "tail": 0.0, "mean": 2 / 3},
    }
    return case("by_hand", calls, 4, 4, "mask_old", prompt=(1, 2), visible=True, expected=expected)


def nothing_generated():
    """Return an answer that was interrupted before its first token."""
    expected = {
        "sent": [[4] + [-1] * 99],
        "remaining": [6],
        "tokens": torch.zeros(0),
        "logps": torch.zeros(0),
        "versions": torch.zeros(0),
        "loss_mask": torch.zeros(0),
        "spans": torch.zeros(0, 3),
        "staleness": {"head": 0.0, "tail": 0.0, "mean": 0.0},
    }
    calls = [("append", [], [], 2), RESUME]
    return case("nothing_generated", calls, 5, 6, "drop", 1, prompt=(4,), visible=True, expected=expected)


def empty_tool_output():
    """Return two pieces of one version with a tool call between them that printed nothing."""
    calls = [("append", [5], [-0.5], 3), ("append_tool", []), ("append", [6, 7], [-0.25, -1.0], 3), RESUME]
    expected = {
        "sent": [[1, 5, 6, 7] + [-1] * 96],
        "remaining": [2],
        "tokens": [5, 6, 7],
        "logps": [-0.5, -0.25, -1.0],
        "versions": [3, 3, 3],
        "loss_mask": [True, True, True],
        "spans": [[3, 0, 3]],
        "staleness": {"head": 2.0, "tail": 2.0, "mean": 2.0},
    }
    return case("empty_tool_output", calls, 5, 5, prompt=(1,), visible=True, expected=expected)


def budget_used(rng):
    """Return pieces of which the third exceeds the budget; a tool call and a fourth piece come too late."""
    a, b = randint(rng, 4, 6), randint(rng, 3, 5)
    calls = [piece(rng, a, 1), RESUME, piece(rng, b, 3), RESUME, piece(rng, 5, 4), RESUME]
    calls += [("append_tool", draw(rng, 2)), piece(rng, 3, 4), RESUME]
    return case("budget_used", calls, 5, a + b + 2)


def end_inside(rng):
    """Return a piece with an end token in its middle, after tool output that contains the same token."""
    tool = [*draw(rng, 2), EOS, *draw(rng, 1)]
    calls = [piece(rng, 3, 2), ("append_tool", tool), RESUME, piece(rng, 2, 2, EOS, 77, 78), RESUME, piece(rng, 2, 3)]
    return case("end_inside", calls, 3, 30)


def many_tools(rng):
    """Return more tool output than the budget of generated tokens."""
    calls = []
    for version in (2, 2, 3, 5):
        count = randint(rng, 6, 7) if version == 5 else randint(rng, 2, 3)
        calls += [piece(rng, count, version), piece(rng, 1, version), ("append_tool", draw(rng, 8)), RESUME]
    return case("many_tools", calls, 6, 22)


def old_masked(rng):
    calls = [
        piece(rng, 4, 1),
        piece(rng, 3, 2),
        ("append_tool", draw(rng, 2)),
        piece(rng, randint(rng, 2, 4), 4),
        RESUME,
    ]
    return case("old_masked", calls, 4, 40, "mask_old")


def all_old(rng):
    """Return an answer whose newest tokens are one version behind."""
    calls = [piece(rng, randint(rng, 2, 3), 2), piece(rng, randint(rng, 5, 6), 3), RESUME]
    return case("all_old", calls, 4, 40, "mask_old")


def span_allowed(rng):
    """Return an answer whose versions differ by exactly the allowed span."""
    calls = [piece(rng, randint(rng, 4, 6), 2), piece(rng, 3, 3), piece(rng, 2, 4)]
    return case("span_allowed", calls, 4, 40, "drop", 2)


def old_but_whole(rng):
    """Return an answer that is older than the allowed span, but whose own versions are close together."""
    return case("old_but_whole", [piece(rng, 2, 2), piece(rng, randint(rng, 4, 6), 3)], 9, 40, "drop", 2)


def tool_between(rng):
    calls = [piece(rng, 2, 3), ("append_tool", draw(rng, randint(rng, 2, 4))), piece(rng, randint(rng, 4, 6), 4)]
    return case("tool_between", calls, 4, 40, "drop", 2)


def span_too_wide(rng):
    """Return an answer whose span is too wide only because of its first and last tokens."""
    calls = [piece(rng, 1, 2), piece(rng, randint(rng, 3, 6), 4), ("append_tool", draw(rng, 2)), piece(rng, 1, 5)]
    return case("span_too_wide", calls, 5, 40, "drop", 2)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield nothing_generated()
    yield empty_tool_output()
    yield budget_used(rng)
    yield end_inside(rng)
    yield many_tools(rng)
    yield old_masked(rng)
    yield all_old(rng)
    yield span_allowed(rng)
    yield old_but_whole(rng)
    yield tool_between(rng)
    yield span_too_wide(rng)
