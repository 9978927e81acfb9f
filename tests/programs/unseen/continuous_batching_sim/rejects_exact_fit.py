# expect: wrong
# mistake: A request whose prompt and output fill the pool exactly is rejected.
from collections import deque


class Seq:
    __slots__ = ("id", "tokens", "final", "kv")

    def __init__(self, id, prompt, output):
        self.id = id
        self.tokens = prompt
        self.final = prompt + output
        self.kv = 0

    def todo(self):
        return self.tokens - self.kv


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    capacity = num_blocks * block_size
    first = [-1] * len(requests)
    finish = [-1] * len(requests)
    preemptions = [0] * len(requests)
    wasted = 0
    waiting = deque()
    running = []
    by_step = {}
    for i, (arrival, prompt, output) in enumerate(requests):
        by_step.setdefault(arrival, []).append(Seq(i, prompt, output))

    def blocks(tokens):
        return (tokens - 1) // block_size + 1 if tokens else 0

    free = num_blocks
    step = 0
    while by_step or waiting or running:
        for seq in by_step.pop(step, []):
            if seq.final < capacity:
                waiting.append(seq)

        budget = token_budget
        idx = 0
        while idx < len(running):
            if budget == 0:
                break
            seq = running[idx]
            chunk = min(seq.todo(), budget)
            need = blocks(seq.kv + chunk) - blocks(seq.kv)
            while need > free and idx < len(running):
                victim = running.pop()
                preemptions[victim.id] += 1
                wasted += victim.kv
                free += blocks(victim.kv)
                victim.kv = 0
                waiting.appendleft(victim)
            if idx < len(running):
                seq.kv += chunk
                free -= need
                budget -= chunk
            idx += 1

        while budget > 0 and waiting and blocks(waiting[0].tokens + 1) <= free:
            seq = waiting.popleft()
            chunk = min(seq.todo(), budget)
            seq.kv = chunk
            free -= blocks(chunk)
            budget -= chunk
            running.append(seq)

        survivors = []
        for seq in running:
            if seq.todo() == 0:
                seq.tokens += 1
                if first[seq.id] == -1:
                    first[seq.id] = step
                if seq.tokens == seq.final:
                    finish[seq.id] = step
                    free += blocks(seq.kv)
                    continue
            survivors.append(seq)
        running = survivors
        step += 1

    return {"first": first, "finish": finish, "preemptions": preemptions, "wasted": wasted}
