# expect: wrong
# mistake: A full block is looked up by its own tokens only, without the preceding tokens of its sequence.
from collections import deque


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_queue = deque(range(num_blocks))
        self.ref_count = {b: 0 for b in range(num_blocks)}
        self.hash_to_block = {}
        self.block_hash = {}
        self.seqs = {}

    def _hash(self, chunk):
        return tuple(chunk)

    def _pop_free(self):
        block = self.free_queue.popleft()
        if block in self.block_hash:
            h = self.block_hash.pop(block)
            del self.hash_to_block[h]
        self.ref_count[block] = 1
        return block

    def _cache_full(self, block, chunk):
        h = self._hash(chunk)
        if h in self.hash_to_block:
            return
        self.hash_to_block[h] = block
        self.block_hash[block] = h

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        chunks = [tokens[i : i + bs] for i in range(0, len(tokens), bs)]
        hit = []
        for chunk in chunks[:-1]:
            block = self.hash_to_block.get(self._hash(chunk))
            if block is None:
                break
            hit.append(block)

        idle_hits = {b for b in hit if self.ref_count[b] == 0}
        needed = len(chunks) - len(hit)
        if needed > len(self.free_queue) - len(idle_hits):
            return -1

        for block in hit:
            if self.ref_count[block] == 0:
                self.free_queue.remove(block)
            self.ref_count[block] += 1
        table = list(hit)
        for _ in range(needed):
            table.append(self._pop_free())
        for i in range(len(hit), len(chunks)):
            if len(chunks[i]) == bs:
                self._cache_full(table[i], chunks[i])
        self.seqs[seq] = (list(tokens), table)
        return len(hit) * bs

    def append(self, seq, token) -> bool:
        tokens, table = self.seqs[seq]
        used = len(tokens) % self.block_size
        if used == 0:
            if not self.free_queue:
                return False
            table.append(self._pop_free())
        elif self.ref_count[table[-1]] > 1:
            if not self.free_queue:
                return False
            old = table[-1]
            table[-1] = self._pop_free()
            self.ref_count[old] -= 1
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._cache_full(table[-1], tokens[-self.block_size :])
        return True

    def fork(self, seq, new_seq) -> None:
        tokens, table = self.seqs[seq]
        self.seqs[new_seq] = (tokens[:], table[:])
        for block in table:
            self.ref_count[block] += 1

    def free(self, seq) -> None:
        _, table = self.seqs.pop(seq)
        for block in table[::-1]:
            self.ref_count[block] -= 1
            if self.ref_count[block] == 0:
                self.free_queue.append(block)

    def blocks(self, seq) -> list[int]:
        return self.seqs[seq][1][:]

    def free_count(self) -> int:
        return len(self.free_queue)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
