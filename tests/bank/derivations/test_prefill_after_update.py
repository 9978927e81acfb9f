"""How long rebuilding the KV cache takes after a weight update: for all responses, and until the first new token."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.content

RESPONSES, TOKENS, PARAMETERS = 256, 6000, 32e9
SPEED = 8 * 400e12
SECONDS_EACH = TOKENS * 2 * PARAMETERS / SPEED


def finished(budget: int) -> list[float]:
    """Return the time in seconds at which each response's prefill ends, with at most `budget` tokens per pass."""
    queue, now, done = [TOKENS] * RESPONSES, 0.0, list[float]()
    while queue:
        room, complete = budget, 0
        while queue and room:
            taken = min(queue[0], room)
            queue[0] -= taken
            room -= taken
            if not queue[0]:
                queue.pop(0)
                complete += 1
        now += (budget - room) * 2 * PARAMETERS / SPEED
        done += [now] * complete
    return done


@pytest.mark.parametrize("budget", [2000, 2048, 8192])
def test_the_last_response_waits_for_everything_and_the_first_for_its_own_prefix(budget: int) -> None:
    times = finished(budget)

    assert len(times) == RESPONSES
    assert round(times[-1], 1) == 30.7
    assert round(SECONDS_EACH, 2) == 0.12
    assert SECONDS_EACH <= times[0] < 1.5 * SECONDS_EACH
    assert sum(times) / RESPONSES == pytest.approx(times[-1] / 2, rel=0.01)
