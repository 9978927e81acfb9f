"""Objects that are created on first use are created once, no matter how many threads ask for them at the same time."""

from __future__ import annotations

import threading
import time

from interviewer.interview.context import locked_cached_property


class Log:
    def __init__(self) -> None:
        self.made = 0

    @locked_cached_property
    def file(self) -> object:
        self.made += 1
        time.sleep(0.05)
        return object()


def test_threads_that_ask_at_once_get_the_same() -> None:
    log = Log()
    values: list[object] = []
    # Nine threads. Python 3.11's cached_property has its own lock; without our lock, this fails from 3.12 on.
    asking = [threading.Thread(target=lambda: values.append(log.file)) for _ in range(9)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert log.made == 1
    assert len(set(map(id, values))) == 1
