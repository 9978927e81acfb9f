# expect: right
from collections import deque
from dataclasses import dataclass


@dataclass(eq=False)
class Request:
    arrival: int
    prompt: int
    output: int
    computed: int = 0
    generated: int = 0
    first: int = -1
    finish: int = -1
    preemptions: int = 0

    @property
    def known(self):
        return self.prompt + self.generated


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    """Return {"first": [...], "finish": [...], "preemptions": [...], "wasted": ...}."""

    def blocks(tokens):
        return -(-tokens // block_size)

    everyone = [Request(*request) for request in requests]
    coming = deque(everyone)
    waiting, running = deque(), []
    free, wasted, step = num_blocks, 0, 0

    def compute(request, count):
        nonlocal free
        free -= blocks(request.computed + count) - blocks(request.computed)
        request.computed += count

    def preempt_last():
        nonlocal free, wasted
        victim = running.pop()
        free += blocks(victim.computed)
        wasted += victim.computed
        victim.computed = 0
        victim.preemptions += 1
        waiting.appendleft(victim)
        return victim

    while coming or waiting or running:
        while coming and coming[0].arrival <= step:
            request = coming.popleft()
            if blocks(request.prompt + request.output) <= num_blocks:
                waiting.append(request)

        budget = token_budget
        turn = 0
        while turn < len(running) and budget > 0:
            request = running[turn]
            count = min(request.known - request.computed, budget)
            needed = blocks(request.computed + count) - blocks(request.computed)
            alive = True
            while alive and free < needed:
                alive = preempt_last() is not request
            if alive:
                compute(request, count)
                budget -= count
            turn += 1

        while waiting and budget > 0 and free >= blocks(waiting[0].known + 1):
            request = waiting.popleft()
            running.append(request)
            count = min(request.known, budget)
            compute(request, count)
            budget -= count

        for request in running:
            if request.computed == request.known:
                request.generated += 1
                if request.generated == 1:
                    request.first = step
                if request.generated == request.output:
                    request.finish = step
        for request in running:
            if request.finish >= 0:
                free += blocks(request.computed)
        running = [request for request in running if request.finish < 0]
        step += 1

    return {
        "first": [request.first for request in everyone],
        "finish": [request.finish for request in everyone],
        "preemptions": [request.preemptions for request in everyone],
        "wasted": wasted,
    }
