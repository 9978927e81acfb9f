"""The oldest running request always makes progress, so the simulation ends; generated tokens are never lost."""

from collections import deque
from dataclasses import dataclass
from itertools import count


@dataclass(eq=False)
class Request:
    arrival: int
    prompt: int
    output: int
    generated: int = 0
    computed: int = 0
    first: int = -1
    finish: int = -1
    preemptions: int = 0

    @property
    def left(self):
        return self.prompt + self.generated - self.computed


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    """Return the steps of the first and last tokens, the preemptions, and the number of wasted tokens.

    Source: arXiv:2309.06180, section 4.5; arXiv:2308.16369, section 4 (prefill chunks batched with decodes).
    """

    def blocks(tokens):
        return -(-tokens // block_size)

    everyone = [Request(*one) for one in requests]
    arriving = deque(one for one in everyone if blocks(one.prompt + one.output) <= num_blocks)
    waiting, running = deque(), []
    wasted = 0
    for step in count():
        if not (arriving or waiting or running):
            break
        while arriving and arriving[0].arrival <= step:
            waiting.append(arriving.popleft())
        free = num_blocks - sum(blocks(one.computed) for one in running)
        budget = token_budget
        for one in running:  # only its last element is ever removed, so none is skipped
            tokens = min(one.left, budget)
            needed = blocks(one.computed + tokens) - blocks(one.computed)
            while needed > free and one in running:
                victim = running.pop()
                free += blocks(victim.computed)
                wasted += victim.computed
                victim.computed = 0
                victim.preemptions += 1
                waiting.appendleft(victim)
            if one in running:
                free -= needed
                budget -= tokens
                one.computed += tokens
        while waiting and budget and blocks(waiting[0].left + 1) <= free:
            one = waiting.popleft()
            one.computed = min(one.left, budget)
            free -= blocks(one.computed)
            budget -= one.computed
            running.append(one)
        for one in list(running):
            if not one.left:
                one.generated += 1
                one.first = step if one.generated == 1 else one.first
                if one.generated == one.output:
                    one.finish = step
                    running.remove(one)
    told = {name: [getattr(one, name) for one in everyone] for name in ("first", "finish", "preemptions")}
    return {**told, "wasted": wasted}
