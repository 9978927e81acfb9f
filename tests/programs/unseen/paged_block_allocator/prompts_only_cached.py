# expect: wrong
# mistake: a block that is filled by append does not enter the cache
class Allocator:
    def __init__(self, num_blocks, block_size):
        self.n = block_size
        self.queue = list(range(num_blocks))
        self.count = [0] * num_blocks
        self.content = [None] * num_blocks
        self.index = {}
        self.length = {}
        self.table = {}

    def _take(self):
        b = self.queue.pop(0)
        if self.content[b] is not None:
            del self.index[self.content[b]]
            self.content[b] = None
        self.count[b] = 1
        return b

    def _lookup(self, tokens):
        found = []
        for end in range(self.n, len(tokens), self.n):
            b = self.index.get(tuple(tokens[:end]))
            if b is None:
                return found
            found.append(b)
        return found

    def allocate(self, seq, tokens) -> int:
        found = self._lookup(tokens)
        need = -(-len(tokens) // self.n) - len(found)
        if need > sum(b not in found for b in self.queue):
            return -1
        for b in found:
            if self.count[b] == 0:
                self.queue.remove(b)
            self.count[b] += 1
        table = found + [self._take() for _ in range(need)]
        for place, b in enumerate(table):
            end = (place + 1) * self.n
            key = tuple(tokens[:end])
            if end <= len(tokens) and key not in self.index:
                self.index[key] = b
                self.content[b] = key
        self.table[seq] = table
        self.length[seq] = len(tokens)
        return len(found) * self.n

    def append(self, seq, token) -> bool:
        table = self.table[seq]
        room = -self.length[seq] % self.n
        if room == 0 or self.count[table[-1]] > 1:
            if not self.queue:
                return False
            b = self._take()
            if room == 0:
                table.append(b)
            else:
                self.count[table[-1]] -= 1
                table[-1] = b
        self.length[seq] += 1
        return True

    def fork(self, seq, new_seq) -> None:
        self.table[new_seq] = list(self.table[seq])
        self.length[new_seq] = self.length[seq]
        for b in self.table[seq]:
            self.count[b] += 1

    def free(self, seq) -> None:
        table = self.table.pop(seq)
        del self.length[seq]
        while table:
            b = table.pop()
            self.count[b] -= 1
            if self.count[b] == 0:
                self.queue.append(b)

    def blocks(self, seq) -> list[int]:
        return list(self.table[seq])

    def free_count(self) -> int:
        return len(self.queue)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
