class Cache:
    """No nodes at all: a dict from each node's prefix, as a tuple, to its lock count and its last use."""

    def __init__(self, page_size, capacity):
        self.page_size, self.capacity = page_size, capacity
        self.locks, self.used = {}, {}
        self.running = {}
        self.now = 0

    def _parent(self, prefix):
        """Return the longest other prefix in the tree that this one begins with."""
        shorter = [p for p in self.locks if len(p) < len(prefix) and prefix[: len(p)] == p]
        return max(shorter, key=len, default=())

    def _common(self, a, b):
        n = 0
        while n < min(len(a), len(b)) and a[n] == b[n]:
            n += 1
        return n - n % self.page_size

    def _match(self, tokens):
        """Split where the longest match ends, and return its length."""
        self.now += 1
        length = max((self._common(p, tokens) for p in self.locks), default=0)
        end = tokens[:length]
        if length and end not in self.locks:
            below = [p for p in self.locks if p[:length] == end and len(self._parent(p)) < length]
            (whole,) = below
            self.locks[end] = self.locks[whole]
        for p in self._above(end):
            self.used[p] = self.now
        return length

    def _above(self, prefix):
        return [p for p in self.locks if prefix[: len(p)] == p]

    def start(self, request, prompt):
        hit = self._match(tuple(prompt[:-1]))
        self.running[request] = (tuple(prompt), hit)
        for p in self._above(tuple(prompt[:hit])):
            self.locks[p] += 1
        return hit

    def abort(self, request):
        prompt, hit = self.running.pop(request)
        for p in self._above(prompt[:hit]):
            self.locks[p] -= 1

    def finish(self, request, output):
        tokens = self.running[request][0] + tuple(output)
        tokens = tokens[: len(tokens) - len(tokens) % self.page_size]
        if self._match(tokens) < len(tokens):
            self.locks[tokens], self.used[tokens] = 0, self.now
        self.abort(request)
        while sum(len(p) - len(self._parent(p)) for p in self.locks) > self.capacity:
            inner = {self._parent(p) for p in self.locks}
            oldest = min((p for p in self.locks if p not in inner and not self.locks[p]), key=self.used.get)
            del self.locks[oldest], self.used[oldest]

    def prefixes(self):
        return [list(p) for p in self.locks]


def prefix_radix_tree(page_size, capacity):
    return Cache(page_size, capacity)
