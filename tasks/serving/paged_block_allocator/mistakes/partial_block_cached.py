class Block:
    def __init__(self, number):
        self.number = number
        self.users = 0
        self.key = None


class Sequence:
    def __init__(self, blocks, tokens):
        self.held = blocks
        self.tokens = tokens


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.waiting = []
        for number in range(num_blocks):
            self.waiting.append(Block(number))
        self.known = []
        self.seqs = {}

    def look_up(self, key):
        for block in self.known:
            if block.key == key:
                return block
        return None

    def next_block(self):
        block = self.waiting.pop(0)
        if block in self.known:
            self.known.remove(block)
        block.key = None
        block.users = 1
        return block

    def enter(self, block, key):
        if self.look_up(key) is None:
            block.key = key
            self.known.append(block)

    def allocate(self, seq, tokens):
        size = self.block_size
        found = []
        searching = True
        chunks = [tokens[i : i + size] for i in range(0, len(tokens), size)]
        prefix = ()
        for i, chunk in enumerate(chunks):
            if (i == len(chunks) - 1 and len(chunk) == size) or not searching:
                break
            prefix = prefix + tuple(chunk)
            block = self.look_up(prefix)
            if block is None:
                searching = False
            else:
                found.append(block)
        missing = len(chunks) - len(found)
        available = 0
        for block in self.waiting:
            if block not in found:
                available += 1
        if available < missing:
            return -1
        for block in found:
            if block.users == 0:
                self.waiting.remove(block)
            block.users += 1
        held = list(found)
        for _ in range(missing):
            held.append(self.next_block())
        for i in range(len(found), len(chunks)):
            self.enter(held[i], tuple(tokens[: (i + 1) * size]))
        self.seqs[seq] = Sequence(held, list(tokens))
        return len(found) * size

    def append(self, seq, token):
        one = self.seqs[seq]
        used_in_last = len(one.tokens) % self.block_size
        last = one.held[-1]
        if used_in_last == 0:
            if len(self.waiting) == 0:
                return False
            one.held.append(self.next_block())
        elif last.users >= 2:
            if len(self.waiting) == 0:
                return False
            one.held[-1] = self.next_block()
            last.users -= 1
        one.tokens.append(token)
        if used_in_last == self.block_size - 1:
            self.enter(one.held[-1], tuple(one.tokens))
        return True

    def fork(self, seq, new_seq):
        old = self.seqs[seq]
        for block in old.held:
            block.users += 1
        self.seqs[new_seq] = Sequence(list(old.held), list(old.tokens))

    def free(self, seq):
        one = self.seqs.pop(seq)
        while one.held:
            block = one.held.pop()
            block.users -= 1
            if block.users == 0:
                self.waiting.append(block)

    def blocks(self, seq):
        return [block.number for block in self.seqs[seq].held]

    def free_count(self):
        return len(self.waiting)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
