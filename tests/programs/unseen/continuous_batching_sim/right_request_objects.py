# expect: right
from collections import deque


class Req:
    def __init__(self, i, arrival, prompt, output):
        self.i, self.arrival, self.prompt, self.output = i, arrival, prompt, output
        self.generated = 0
        self.computed = 0

    @property
    def known(self):
        return self.prompt + self.generated


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    def blocks(tokens):
        return -(-tokens // block_size)

    reqs = [Req(i, *r) for i, r in enumerate(requests)]
    n = len(reqs)
    first, finish, preemptions = [-1] * n, [-1] * n, [0] * n
    wasted = 0
    waiting, running = deque(), []
    free = num_blocks
    upcoming = 0
    step = 0

    while upcoming < n or waiting or running:
        while upcoming < n and reqs[upcoming].arrival <= step:
            r = reqs[upcoming]
            upcoming += 1
            if blocks(r.prompt + r.output) <= num_blocks:
                waiting.append(r)

        budget = token_budget
        pos = 0
        while pos < len(running) and budget > 0:
            r = running[pos]
            take = min(r.known - r.computed, budget)
            need = blocks(r.computed + take) - blocks(r.computed)
            alive = True
            while alive and need > free:
                victim = running.pop()
                free += blocks(victim.computed)
                wasted += victim.computed
                victim.computed = 0
                preemptions[victim.i] += 1
                waiting.appendleft(victim)
                alive = victim is not r
            if not alive:
                break
            free -= need
            r.computed += take
            budget -= take
            pos += 1

        while budget > 0 and waiting:
            r = waiting[0]
            if blocks(r.known + 1) > free:
                break
            waiting.popleft()
            take = min(r.known, budget)
            r.computed = take
            free -= blocks(take)
            budget -= take
            running.append(r)

        still = []
        for r in running:
            if r.computed == r.known:
                r.generated += 1
                if r.generated == 1:
                    first[r.i] = step
                if r.generated == r.output:
                    finish[r.i] = step
                    free += blocks(r.computed)
                    continue
            still.append(r)
        running = still
        step += 1

    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
