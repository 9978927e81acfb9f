# expect: wrong
# mistake: A newly filled block replaces the cached block for the same tokens, and on copy on write the old block keeps counting the sequence as a user.
from collections import deque


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.queue = deque(range(num_blocks))
        self.count = [0] * num_blocks
        self.index = {}      # prefix -> block
        self.label = {}      # block -> prefix
        self.data = {}       # seq -> (tokens, blocks)

    def _get_block(self):
        if not self.queue:
            return None
        block = self.queue.popleft()
        prefix = self.label.pop(block, None)
        if prefix is not None and self.index.get(prefix) == block:
            del self.index[prefix]
        self.count[block] = 1
        return block

    def _remember(self, prefix, block):
        self.index[prefix] = block
        self.label[block] = prefix

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        hits = []
        for end in range(bs, len(tokens), bs):
            block = self.index.get(tuple(tokens[:end]))
            if block is None:
                break
            hits.append(block)
        num_new = (len(tokens) - len(hits) * bs + bs - 1) // bs
        resurrect = [b for b in hits if self.count[b] == 0]
        if len(self.queue) - len(resurrect) < num_new:
            return -1
        for b in resurrect:
            self.queue.remove(b)
        for b in hits:
            self.count[b] += 1
        new = [self._get_block() for _ in range(num_new)]
        blocks = hits + new
        for i in range(len(hits), len(tokens) // bs):
            self._remember(tuple(tokens[: (i + 1) * bs]), blocks[i])
        self.data[seq] = (list(tokens), blocks)
        return len(hits) * bs

    def append(self, seq, token) -> bool:
        tokens, blocks = self.data[seq]
        if len(tokens) % self.block_size == 0:
            block = self._get_block()
            if block is None:
                return False
            blocks.append(block)
        elif self.count[blocks[-1]] > 1:
            block = self._get_block()
            if block is None:
                return False
            blocks[-1] = block
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._remember(tuple(tokens), blocks[-1])
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, blocks = self.data[seq]
        self.data[new_seq] = (list(tokens), list(blocks))
        for b in blocks:
            self.count[b] += 1

    def free(self, seq) -> None:
        tokens, blocks = self.data.pop(seq)
        for b in reversed(blocks):
            self.count[b] -= 1
            if self.count[b] == 0:
                self.queue.append(b)

    def blocks(self, seq) -> list[int]:
        return list(self.data[seq][1])

    def free_count(self) -> int:
        return len(self.queue)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
