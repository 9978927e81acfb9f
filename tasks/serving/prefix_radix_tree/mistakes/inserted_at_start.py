class Node:
    def __init__(self, tokens, parent):
        self.tokens = tokens
        self.parent = parent
        self.children = {}
        self.locks = []
        self.last_use = 0


class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.root = Node([], None)
        self.prompts = {}
        self.time = 0

    def start(self, request, prompt):
        self.time += 1
        self.prompts[request] = list(prompt)
        path = self.match(prompt[: len(prompt) - 1])
        for node in path:
            node.locks.append(request)
        for node in path:
            node.last_use = self.time
        hits = self.length(path)
        parent = path[-1] if path else self.root
        rest = prompt[hits : len(prompt) // self.page_size * self.page_size]
        if rest and self.key(rest) not in parent.children:
            leaf = Node(rest, parent)
            leaf.last_use = self.time
            leaf.locks.append(request)
            parent.children[self.key(rest)] = leaf
        return hits

    def finish(self, request, output):
        self.time += 1
        tokens = self.prompts[request] + list(output)
        path = self.match(tokens)
        for node in path:
            node.last_use = self.time
        parent = path[-1] if path else self.root
        end = len(tokens) // self.page_size * self.page_size
        rest = tokens[self.length(path) : end]
        if rest:
            leaf = Node(rest, parent)
            leaf.last_use = self.time
            parent.children[self.key(rest)] = leaf
        self.release(request)
        self.evict()

    def abort(self, request):
        self.release(request)

    def prefixes(self):
        result = []
        for node in self.nodes():
            tokens = []
            while node is not self.root:
                tokens = node.tokens + tokens
                node = node.parent
            result.append(tokens)
        return result

    def key(self, tokens):
        return tuple(tokens[: self.page_size])

    def length(self, path):
        return sum(len(node.tokens) for node in path)

    def match(self, tokens):
        path = []
        node = self.root
        i = 0
        while i + self.page_size <= len(tokens):
            child = node.children.get(self.key(tokens[i:]))
            if child is None:
                break
            n = self.common(child.tokens, tokens[i:])
            if n < len(child.tokens):
                path.append(self.split(child, n))
                break
            path.append(child)
            node = child
            i += n
        return path

    def common(self, a, b):
        n = 0
        while n + self.page_size <= min(len(a), len(b)) and a[n : n + self.page_size] == b[n : n + self.page_size]:
            n += self.page_size
        return n

    def split(self, node, n):
        upper = Node(node.tokens[:n], node.parent)
        upper.locks = list(node.locks)
        upper.last_use = node.last_use
        upper.parent.children[self.key(upper.tokens)] = upper
        node.tokens = node.tokens[n:]
        node.parent = upper
        upper.children[self.key(node.tokens)] = node
        return upper

    def nodes(self):
        result = []
        todo = [self.root]
        while todo:
            node = todo.pop(0)
            for child in node.children.values():
                result.append(child)
                todo.append(child)
        return result

    def release(self, request):
        for node in self.nodes():
            if request in node.locks:
                node.locks.remove(request)

    def size(self):
        return self.length(self.nodes())

    def leaves(self):
        return [node for node in self.nodes() if not node.children and not node.locks]

    def remove(self, node):
        del node.parent.children[self.key(node.tokens)]

    def evict(self):
        while self.size() > self.capacity:
            leaves = self.leaves()
            if not leaves:
                return
            self.remove(min(leaves, key=lambda node: node.last_use))


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
