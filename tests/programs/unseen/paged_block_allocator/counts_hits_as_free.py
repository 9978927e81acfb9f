# expect: wrong
# mistake: whether there are enough free blocks is checked with the hit blocks that stand in the line counted as free
from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.line = OrderedDict.fromkeys(range(num_blocks))
        self.refs = [0] * num_blocks
        self.cached = {}
        self.key = {}
        self.seqs = {}

    def _pop_free(self):
        block, _ = self.line.popitem(last=False)
        if block in self.key:
            del self.cached[self.key.pop(block)]
        self.refs[block] = 1
        return block

    def _insert(self, tokens, block):
        if tokens not in self.cached:
            self.cached[tokens] = block
            self.key[block] = tokens

    def allocate(self, seq, tokens) -> int:
        size = self.block_size
        hits = []
        for i in range(1, (len(tokens) - 1) // size + 1):
            block = self.cached.get(tuple(tokens[: i * size]))
            if block is None:
                break
            hits.append(block)
        num_blocks = (len(tokens) + size - 1) // size
        num_new = num_blocks - len(hits)
        if num_new > len(self.line):
            return -1
        for block in hits:
            if self.refs[block] == 0:
                del self.line[block]
            self.refs[block] += 1
        blocks = list(hits)
        for _ in range(num_new):
            blocks.append(self._pop_free())
        for i in range(len(hits), len(tokens) // size):
            self._insert(tuple(tokens[: (i + 1) * size]), blocks[i])
        self.seqs[seq] = (list(tokens), blocks)
        return len(hits) * size

    def append(self, seq, token) -> bool:
        tokens, blocks = self.seqs[seq]
        last_is_full = len(tokens) % self.block_size == 0
        copy_on_write = not last_is_full and self.refs[blocks[-1]] > 1
        if (last_is_full or copy_on_write) and not self.line:
            return False
        if last_is_full:
            blocks.append(self._pop_free())
        elif copy_on_write:
            self.refs[blocks[-1]] -= 1
            blocks[-1] = self._pop_free()
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._insert(tuple(tokens), blocks[-1])
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, blocks = self.seqs[seq]
        self.seqs[new_seq] = (list(tokens), list(blocks))
        for block in blocks:
            self.refs[block] += 1

    def free(self, seq) -> None:
        for block in reversed(self.seqs.pop(seq)[1]):
            self.refs[block] -= 1
            if self.refs[block] == 0:
                self.line[block] = None

    def blocks(self, seq) -> list[int]:
        return list(self.seqs[seq][1])

    def free_count(self) -> int:
        return len(self.line)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
