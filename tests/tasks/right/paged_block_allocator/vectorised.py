import torch


class Pool:
    """State as arrays over blocks: users, time of freeing, whether cached."""

    def __init__(self, num_blocks, block_size):
        self.n, self.bs = num_blocks, block_size
        self.users = torch.zeros(num_blocks, dtype=torch.long)
        self.freed_at = torch.arange(num_blocks)
        self.clock = num_blocks
        self.content = [None] * num_blocks
        self.seqs = {}

    def _find(self, key):
        return next((b for b in range(self.n) if self.content[b] == key), None)

    def _pop(self):
        free = (self.users == 0).nonzero()[:, 0]
        block = int(free[self.freed_at[free].argmin()])
        self.users[block] = 1
        self.content[block] = None
        return block

    def _fill(self, table, toks, index):
        key = tuple(toks[: (index + 1) * self.bs])
        if self._find(key) is None:
            self.content[table[index]] = key

    def allocate(self, seq, tokens):
        table = []
        while (len(table) + 1) * self.bs < len(tokens):
            block = self._find(tuple(tokens[: (len(table) + 1) * self.bs]))
            if block is None:
                break
            table.append(block)
        hit = len(table)
        want = (len(tokens) + self.bs - 1) // self.bs - hit
        idle = self.users == 0
        idle[table] = False
        if want > idle.sum():
            return -1
        self.users[table] += 1
        table += [self._pop() for _ in range(want)]
        toks = list(tokens)
        for index in range(hit, len(toks) // self.bs):
            self._fill(table, toks, index)
        self.seqs[seq] = (table, toks)
        return hit * self.bs

    def append(self, seq, token):
        table, toks = self.seqs[seq]
        room = len(table) * self.bs - len(toks)
        if room == 0:
            if self.free_count() == 0:
                return False
            table.append(self._pop())
        elif self.users[table[-1]] > 1:
            if self.free_count() == 0:
                return False
            self.users[table[-1]] -= 1
            table[-1] = self._pop()
        toks.append(token)
        if len(toks) == len(table) * self.bs:
            self._fill(table, toks, len(table) - 1)
        return True

    def fork(self, seq, new_seq):
        table, toks = self.seqs[seq]
        self.seqs[new_seq] = (table[:], toks[:])
        self.users[table] += 1

    def free(self, seq):
        table, _ = self.seqs.pop(seq)
        self.users[table] -= 1
        for block in table[::-1]:
            if self.users[block] == 0:
                self.freed_at[block] = self.clock
                self.clock += 1

    def blocks(self, seq):
        return self.seqs[seq][0]

    def free_count(self):
        return int((self.users == 0).sum())


def paged_block_allocator(num_blocks, block_size):
    return Pool(num_blocks, block_size)
