# expect: right
class Node:
    """A place in the tree of all contents seen; block is the cached block that holds it, or None."""

    __slots__ = ("children", "block")

    def __init__(self):
        self.children = {}
        self.block = None

    def child(self, chunk):
        return self.children.setdefault(chunk, Node())


class Block:
    __slots__ = ("id", "users", "node")

    def __init__(self, number):
        self.id = number
        self.users = set()
        self.node = None


class Sequence:
    __slots__ = ("nodes", "blocks", "tail")

    def __init__(self, nodes, blocks, tail):
        self.nodes = nodes  # the root and one node for each full block
        self.blocks = blocks
        self.tail = tail  # the tokens of the last, partly filled block


class Allocator:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.root = Node()
        self.line = [Block(i) for i in range(num_blocks)]
        self.sequences = {}

    def _take(self):
        block = self.line.pop(0)
        if block.node is not None:
            block.node.block = None
            block.node = None
        return block

    def _enter(self, node, block):
        if node.block is None:
            node.block = block
            block.node = node

    def allocate(self, seq, tokens) -> int:
        size = self.block_size
        full = len(tokens) // size
        chunks = [tuple(tokens[i * size : (i + 1) * size]) for i in range(full)]
        tail = list(tokens[full * size :])
        hit_limit = full if tail else full - 1

        found, node = [], self.root
        for chunk in chunks[:hit_limit]:
            node = node.children.get(chunk)
            if node is None or node.block is None:
                break
            found.append(node.block)

        fresh = full + bool(tail) - len(found)
        idle = {block.id for block in found if not block.users}
        if len(self.line) - len(idle) < fresh:
            return -1

        self.line = [block for block in self.line if block.id not in idle]
        blocks = found + [self._take() for _ in range(fresh)]
        for block in blocks:
            block.users.add(seq)
        nodes = [self.root]
        for chunk, block in zip(chunks, blocks):
            nodes.append(nodes[-1].child(chunk))
            self._enter(nodes[-1], block)
        self.sequences[seq] = Sequence(nodes, blocks, tail)
        return len(found) * size

    def append(self, seq, token) -> bool:
        s = self.sequences[seq]
        last = s.blocks[-1]
        if not s.tail:
            if not self.line:
                return False
            block = self._take()
            block.users.add(seq)
            s.blocks.append(block)
        elif last.users != {seq}:
            if not self.line:
                return False
            block = self._take()
            block.users.add(seq)
            last.users.remove(seq)
            s.blocks[-1] = block
        s.tail.append(token)
        if len(s.tail) == self.block_size:
            s.nodes.append(s.nodes[-1].child(tuple(s.tail)))
            s.tail = []
            self._enter(s.nodes[-1], s.blocks[-1])
        return True

    def fork(self, seq, new_seq) -> None:
        s = self.sequences[seq]
        self.sequences[new_seq] = Sequence(s.nodes[:], s.blocks[:], s.tail[:])
        for block in s.blocks:
            block.users.add(new_seq)

    def free(self, seq) -> None:
        s = self.sequences.pop(seq)
        while s.blocks:
            block = s.blocks.pop()
            block.users.remove(seq)
            if not block.users:
                self.line.append(block)

    def blocks(self, seq) -> list[int]:
        return [block.id for block in self.sequences[seq].blocks]

    def free_count(self) -> int:
        return len(self.line)


def paged_block_allocator(num_blocks, block_size):
    return Allocator(num_blocks, block_size)
