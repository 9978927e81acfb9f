# expect: right
from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.bs = block_size
        self.queue = OrderedDict((i, None) for i in range(num_blocks))
        self.refs = [0] * num_blocks
        self.cache = {}
        self.key_of = {}
        self.tokens = {}
        self.table = {}

    def _take(self):
        block, _ = self.queue.popitem(last=False)
        key = self.key_of.pop(block, None)
        if key is not None:
            del self.cache[key]
        self.refs[block] = 1
        return block

    def _register(self, block, prefix):
        key = tuple(prefix)
        if key not in self.cache:
            self.cache[key] = block
            self.key_of[block] = key

    def allocate(self, seq, tokens):
        n = len(tokens)
        hits = []
        for i in range((n - 1) // self.bs):
            block = self.cache.get(tuple(tokens[: (i + 1) * self.bs]))
            if block is None:
                break
            hits.append(block)
        new = -(-n // self.bs) - len(hits)
        if new > len(self.queue) - sum(b in self.queue for b in hits):
            return -1
        for b in hits:
            self.queue.pop(b, None)
            self.refs[b] += 1
        table = hits + [self._take() for _ in range(new)]
        for i in range(len(hits), n // self.bs):
            self._register(table[i], tokens[: (i + 1) * self.bs])
        self.tokens[seq] = list(tokens)
        self.table[seq] = table
        return len(hits) * self.bs

    def append(self, seq, token):
        tokens, table = self.tokens[seq], self.table[seq]
        full = len(tokens) % self.bs == 0
        shared = not full and self.refs[table[-1]] > 1
        if full or shared:
            if not self.queue:
                return False
            block = self._take()
            if shared:
                self.refs[table[-1]] -= 1
                table[-1] = block
            else:
                table.append(block)
        tokens.append(token)
        if len(tokens) % self.bs == 0:
            self._register(table[-1], tokens)
        return True

    def fork(self, seq, new_seq):
        self.tokens[new_seq] = list(self.tokens[seq])
        self.table[new_seq] = list(self.table[seq])
        for b in self.table[new_seq]:
            self.refs[b] += 1

    def free(self, seq):
        del self.tokens[seq]
        for b in reversed(self.table.pop(seq)):
            self.refs[b] -= 1
            if self.refs[b] == 0:
                self.queue[b] = None

    def blocks(self, seq):
        return list(self.table[seq])

    def free_count(self):
        return len(self.queue)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
