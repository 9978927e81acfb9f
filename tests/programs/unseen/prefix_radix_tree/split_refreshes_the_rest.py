# expect: wrong
# mistake: If start or finish splits a node, both parts count as used now, instead of only the part with the matched pages.
import itertools


class RadixNode:
    def __init__(self, key, parent, time):
        self.key = key
        self.parent = parent
        self.children = {}
        self.lock_ref = 0
        self.last_access = time


class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.counter = itertools.count(1)
        self.root = RadixNode((), None, 0)
        self.reqs = {}
        self.total = 0

    def _child_key(self, tokens):
        return tuple(tokens[:self.page_size])

    def _common(self, a, b):
        n = 0
        ps = self.page_size
        while n + ps <= len(a) and n + ps <= len(b) and a[n:n + ps] == b[n:n + ps]:
            n += ps
        return n

    def _match(self, tokens, now):
        tokens = tuple(tokens)
        node, done = self.root, 0
        while True:
            rest = tokens[done:]
            child = node.children.get(self._child_key(rest)) if len(rest) >= self.page_size else None
            if child is None:
                return node, done
            child.last_access = now
            n = self._common(child.key, rest)
            if n < len(child.key):
                return self._split_node(child, n), done + n
            node, done = child, done + n

    def _split_node(self, child, n):
        upper = RadixNode(child.key[:n], child.parent, child.last_access)
        upper.lock_ref = child.lock_ref
        upper.children = {self._child_key(child.key[n:]): child}
        child.parent.children[self._child_key(child.key)] = upper
        child.parent = upper
        child.key = child.key[n:]
        return upper

    def _change_lock(self, node, by):
        while node.parent is not None:
            node.lock_ref += by
            node = node.parent

    def start(self, request, prompt):
        node, n = self._match(prompt[:-1], next(self.counter))
        self._change_lock(node, +1)
        self.reqs[request] = (list(prompt), node)
        return n

    def finish(self, request, output):
        prompt, last = self.reqs.pop(request)
        tokens = tuple(prompt + list(output))
        now = next(self.counter)
        node, n = self._match(tokens, now)
        aligned = len(tokens) - len(tokens) % self.page_size
        if aligned > n:
            leaf = RadixNode(tokens[n:aligned], node, now)
            node.children[self._child_key(leaf.key)] = leaf
            self.total += aligned - n
        self._change_lock(last, -1)
        while self.total > self.capacity:
            leaves = [x for x in self._nodes() if not x.children and x.lock_ref == 0]
            if not leaves:
                break
            victim = min(leaves, key=lambda x: x.last_access)
            del victim.parent.children[self._child_key(victim.key)]
            self.total -= len(victim.key)

    def abort(self, request):
        _, last = self.reqs.pop(request)
        self._change_lock(last, -1)

    def _nodes(self, node=None):
        for child in (node or self.root).children.values():
            yield child
            yield from self._nodes(child)

    def prefixes(self):
        result = []
        for node in self._nodes():
            tokens = ()
            while node.parent is not None:
                tokens = node.key + tokens
                node = node.parent
            result.append(list(tokens))
        return result


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
