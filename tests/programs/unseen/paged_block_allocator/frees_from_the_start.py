# expect: wrong
# mistake: free gives up the blocks of a sequence first to last
class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_list = list(range(num_blocks))
        self.refs = dict.fromkeys(range(num_blocks), 0)
        self.cache = {}
        self.seqs = {}

    def _new_block(self):
        block = self.free_list.pop(0)
        for key, cached in list(self.cache.items()):
            if cached == block:
                del self.cache[key]
        self.refs[block] = 1
        return block

    def allocate(self, seq, tokens) -> int:
        tokens = tuple(tokens)
        n = self.block_size
        hits = []
        while (len(hits) + 1) * n < len(tokens):
            key = tokens[: (len(hits) + 1) * n]
            if key not in self.cache:
                break
            hits.append(self.cache[key])
        need = (len(tokens) - 1) // n + 1 - len(hits)
        available = [b for b in self.free_list if b not in hits]
        if len(available) < need:
            return -1
        self.free_list = available
        for b in hits:
            self.refs[b] += 1
        blocks = hits + [self._new_block() for _ in range(need)]
        for i in range(len(hits), len(tokens) // n):
            self.cache.setdefault(tokens[: (i + 1) * n], blocks[i])
        self.seqs[seq] = (tokens, blocks)
        return len(hits) * n

    def append(self, seq, token) -> bool:
        tokens, blocks = self.seqs[seq]
        blocks = list(blocks)
        full = len(tokens) % self.block_size == 0
        if full or self.refs[blocks[-1]] > 1:
            if not self.free_list:
                return False
            if not full:
                self.refs[blocks.pop()] -= 1
            blocks.append(self._new_block())
        tokens += (token,)
        if len(tokens) % self.block_size == 0:
            self.cache.setdefault(tokens, blocks[-1])
        self.seqs[seq] = (tokens, blocks)
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, blocks = self.seqs[seq]
        for b in blocks:
            self.refs[b] += 1
        self.seqs[new_seq] = (tokens, list(blocks))

    def free(self, seq) -> None:
        _, blocks = self.seqs.pop(seq)
        for b in blocks:
            self.refs[b] -= 1
            if self.refs[b] == 0:
                self.free_list.append(b)

    def blocks(self, seq) -> list[int]:
        return list(self.seqs[seq][1])

    def free_count(self) -> int:
        return len(self.free_list)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
