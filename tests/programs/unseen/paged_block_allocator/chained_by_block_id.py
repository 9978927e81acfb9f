# expect: wrong
# mistake: a full block is found by the id of the block before it and its own tokens, not by all tokens of its sequence before it
from collections import deque


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_queue = deque(range(num_blocks))
        self.ref = [0] * num_blocks
        self.hash_to_block = {}
        self.block_to_hash = {}
        self.seq_tokens = {}
        self.seq_blocks = {}

    def _pop(self):
        b = self.free_queue.popleft()
        h = self.block_to_hash.pop(b, None)
        if h is not None:
            del self.hash_to_block[h]
        self.ref[b] = 1
        return b

    def _hash(self, parent, tokens):
        return (parent, tuple(tokens))

    def _register(self, blocks, index, tokens):
        parent = blocks[index - 1] if index else None
        h = self._hash(parent, tokens)
        if h not in self.hash_to_block:
            self.hash_to_block[h] = blocks[index]
            self.block_to_hash[blocks[index]] = h

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        hits = []
        parent = None
        for i in range((len(tokens) - 1) // bs):
            b = self.hash_to_block.get(self._hash(parent, tokens[i * bs : (i + 1) * bs]))
            if b is None:
                break
            hits.append(b)
            parent = b
        total = (len(tokens) + bs - 1) // bs
        need = total - len(hits)
        revived = [b for b in hits if self.ref[b] == 0]
        if need > len(self.free_queue) - len(revived):
            return -1
        for b in revived:
            self.free_queue.remove(b)
        for b in hits:
            self.ref[b] += 1
        blocks = hits + [self._pop() for _ in range(need)]
        for i in range(len(hits), len(tokens) // bs):
            self._register(blocks, i, tokens[i * bs : (i + 1) * bs])
        self.seq_tokens[seq] = list(tokens)
        self.seq_blocks[seq] = blocks
        return len(hits) * bs

    def append(self, seq, token) -> bool:
        tokens, blocks = self.seq_tokens[seq], self.seq_blocks[seq]
        used = len(tokens) % self.block_size
        if used == 0:
            if not self.free_queue:
                return False
            blocks.append(self._pop())
        elif self.ref[blocks[-1]] > 1:
            if not self.free_queue:
                return False
            self.ref[blocks[-1]] -= 1
            blocks[-1] = self._pop()
        tokens.append(token)
        if used + 1 == self.block_size:
            self._register(blocks, len(blocks) - 1, tokens[-self.block_size :])
        return True

    def fork(self, seq, new_seq) -> None:
        self.seq_tokens[new_seq] = self.seq_tokens[seq].copy()
        self.seq_blocks[new_seq] = self.seq_blocks[seq].copy()
        for b in self.seq_blocks[seq]:
            self.ref[b] += 1

    def free(self, seq) -> None:
        for b in reversed(self.seq_blocks.pop(seq)):
            self.ref[b] -= 1
            if self.ref[b] == 0:
                self.free_queue.append(b)
        del self.seq_tokens[seq]

    def blocks(self, seq) -> list[int]:
        return self.seq_blocks[seq].copy()

    def free_count(self) -> int:
        return len(self.free_queue)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
