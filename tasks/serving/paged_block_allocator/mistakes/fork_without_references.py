class Allocator:
    def __init__(self, num_blocks, block_size):
        self.size = block_size
        self.free_list = dict.fromkeys(range(num_blocks))
        self.ref = {}
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
        if needed > len(self.free_list) - sum(block in self.free_list for block in hits):
            return -1
        for block in hits:
            self.free_list.pop(block, None)
            self.ref[block] += 1
        self.tokens[seq] = list(tokens)
        self.tables[seq] = hits + [self._pop_free() for _ in range(needed)]
        for place in range(len(hits), len(tokens) // self.size):
            self._cache_full_block(seq, place)
        return len(hits) * self.size

    def append(self, seq, token):
        table, tokens = self.tables[seq], self.tokens[seq]
        is_full = len(tokens) % self.size == 0
        if is_full or self.ref[table[-1]] > 1:
            if not self.free_list:
                return False
            if not is_full:
                self.ref[table.pop()] -= 1
            table.append(self._pop_free())
        tokens.append(token)
        if len(tokens) % self.size == 0:
            self._cache_full_block(seq, len(table) - 1)
        return True

    def fork(self, seq, new_seq):
        self.tables[new_seq] = list(self.tables[seq])
        self.tokens[new_seq] = list(self.tokens[seq])

    def free(self, seq):
        for block in reversed(self.tables.pop(seq)):
            self.ref[block] -= 1
            if not self.ref[block]:
                self.free_list[block] = None

    def blocks(self, seq):
        return list(self.tables[seq])

    def free_count(self):
        return len(self.free_list)

    def _pop_free(self):
        block = next(iter(self.free_list))
        del self.free_list[block]
        self.ref[block] = 1
        self.cached.pop(self.key_of.pop(block, None), None)
        return block

    def _cache_full_block(self, seq, place):
        key = tuple(self.tokens[seq][: (place + 1) * self.size])
        if key not in self.cached:
            block = self.tables[seq][place]
            self.cached[key] = block
            self.key_of[block] = key


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
