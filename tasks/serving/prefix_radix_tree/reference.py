"""Children are looked up by their first page; a match splits the node in which it ends, so it covers whole nodes."""


class Node:
    def __init__(self, tokens, parent, locks=(), used=None):
        self.tokens, self.parent = tokens, parent
        self.children = {}
        self.locks = set(locks)  # the running requests that matched this node
        self.used = used


class Tree:
    def __init__(self, page_size, capacity):
        self.page, self.capacity = page_size, capacity
        self.root = Node(tokens=[], parent=None)
        self.prompts = {}
        self.clock = 0

    def start(self, request, prompt):
        self.prompts[request] = list(prompt)
        path = self._match(prompt[:-1])
        for node in path:
            node.locks.add(request)
        return sum(len(node.tokens) for node in path)

    def finish(self, request, output):
        tokens = self.prompts[request] + list(output)
        path = self._match(tokens)
        parent = path[-1] if path else self.root
        rest = tokens[sum(len(node.tokens) for node in path) : len(tokens) - len(tokens) % self.page]
        if rest:
            parent.children[self._key(rest)] = Node(rest, parent, used=self.clock)
        self.abort(request)
        # The node that was just added has no locks, so there is always a leaf to evict.
        while sum(len(node.tokens) for node in self._nodes()) > self.capacity:
            leaves = [node for node in self._nodes() if not node.children and not node.locks]
            leaf = min(leaves, key=lambda node: node.used)
            del leaf.parent.children[self._key(leaf.tokens)]

    def abort(self, request):
        for node in self._nodes():
            node.locks.discard(request)

    def prefixes(self):
        found = {self.root: []}
        for node in self._nodes():
            found[node] = found[node.parent] + node.tokens
        del found[self.root]
        return list(found.values())

    def _key(self, tokens):
        return tuple(tokens[: self.page])

    def _match(self, tokens):
        """Return the nodes that cover the longest prefix of whole pages in the tree, and mark them as used."""
        self.clock += 1
        path, node = [], self.root
        while child := node.children.get(self._key(tokens)):
            size = 0
            while size < len(child.tokens) and self._key(tokens[size:]) == self._key(child.tokens[size:]):
                size += self.page
            node = self._split(child, size) if size < len(child.tokens) else child
            node.used = self.clock
            path.append(node)
            tokens = tokens[size:]
        return path

    def _split(self, node, size):
        """Insert a parent that takes the first `size` tokens of a node, and return it."""
        parent = node.parent
        head = Node(node.tokens[:size], parent, node.locks)
        parent.children[self._key(head.tokens)] = head
        node.tokens, node.parent = node.tokens[size:], head
        head.children[self._key(node.tokens)] = node
        return head

    def _nodes(self):
        """Return all nodes except for the root, parents first."""
        found = [self.root]
        for node in found:
            found += node.children.values()
        return found[1:]


def prefix_radix_tree(page_size, capacity):
    """Return a radix tree of token prefixes with whole pages, locks, and LRU eviction of leaves.

    Source: arXiv:2312.07104, section 3.
    """
    return Tree(page_size, capacity)
