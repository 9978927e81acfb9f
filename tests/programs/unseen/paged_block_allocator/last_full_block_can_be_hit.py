# expect: wrong
# mistake: A block that holds the last token can be hit if it is full, so that no token is left to compute.
from dataclasses import dataclass, field


@dataclass
class Block:
    id: int
    refs: int = 0
    key: tuple | None = None


@dataclass
class Sequence:
    tokens: list
    blocks: list = field(default_factory=list)


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.size = block_size
        self.pool = [Block(i) for i in range(num_blocks)]
        self.free_list = list(self.pool)
        self.cached = {}
        self.sequences = {}

    def _evicted_block(self):
        block = self.free_list.pop(0)
        if block.key is not None:
            self.cached.pop(block.key)
            block.key = None
        block.refs = 1
        return block

    def _commit(self, block, prefix):
        key = tuple(prefix)
        if key in self.cached:
            return
        block.key = key
        self.cached[key] = block

    def _lookup(self, tokens):
        found = []
        end = self.size
        while end <= len(tokens):
            block = self.cached.get(tuple(tokens[:end]))
            if block is None:
                break
            found.append(block)
            end += self.size
        return found

    def allocate(self, seq, tokens) -> int:
        found = self._lookup(tokens)
        total = (len(tokens) + self.size - 1) // self.size
        fresh = total - len(found)
        available = len(self.free_list) - sum(1 for b in found if b.refs == 0)
        if fresh > available:
            return -1
        for b in found:
            if b.refs == 0:
                self.free_list.remove(b)
            b.refs += 1
        s = Sequence(list(tokens), list(found))
        s.blocks += [self._evicted_block() for _ in range(fresh)]
        for i in range(len(found), total):
            end = (i + 1) * self.size
            if end <= len(tokens):
                self._commit(s.blocks[i], tokens[:end])
        self.sequences[seq] = s
        return len(found) * self.size

    def append(self, seq, token) -> bool:
        s = self.sequences[seq]
        offset = len(s.tokens) % self.size
        if offset == 0 or s.blocks[-1].refs > 1:
            if not self.free_list:
                return False
            block = self._evicted_block()
            if offset == 0:
                s.blocks.append(block)
            else:
                s.blocks[-1].refs -= 1
                s.blocks[-1] = block
        s.tokens.append(token)
        if offset == self.size - 1:
            self._commit(s.blocks[-1], s.tokens)
        return True

    def fork(self, seq, new_seq) -> None:
        s = self.sequences[seq]
        for b in s.blocks:
            b.refs += 1
        self.sequences[new_seq] = Sequence(list(s.tokens), list(s.blocks))

    def free(self, seq) -> None:
        for b in reversed(self.sequences.pop(seq).blocks):
            b.refs -= 1
            if b.refs == 0:
                self.free_list.append(b)

    def blocks(self, seq) -> list[int]:
        return [b.id for b in self.sequences[seq].blocks]

    def free_count(self) -> int:
        return len(self.free_list)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
