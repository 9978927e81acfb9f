"""A block is in the free list exactly when no sequence uses it; its cache entry is removed when the block is taken."""


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.size = block_size
        self.line = dict.fromkeys(range(num_blocks))  # ordered, and a block can be removed from the middle
        self.users = {}
        self.cached = {}
        self.key_of = {}
        self.tokens = {}
        self.tables = {}

    def allocate(self, seq, tokens):
        hits = []
        for end in range(self.size, len(tokens), self.size):
            block = self.cached.get(tuple(tokens[:end]))
            if block is None:
                break
            hits.append(block)
        needed = -(-len(tokens) // self.size) - len(hits)
        if needed > len(self.line) - sum(block in self.line for block in hits):
            return -1
        for block in hits:
            self.line.pop(block, None)
            self.users[block] += 1
        self.tokens[seq] = list(tokens)
        self.tables[seq] = hits + [self._take() for _ in range(needed)]
        for place in range(len(hits), len(tokens) // self.size):
            self._remember(seq, place)
        return len(hits) * self.size

    def append(self, seq, token):
        table, tokens = self.tables[seq], self.tokens[seq]
        is_full = len(tokens) % self.size == 0
        if is_full or self.users[table[-1]] > 1:
            if not self.line:
                return False
            if not is_full:
                self.users[table.pop()] -= 1
            table.append(self._take())
        tokens.append(token)
        if len(tokens) % self.size == 0:
            self._remember(seq, len(table) - 1)
        return True

    def fork(self, seq, new_seq):
        self.tables[new_seq] = list(self.tables[seq])
        self.tokens[new_seq] = list(self.tokens[seq])
        for block in self.tables[seq]:
            self.users[block] += 1

    def free(self, seq):
        # In reverse order, so that the ends of prefixes are reused before their beginnings, which more prompts share.
        for block in reversed(self.tables.pop(seq)):
            self.users[block] -= 1
            if not self.users[block]:
                self.line[block] = None

    def blocks(self, seq):
        return list(self.tables[seq])

    def free_count(self):
        return len(self.line)

    def _take(self):
        block = next(iter(self.line))
        del self.line[block]
        self.users[block] = 1
        self.cached.pop(self.key_of.pop(block, None), None)
        return block

    def _remember(self, seq, place):
        """Put a full block into the cache unless it already has a block for the same tokens."""
        key = tuple(self.tokens[seq][: (place + 1) * self.size])
        if key not in self.cached:
            block = self.tables[seq][place]
            self.cached[key] = block
            self.key_of[block] = key


def paged_block_allocator(num_blocks, block_size):
    """Return an allocator of paged KV blocks with reference counts, copy on write and a prefix cache.

    Source: arXiv:2309.06180, section 4.
    """
    return Allocator(num_blocks, block_size)
