# expect: wrong
# mistake: Eviction cuts only as many pages from the end of the least recently used leaf as are needed to reach the capacity, instead of evicting the whole leaf.
class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.time = 0
        self.root = self._new([], None)
        self.open = {}

    @staticmethod
    def _new(tokens, parent):
        return {"tokens": tokens, "parent": parent, "children": {}, "locks": 0, "time": 0}

    def _first(self, tokens):
        return tuple(tokens[:self.page_size])

    def _match(self, tokens):
        node, i = self.root, 0
        while i + self.page_size <= len(tokens):
            child = node["children"].get(self._first(tokens[i:]))
            if child is None:
                break
            n = 0
            own = child["tokens"]
            while n < len(own) and tokens[i + n:i + n + self.page_size] == own[n:n + self.page_size]:
                n += self.page_size
            if n < len(own):
                top = self._new(own[:n], node)
                top["locks"] = child["locks"]
                child["tokens"], child["parent"] = own[n:], top
                top["children"][self._first(child["tokens"])] = child
                node["children"][self._first(top["tokens"])] = top
                child = top
            child["time"] = self.time
            node = child
            i += n
        return node, i

    def _path(self, node):
        while node["parent"] is not None:
            yield node
            node = node["parent"]

    def start(self, request, prompt):
        self.time += 1
        node, n = self._match(list(prompt[:-1]))
        for x in self._path(node):
            x["locks"] += 1
        self.open[request] = (list(prompt), node)
        return n

    def finish(self, request, output):
        self.time += 1
        tokens = self.open[request][0] + list(output)
        node, n = self._match(tokens)
        stop = len(tokens) // self.page_size * self.page_size
        if stop > n:
            leaf = self._new(tokens[n:stop], node)
            leaf["time"] = self.time
            node["children"][self._first(leaf["tokens"])] = leaf
        self.abort(request)
        self._evict()

    def abort(self, request):
        _, node = self.open.pop(request)
        for x in self._path(node):
            x["locks"] -= 1

    def _all(self):
        stack, nodes = [self.root], []
        while stack:
            for child in stack.pop()["children"].values():
                nodes.append(child)
                stack.append(child)
        return nodes

    def _evict(self):
        excess = sum(len(x["tokens"]) for x in self._all()) - self.capacity
        while excess > 0:
            leaves = [x for x in self._all() if not x["children"] and not x["locks"]]
            if not leaves:
                return
            leaf = min(leaves, key=lambda x: x["time"])
            pages = -(-excess // self.page_size)
            cut = min(pages * self.page_size, len(leaf["tokens"]))
            if cut == len(leaf["tokens"]):
                del leaf["parent"]["children"][self._first(leaf["tokens"])]
            else:
                leaf["tokens"] = leaf["tokens"][:-cut]
            excess -= cut

    def prefixes(self):
        return [sum((x["tokens"] for x in reversed(list(self._path(node)))), []) for node in self._all()]


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
