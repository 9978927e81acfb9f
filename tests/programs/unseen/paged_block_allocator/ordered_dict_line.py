# expect: right
from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.size = block_size
        self.line = OrderedDict.fromkeys(range(num_blocks))
        self.users = [0] * num_blocks
        self.block_of = {}  # all tokens up to the end of a full block -> block
        self.key_of = {}  # the other way round
        self.tokens = {}
        self.table = {}

    def _take(self):
        block, _ = self.line.popitem(last=False)
        key = self.key_of.pop(block, None)
        if key is not None:
            del self.block_of[key]
        self.users[block] = 1
        return block

    def _filled(self, block, prefix):
        if prefix not in self.block_of:
            self.block_of[prefix] = block
            self.key_of[block] = prefix

    def allocate(self, seq, tokens) -> int:
        tokens = list(tokens)
        hits = []
        for end in range(self.size, len(tokens), self.size):
            block = self.block_of.get(tuple(tokens[:end]))
            if block is None:
                break
            hits.append(block)
        needed = -(-len(tokens) // self.size) - len(hits)
        waiting = sum(block in self.line for block in hits)
        if needed > len(self.line) - waiting:
            return -1
        for block in hits:
            self.line.pop(block, None)
            self.users[block] += 1
        blocks = hits + [self._take() for _ in range(needed)]
        for i in range(len(hits), len(tokens) // self.size):
            self._filled(blocks[i], tuple(tokens[: (i + 1) * self.size]))
        self.tokens[seq] = tokens
        self.table[seq] = blocks
        return len(hits) * self.size

    def append(self, seq, token) -> bool:
        tokens, blocks = self.tokens[seq], self.table[seq]
        full = len(tokens) % self.size == 0
        shared = self.users[blocks[-1]] > 1
        if full or shared:
            if not self.line:
                return False
            new = self._take()
            if full:
                blocks.append(new)
            else:
                self.users[blocks[-1]] -= 1
                blocks[-1] = new
        tokens.append(token)
        if len(tokens) % self.size == 0:
            self._filled(blocks[-1], tuple(tokens))
        return True

    def fork(self, seq, new_seq) -> None:
        self.tokens[new_seq] = list(self.tokens[seq])
        self.table[new_seq] = list(self.table[seq])
        for block in self.table[seq]:
            self.users[block] += 1

    def free(self, seq) -> None:
        del self.tokens[seq]
        for block in reversed(self.table.pop(seq)):
            self.users[block] -= 1
            if not self.users[block]:
                self.line[block] = None

    def blocks(self, seq) -> list[int]:
        return list(self.table[seq])

    def free_count(self) -> int:
        return len(self.line)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
