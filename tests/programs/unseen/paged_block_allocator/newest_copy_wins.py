# expect: wrong
# mistake: a block that is filled with tokens that the cache already has takes the place of the older block in the cache
from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_blocks = OrderedDict((b, True) for b in range(num_blocks))
        self.ref_count = {b: 0 for b in range(num_blocks)}
        self.prefix_cache = {}
        self.owner_key = {}
        self.sequences = {}

    def _grab(self):
        block, _ = self.free_blocks.popitem(last=False)
        key = self.owner_key.pop(block, None)
        if key is not None and self.prefix_cache.get(key) == block:
            del self.prefix_cache[key]
        self.ref_count[block] = 1
        return block

    def _cache(self, key, block):
        self.prefix_cache[key] = block
        self.owner_key[block] = key

    def allocate(self, seq, tokens) -> int:
        size, tokens = self.block_size, list(tokens)
        hits = []
        for i in range((len(tokens) - 1) // size):
            block = self.prefix_cache.get(tuple(tokens[: (i + 1) * size]))
            if block is None:
                break
            hits.append(block)
        need = (len(tokens) + size - 1) // size - len(hits)
        free_hits = [b for b in hits if b in self.free_blocks]
        if len(self.free_blocks) - len(free_hits) < need:
            return -1
        for b in hits:
            self.free_blocks.pop(b, None)
            self.ref_count[b] += 1
        blocks = hits + [self._grab() for _ in range(need)]
        for i in range(len(hits), len(tokens) // size):
            self._cache(tuple(tokens[: (i + 1) * size]), blocks[i])
        self.sequences[seq] = [tokens, blocks]
        return len(hits) * size

    def append(self, seq, token) -> bool:
        tokens, blocks = self.sequences[seq]
        if len(tokens) % self.block_size == 0:
            if not self.free_blocks:
                return False
            blocks.append(self._grab())
        elif self.ref_count[blocks[-1]] > 1:
            if not self.free_blocks:
                return False
            old = blocks[-1]
            blocks[-1] = self._grab()
            self.ref_count[old] -= 1
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._cache(tuple(tokens), blocks[-1])
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, blocks = self.sequences[seq]
        self.sequences[new_seq] = [tokens[:], blocks[:]]
        for b in blocks:
            self.ref_count[b] += 1

    def free(self, seq) -> None:
        _, blocks = self.sequences.pop(seq)
        for b in blocks[::-1]:
            self.ref_count[b] -= 1
            if self.ref_count[b] == 0:
                self.free_blocks[b] = True

    def blocks(self, seq) -> list[int]:
        return self.sequences[seq][1][:]

    def free_count(self) -> int:
        return len(self.free_blocks)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
