# expect: wrong
# mistake: free releases the blocks from the first to the last, so they stand in the queue in the opposite order.
from collections import deque


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.B = block_size
        self.q = deque(range(num_blocks))
        self.rc = [0] * num_blocks
        self.by_key = {}
        self.keys = [None] * num_blocks
        self.toks = {}
        self.tab = {}

    def _grab(self):
        b = self.q.popleft()
        if self.keys[b] is not None:
            del self.by_key[self.keys[b]]
            self.keys[b] = None
        self.rc[b] = 1
        return b

    def _fill(self, b, key):
        if key not in self.by_key:
            self.by_key[key] = b
            self.keys[b] = key

    def allocate(self, seq, tokens) -> int:
        t = tuple(tokens)
        hits = []
        pos = self.B
        while pos < len(t) and t[:pos] in self.by_key:
            hits.append(self.by_key[t[:pos]])
            pos += self.B
        rest = len(t) - len(hits) * self.B
        new = (rest + self.B - 1) // self.B
        spare = len(self.q) - len([b for b in hits if self.rc[b] == 0])
        if spare < new:
            return -1
        for b in hits:
            if self.rc[b] == 0:
                self.q.remove(b)
            self.rc[b] += 1
        fresh = [self._grab() for _ in range(new)]
        end = len(hits) * self.B
        for b in fresh:
            end += self.B
            if end <= len(t):
                self._fill(b, t[:end])
        self.toks[seq] = t
        self.tab[seq] = hits + fresh
        return len(hits) * self.B

    def append(self, seq, token) -> bool:
        tab = self.tab[seq]
        partial = len(self.toks[seq]) % self.B
        if partial == 0:
            if len(self.q) == 0:
                return False
            tab.append(self._grab())
        elif self.rc[tab[-1]] > 1:
            if len(self.q) == 0:
                return False
            self.rc[tab[-1]] -= 1
            tab[-1] = self._grab()
        self.toks[seq] += (token,)
        if partial + 1 == self.B:
            self._fill(tab[-1], self.toks[seq])
        return True

    def fork(self, seq, new_seq) -> None:
        self.toks[new_seq] = self.toks[seq]
        self.tab[new_seq] = self.tab[seq].copy()
        for b in self.tab[seq]:
            self.rc[b] += 1

    def free(self, seq) -> None:
        for b in self.tab[seq]:
            self.rc[b] -= 1
            if self.rc[b] == 0:
                self.q.append(b)
        del self.tab[seq], self.toks[seq]

    def blocks(self, seq) -> list[int]:
        return list(self.tab[seq])

    def free_count(self) -> int:
        return len(self.q)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
