# expect: wrong
# mistake: a block that holds the last token of the prompt can be hit, so that no token is left to compute
# mistake: append writes into a partly filled block that other sequences use as well, without copy on write
from collections import deque


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_ids = deque(range(num_blocks))
        self.refs = [0] * num_blocks
        self.by_prefix = {}
        self.prefix_of = {}
        self.tokens_of = {}
        self.blocks_of = {}

    def _allocate_block(self):
        block = self.free_ids.popleft()
        prefix = self.prefix_of.pop(block, None)
        if prefix is not None:
            self.by_prefix.pop(prefix)
        self.refs[block] += 1
        return block

    def _remember(self, prefix, block):
        if prefix not in self.by_prefix:
            self.by_prefix[prefix] = block
            self.prefix_of[block] = prefix

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        cached = []
        for i in range(len(tokens) // bs):
            block = self.by_prefix.get(tuple(tokens[: (i + 1) * bs]))
            if block is None:
                break
            cached.append(block)
        new = (len(tokens) + bs - 1) // bs - len(cached)
        idle = [b for b in cached if self.refs[b] == 0]
        if new > len(self.free_ids) - len(idle):
            return -1
        for b in idle:
            self.free_ids.remove(b)
        for b in cached:
            self.refs[b] += 1
        table = cached + [self._allocate_block() for _ in range(new)]
        for i in range(len(cached), len(tokens) // bs):
            self._remember(tuple(tokens[: (i + 1) * bs]), table[i])
        self.tokens_of[seq] = list(tokens)
        self.blocks_of[seq] = table
        return len(cached) * bs

    def append(self, seq, token) -> bool:
        tokens, table = self.tokens_of[seq], self.blocks_of[seq]
        if len(tokens) == len(table) * self.block_size:
            if not self.free_ids:
                return False
            table.append(self._allocate_block())
        tokens.append(token)
        if len(tokens) == len(table) * self.block_size:
            if table[-1] not in self.prefix_of:
                self._remember(tuple(tokens), table[-1])
        return True

    def fork(self, seq, new_seq) -> None:
        self.tokens_of[new_seq] = list(self.tokens_of[seq])
        self.blocks_of[new_seq] = list(self.blocks_of[seq])
        for b in self.blocks_of[seq]:
            self.refs[b] += 1

    def free(self, seq) -> None:
        del self.tokens_of[seq]
        for b in reversed(self.blocks_of.pop(seq)):
            self.refs[b] -= 1
            if self.refs[b] == 0:
                self.free_ids.append(b)

    def blocks(self, seq) -> list[int]:
        return list(self.blocks_of[seq])

    def free_count(self) -> int:
        return len(self.free_ids)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
