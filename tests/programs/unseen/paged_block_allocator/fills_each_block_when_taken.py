# expect: wrong
# mistake: allocate takes and fills the new blocks one after the other, so a block is not added to the cache if its old copy is still cached and only evicted for a later block of the same call.
from collections import OrderedDict


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.unused = OrderedDict.fromkeys(range(num_blocks))
        self.users = [0] * num_blocks
        self.prefix_to_block = {}
        self.block_to_prefix = {}
        self.seq_tokens = {}
        self.seq_blocks = {}

    def _new_block(self):
        block = next(iter(self.unused))
        del self.unused[block]
        prefix = self.block_to_prefix.pop(block, None)
        if prefix is not None:
            del self.prefix_to_block[prefix]
        self.users[block] += 1
        return block

    def _filled(self, block, tokens):
        prefix = tuple(tokens)
        if prefix not in self.prefix_to_block:
            self.prefix_to_block[prefix] = block
            self.block_to_prefix[block] = prefix

    def allocate(self, seq, tokens) -> int:
        bs = self.block_size
        count = (len(tokens) + bs - 1) // bs

        shared = []
        for k in range(1, count):
            block = self.prefix_to_block.get(tuple(tokens[: k * bs]))
            if block is None:
                break
            shared.append(block)

        in_queue = sum(1 for block in shared if block in self.unused)
        if count - len(shared) > len(self.unused) - in_queue:
            return -1

        for block in shared:
            self.unused.pop(block, None)
            self.users[block] += 1

        blocks = list(shared)
        for k in range(len(shared), count):
            block = self._new_block()
            blocks.append(block)
            if (k + 1) * bs <= len(tokens):
                self._filled(block, tokens[: (k + 1) * bs])

        self.seq_tokens[seq] = list(tokens)
        self.seq_blocks[seq] = blocks
        return len(shared) * bs

    def append(self, seq, token) -> bool:
        tokens = self.seq_tokens[seq]
        blocks = self.seq_blocks[seq]
        last_is_full = len(tokens) % self.block_size == 0
        copy = not last_is_full and self.users[blocks[-1]] > 1
        if (last_is_full or copy) and not self.unused:
            return False
        if last_is_full:
            blocks.append(self._new_block())
        elif copy:
            self.users[blocks[-1]] -= 1
            blocks[-1] = self._new_block()
        tokens.append(token)
        if len(tokens) % self.block_size == 0:
            self._filled(blocks[-1], tokens)
        return True

    def fork(self, seq, new_seq) -> None:
        self.seq_tokens[new_seq] = list(self.seq_tokens[seq])
        self.seq_blocks[new_seq] = list(self.seq_blocks[seq])
        for block in self.seq_blocks[seq]:
            self.users[block] += 1

    def free(self, seq) -> None:
        blocks = self.seq_blocks.pop(seq)
        del self.seq_tokens[seq]
        while blocks:
            block = blocks.pop()
            self.users[block] -= 1
            if not self.users[block]:
                self.unused[block] = None

    def blocks(self, seq) -> list[int]:
        return list(self.seq_blocks[seq])

    def free_count(self) -> int:
        return len(self.unused)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
