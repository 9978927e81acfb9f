# expect: wrong
# mistake: If a locked node is split, only the part with the matched pages stays locked; the rest of the node loses the locks.
class Node:
    def __init__(self, pages, parent=None):
        self.pages = pages              # list of tuples
        self.parent = parent
        self.children = {}
        self.lockers = set()
        self.used = 0


class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.root = Node([])
        self.prompts = {}
        self.tick = 0

    def _pages(self, tokens):
        n = len(tokens) // self.page_size
        return [tuple(tokens[i * self.page_size:(i + 1) * self.page_size]) for i in range(n)]

    def _split(self, node, k):
        rest = Node(node.pages[k:], node)
        rest.used = node.used
        rest.children = node.children
        for child in rest.children.values():
            child.parent = rest
        node.pages = node.pages[:k]
        node.children = {rest.pages[0]: rest}

    def _walk(self, pages):
        self.tick += 1
        path, node, i = [], self.root, 0
        while i < len(pages) and pages[i] in node.children:
            node = node.children[pages[i]]
            k = 0
            while k < len(node.pages) and i + k < len(pages) and node.pages[k] == pages[i + k]:
                k += 1
            i += k
            if k < len(node.pages):
                self._split(node, k)
            node.used = self.tick
            path.append(node)
        return path, i

    def start(self, request, prompt):
        path, n = self._walk(self._pages(prompt[:-1]))
        for node in path:
            node.lockers.add(request)
        self.prompts[request] = list(prompt)
        return n * self.page_size

    def finish(self, request, output):
        pages = self._pages(self.prompts[request] + list(output))
        path, n = self._walk(pages)
        if n < len(pages):
            parent = path[-1] if path else self.root
            node = Node(pages[n:], parent)
            node.used = self.tick
            parent.children[pages[n]] = node
        self.abort(request)
        while self._tokens() > self.capacity:
            leaves = [x for x in self._all() if not x.children and not x.lockers]
            if not leaves:
                break
            victim = min(leaves, key=lambda x: x.used)
            victim.parent.children.pop(victim.pages[0])

    def abort(self, request):
        del self.prompts[request]
        for node in self._all():
            node.lockers.discard(request)

    def _all(self):
        todo, found = [self.root], []
        while todo:
            node = todo.pop()
            for child in node.children.values():
                found.append(child)
                todo.append(child)
        return found

    def _tokens(self):
        return sum(len(x.pages) for x in self._all()) * self.page_size

    def prefixes(self):
        out = []
        for node in self._all():
            chain = []
            while node is not self.root:
                chain.append(node)
                node = node.parent
            out.append([t for x in reversed(chain) for page in x.pages for t in page])
        return out


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
