# expect: right
class _Node:
    def __init__(self, tokens, parent):
        self.tokens = tokens
        self.parent = parent
        self.children = {}
        self.locks = 0
        self.last_use = 0


class Tree:
    def __init__(self, page_size, capacity):
        self.p = page_size
        self.capacity = capacity
        self.root = _Node([], None)
        self.clock = 0
        self.size = 0
        self.requests = {}

    def _key(self, tokens):
        return tuple(tokens[:self.p])

    def _split(self, node, k):
        upper = _Node(node.tokens[:k], node.parent)
        upper.locks = node.locks
        upper.last_use = node.last_use
        node.parent.children[self._key(upper.tokens)] = upper
        node.tokens = node.tokens[k:]
        node.parent = upper
        upper.children[self._key(node.tokens)] = node
        return upper

    def _match(self, tokens):
        self.clock += 1
        node, pos = self.root, 0
        while len(tokens) - pos >= self.p:
            child = node.children.get(tuple(tokens[pos:pos + self.p]))
            if child is None:
                break
            k = self.p
            while k < len(child.tokens) and child.tokens[k:k + self.p] == tokens[pos + k:pos + k + self.p]:
                k += self.p
            if k < len(child.tokens):
                child = self._split(child, k)
                child.last_use = self.clock
                return child, pos + k
            child.last_use = self.clock
            node, pos = child, pos + k
        return node, pos

    def _lock(self, node, delta):
        while node is not self.root:
            node.locks += delta
            node = node.parent

    def start(self, request, prompt):
        prompt = list(prompt)
        node, matched = self._match(prompt[:-1])
        self._lock(node, 1)
        self.requests[request] = (prompt, node)
        return matched

    def finish(self, request, output):
        prompt, locked = self.requests.pop(request)
        tokens = prompt + list(output)
        node, pos = self._match(tokens)
        end = len(tokens) // self.p * self.p
        if end > pos:
            new = _Node(tokens[pos:end], node)
            new.last_use = self.clock
            node.children[self._key(new.tokens)] = new
            self.size += end - pos
        self._lock(locked, -1)
        self._evict()

    def abort(self, request):
        _, locked = self.requests.pop(request)
        self._lock(locked, -1)

    def _nodes(self):
        stack = list(self.root.children.values())
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.children.values())

    def _evict(self):
        while self.size > self.capacity:
            free = [n for n in self._nodes() if not n.children and n.locks == 0]
            if not free:
                return
            victim = min(free, key=lambda n: n.last_use)
            del victim.parent.children[self._key(victim.tokens)]
            self.size -= len(victim.tokens)

    def prefixes(self):
        out = []

        def walk(node, prefix):
            for child in node.children.values():
                full = prefix + child.tokens
                out.append(full)
                walk(child, full)

        walk(self.root, [])
        return out


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
