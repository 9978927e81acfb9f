import itertools


class Node:
    def __init__(self, pages, children=(), holders=(), used=0):
        self.pages = list(pages)
        self.children = list(children)
        self.holders = set(holders)
        self.used = used


class Cache:
    """Works on tuples of pages; every operation is a recursion over the children."""

    def __init__(self, page_size, capacity):
        self.p, self.room = page_size, capacity // page_size
        self.top = Node([])
        self.asked = {}
        self.ticks = itertools.count(1)

    def _pages(self, tokens):
        whole = len(tokens) // self.p
        return [tuple(tokens[i * self.p : (i + 1) * self.p]) for i in range(whole)]

    def _walk(self, node, pages, now):
        """Return the nodes below `node` that cover the longest common prefix, and the pages that are left."""
        for child in node.children:
            shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(child.pages, pages)))
            if not shared:
                continue
            if shared < len(child.pages):
                lower = Node(child.pages[shared:], child.children, child.holders, child.used)
                child.pages, child.children = child.pages[:shared], [lower]
            child.used = now
            below, left = self._walk(child, pages[shared:], now)
            return [child, *below], left
        return [], pages

    def start(self, request, prompt):
        self.asked[request] = prompt
        path, _ = self._walk(self.top, self._pages(prompt[:-1]), next(self.ticks))
        for node in path:
            node.holders.add(request)
        return self.p * sum(len(node.pages) for node in path)

    def finish(self, request, output):
        now = next(self.ticks)
        path, left = self._walk(self.top, self._pages(self.asked[request] + output), now)
        if left:
            (path[-1] if path else self.top).children.append(Node(left, used=now))
        self.abort(request)
        while self._count(self.top) > self.room:
            parent, leaf = min(self._free_leaves(self.top), key=lambda pair: pair[1].used)
            parent.children.remove(leaf)

    def abort(self, request):
        def drop(node):
            node.holders.discard(request)
            for child in node.children:
                drop(child)

        drop(self.top)

    def _count(self, node):
        return len(node.pages) + sum(self._count(child) for child in node.children)

    def _free_leaves(self, node):
        for child in node.children:
            if child.children:
                yield from self._free_leaves(child)
            elif not child.holders:
                yield node, child

    def prefixes(self):
        def below(node, before):
            for child in node.children:
                here = before + [token for page in child.pages for token in page]
                yield here
                yield from below(child, here)

        return list(below(self.top, []))


def prefix_radix_tree(page_size, capacity):
    return Cache(page_size, capacity)
