# expect: wrong
# mistake: A preempted request joins the end of the waiting queue instead of its front.
from collections import deque
from dataclasses import dataclass


@dataclass
class Request:
    index: int
    prompt: int
    output: int
    generated: int = 0
    computed: int = 0
    held: int = 0


class Engine:
    def __init__(self, num_blocks, block_size, budget, n):
        self.num_blocks, self.block_size, self.max_tokens = num_blocks, block_size, budget
        self.free = num_blocks
        self.waiting = deque()
        self.running = []
        self.first = [-1] * n
        self.finish = [-1] * n
        self.preemptions = [0] * n
        self.wasted = 0

    def ceil(self, tokens):
        return (tokens + self.block_size - 1) // self.block_size

    def arrive(self, req):
        if self.ceil(req.prompt + req.output) > self.num_blocks:
            return
        self.waiting.append(req)

    def preempt_last(self):
        req = self.running.pop()
        self.free += req.held
        self.wasted += req.computed
        req.held = req.computed = 0
        self.preemptions[req.index] += 1
        self.waiting.append(req)
        return req

    def compute(self, req, tokens):
        req.computed += tokens
        held = self.ceil(req.computed)
        self.free -= held - req.held
        req.held = held
        self.budget -= tokens

    def step(self, now):
        self.budget = self.max_tokens
        i = 0
        while i < len(self.running) and self.budget > 0:
            req = self.running[i]
            tokens = min(req.prompt + req.generated - req.computed, self.budget)
            while self.ceil(req.computed + tokens) - req.held > self.free:
                if self.preempt_last() is req:
                    break
            if i >= len(self.running):
                break
            self.compute(req, tokens)
            i += 1

        while self.waiting and self.budget > 0:
            req = self.waiting[0]
            total = req.prompt + req.generated
            if self.ceil(total + 1) > self.free:
                break
            self.running.append(self.waiting.popleft())
            self.compute(req, min(total, self.budget))

        for req in list(self.running):
            if req.computed < req.prompt + req.generated:
                continue
            req.generated += 1
            if req.generated == 1:
                self.first[req.index] = now
            if req.generated == req.output:
                self.finish[req.index] = now
                self.free += req.held
                self.running.remove(req)


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    engine = Engine(num_blocks, block_size, token_budget, len(requests))
    pending = deque((a, Request(i, p, o)) for i, (a, p, o) in enumerate(requests))
    now = 0
    while pending or engine.waiting or engine.running:
        while pending and pending[0][0] <= now:
            engine.arrive(pending.popleft()[1])
        engine.step(now)
        now += 1
    return {
        "first": engine.first,
        "finish": engine.finish,
        "preemptions": engine.preemptions,
        "wasted": engine.wasted,
    }
