# expect: right
class Tree:
    """Keeps no tree at all: a table from the full prefix of each node to its last use."""

    def __init__(self, page_size, capacity):
        self.page = page_size
        self.capacity = capacity
        self.last_use = {}
        self.active = {}                # request -> (prompt, matched prefix)
        self.now = 0

    def _match(self, tokens):
        self.now += 1
        tokens = tuple(tokens)
        best = 0
        for node in self.last_use:
            n = 0
            while (n + self.page <= min(len(node), len(tokens))
                   and node[n:n + self.page] == tokens[n:n + self.page]):
                n += self.page
            best = max(best, n)
        matched = tokens[:best]
        if best:
            self.last_use[matched] = self.now       # splits a node if no node ended here
        for n in range(self.page, best, self.page):
            if tokens[:n] in self.last_use:
                self.last_use[tokens[:n]] = self.now
        return matched

    def start(self, request, prompt):
        matched = self._match(prompt[:-1])
        self.active[request] = (tuple(prompt), matched)
        return len(matched)

    def finish(self, request, output):
        prompt, _ = self.active[request]
        tokens = prompt + tuple(output)
        matched = self._match(tokens)
        whole = tokens[:len(tokens) // self.page * self.page]
        if len(whole) > len(matched):
            self.last_use[whole] = self.now
        del self.active[request]
        self._evict()

    def abort(self, request):
        del self.active[request]

    def _parent_len(self, node):
        for n in range(len(node) - self.page, 0, -self.page):
            if node[:n] in self.last_use:
                return n
        return 0

    def _evict(self):
        while sum(len(n) - self._parent_len(n) for n in self.last_use) > self.capacity:
            inner = {n[:self._parent_len(n)] for n in self.last_use}
            free = [n for n in self.last_use if n not in inner
                    and not any(m[:len(n)] == n for _, m in self.active.values())]
            if not free:
                break
            del self.last_use[min(free, key=self.last_use.get)]

    def prefixes(self):
        return [list(n) for n in self.last_use]


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
