from collections import Counter, deque


class Pool:
    def __init__(self, num_blocks, block_size):
        self.free = num_blocks
        self.block_size = block_size
        self.held = Counter()

    def need(self, tokens):
        return -(-tokens // self.block_size)

    def grow(self, name, tokens):
        more = self.need(tokens) - self.held[name]
        if more > self.free:
            return False
        self.free -= more
        self.held[name] += more
        return True

    def release(self, name):
        self.free += self.held.pop(name, 0)


class Engine:
    def __init__(self, num_blocks, block_size, token_budget):
        self.pool = Pool(num_blocks, block_size)
        self.token_budget = token_budget
        self.queue = deque()
        self.running = []
        self.known, self.done, self.end = {}, {}, {}
        self.preempted = Counter()
        self.wasted = 0

    def submit(self, name, prompt, output):
        self.known[name], self.done[name], self.end[name] = prompt, 0, prompt + output
        self.queue.append(name)

    def preempt_last(self):
        name = self.running.pop()
        self.pool.release(name)
        self.wasted += self.done[name]
        self.done[name] = 0
        self.preempted[name] += 1
        self.queue.appendleft(name)
        return name

    def step(self):
        """Return who generated a token."""
        budget = self.token_budget
        served = 0
        while served < len(self.running):
            name = self.running[served]
            goal = min(self.known[name], self.done[name] + budget)
            if self.pool.grow(name, goal):
                budget -= goal - self.done[name]
                self.done[name] = goal
                served += 1
            else:
                self.preempt_last()
        while budget and self.queue and self.pool.need(self.known[self.queue[0]] + 1) <= self.pool.free:
            name = self.queue.popleft()
            self.running.append(name)
            self.done[name] = min(self.known[name], budget)
            self.pool.grow(name, self.done[name])
            budget -= self.done[name]
        ready = [name for name in self.running if self.done[name] == self.known[name]]
        for name in ready:
            self.known[name] += 1
            if self.known[name] == self.end[name]:
                self.running.remove(name)
                self.pool.release(name)
        return ready


def continuous_batching_sim(requests, num_blocks, block_size, token_budget):
    engine = Engine(num_blocks, block_size, token_budget)
    arrivals = deque(enumerate(requests))
    first, finish = {}, {}
    step = 0
    while arrivals or engine.queue or engine.running:
        while arrivals and arrivals[0][1][0] <= step:
            name, (_, prompt, output) = arrivals.popleft()
            if engine.pool.need(prompt + output) <= num_blocks:
                engine.submit(name, prompt, output)
        for name in engine.step():
            first.setdefault(name, step)
            finish[name] = step
        step += 1
    return {
        "first": [first.get(name, -1) for name in range(len(requests))],
        "finish": [finish.get(name, -1) for name in range(len(requests))],
        "preemptions": [engine.preempted[name] for name in range(len(requests))],
        "wasted": engine.wasted,
    }
