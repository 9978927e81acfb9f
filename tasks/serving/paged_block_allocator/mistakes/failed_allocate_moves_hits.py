from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_blocks = OrderedDict((b, True) for b in range(num_blocks))
        self.refs = [0] * num_blocks
        self.cache = {}
        self.cached_as = {}
        self.sequences = {}

    def _claim(self, block):
        if self.refs[block] == 0:
            del self.free_blocks[block]
        self.refs[block] += 1

    def _release(self, block):
        self.refs[block] -= 1
        if self.refs[block] == 0:
            self.free_blocks[block] = True

    def _take_front(self):
        block = next(iter(self.free_blocks))
        if block in self.cached_as:
            del self.cache[self.cached_as.pop(block)]
        self._claim(block)
        return block

    def _add_to_cache(self, block, prefix):
        if prefix in self.cache:
            return
        self.cache[prefix] = block
        self.cached_as[block] = prefix

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        tokens = list(tokens)
        num_total = -(-len(tokens) // bs)

        table = []
        while len(table) < num_total - 1:
            prefix = tuple(tokens[: (len(table) + 1) * bs])
            if prefix not in self.cache:
                break
            block = self.cache[prefix]
            self._claim(block)
            table.append(block)
        num_hits = len(table)

        if num_total - num_hits > len(self.free_blocks):
            for block in reversed(table):
                self._release(block)
            return -1

        for _ in range(num_total - num_hits):
            table.append(self._take_front())
        for i in range(num_hits, len(tokens) // bs):
            self._add_to_cache(table[i], tuple(tokens[: (i + 1) * bs]))
        self.sequences[seq] = [tokens, table]
        return num_hits * bs

    def append(self, seq, token) -> bool:
        tokens, table = self.sequences[seq]
        boundary = len(tokens) % self.block_size == 0
        if boundary:
            if not self.free_blocks:
                return False
            table.append(self._take_front())
        elif self.refs[table[-1]] > 1:
            if not self.free_blocks:
                return False
            fresh = self._take_front()
            self._release(table[-1])
            table[-1] = fresh
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._add_to_cache(table[-1], tuple(tokens))
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, table = self.sequences[seq]
        for block in table:
            self._claim(block)
        self.sequences[new_seq] = [list(tokens), list(table)]

    def free(self, seq) -> None:
        _, table = self.sequences.pop(seq)
        for block in reversed(table):
            self._release(block)

    def blocks(self, seq) -> list[int]:
        return list(self.sequences[seq][1])

    def free_count(self) -> int:
        return len(self.free_blocks)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
