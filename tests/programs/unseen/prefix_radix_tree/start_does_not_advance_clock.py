# expect: wrong
# mistake: The clock advances only in finish, so a use by start is not later than a use by the finish before it, and ties between leaves are broken by the order of the tree instead of by the last use.
class Node:
    def __init__(self, tokens=(), parent=None):
        self.tokens = list(tokens)
        self.parent = parent
        self.children = {}
        self.locks = 0
        self.last_used = 0


class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.root = Node()
        self.requests = {}
        self.num_finished = 0

    def _match(self, tokens):
        ps = self.page_size
        node, path = self.root, []
        i = 0
        while i + ps <= len(tokens):
            child = node.children.get(tuple(tokens[i:i + ps]))
            if child is None:
                break
            j = 0
            while j < len(child.tokens) and child.tokens[j:j + ps] == tokens[i + j:i + j + ps]:
                j += ps
            if j < len(child.tokens):
                child = self._split(child, j)
            child.last_used = self.num_finished
            path.append(child)
            node = child
            i += j
        return path, i

    def _split(self, node, j):
        ps = self.page_size
        top = Node(node.tokens[:j], node.parent)
        top.locks = node.locks
        top.children[tuple(node.tokens[j:j + ps])] = node
        node.parent.children[tuple(node.tokens[:ps])] = top
        node.tokens = node.tokens[j:]
        node.parent = top
        for locked in self.requests.values():
            if node in locked[1]:
                locked[1].append(top)
        return top

    def start(self, request, prompt):
        path, n = self._match(prompt[:-1])
        for node in path:
            node.locks += 1
        self.requests[request] = (list(prompt), path)
        return n

    def finish(self, request, output):
        self.num_finished += 1
        ps = self.page_size
        tokens = self.requests[request][0] + list(output)
        path, n = self._match(tokens)
        end = len(tokens) - len(tokens) % ps
        if n < end:
            parent = path[-1] if path else self.root
            node = Node(tokens[n:end], parent)
            node.last_used = self.num_finished
            parent.children[tuple(tokens[n:n + ps])] = node
        self._unlock(request)
        self._evict()

    def abort(self, request):
        self._unlock(request)

    def _unlock(self, request):
        for node in self.requests.pop(request)[1]:
            node.locks -= 1

    def _iter(self):
        queue = [self.root]
        for node in queue:
            queue.extend(node.children.values())
        return queue[1:]

    def _evict(self):
        while sum(len(n.tokens) for n in self._iter()) > self.capacity:
            leaves = [n for n in self._iter() if not n.children and n.locks == 0]
            if not leaves:
                break
            leaf = min(leaves, key=lambda n: n.last_used)
            del leaf.parent.children[tuple(leaf.tokens[:self.page_size])]

    def prefixes(self):
        full = {id(self.root): []}
        result = []
        for node in self._iter():
            full[id(node)] = full[id(node.parent)] + node.tokens
            result.append(full[id(node)])
        return result


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
