from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    tokens: list
    parent: "Node | None" = None
    children: dict = field(default_factory=dict)
    references: int = 0
    last_use: int = 0


class RadixCache:
    """A running request holds a pointer to its last node, and releases by walking up from it."""

    def __init__(self, page, capacity):
        self.page, self.capacity, self.total, self.step = page, capacity, 0, 0
        self.root = Node([])
        self.requests = {}

    def lookup(self, tokens):
        node, found = self.root, 0
        while True:
            child = node.children.get(tuple(tokens[found : found + self.page]))
            if child is None:
                break
            n = self.page
            while n < len(child.tokens) and child.tokens[n : n + self.page] == tokens[found + n : found + n + self.page]:
                n += self.page
            if n < len(child.tokens):
                head = Node(child.tokens[:n], node, {}, child.references)
                node.children[tuple(head.tokens[: self.page])] = head
                child.tokens, child.parent = child.tokens[n:], head
                head.children[tuple(child.tokens[: self.page])] = child
                child = head
            node = child
            found += n
        above = node
        while above is not self.root:
            above.last_use = self.step
            above = above.parent
        return node, found

    def start(self, request, prompt):
        self.step += 1
        node, found = self.lookup(list(prompt)[:-1])
        self.requests[request] = (list(prompt), node)
        while node is not self.root:
            node.references += 1
            node = node.parent
        return found

    def release(self, request):
        _, node = self.requests.pop(request)
        while node is not self.root:
            node.references -= 1
            node = node.parent

    def abort(self, request):
        self.release(request)

    def finish(self, request, output):
        self.step += 1
        tokens = self.requests[request][0] + list(output)
        node, found = self.lookup(tokens)
        rest = tokens[found:]
        rest = rest[: len(rest) // self.page * self.page]
        if rest:
            node.children[tuple(rest[: self.page])] = Node(rest, node, last_use=self.step)
            self.total += len(rest)
        self.release(request)
        while self.total > self.capacity:
            stack, oldest = [self.root], None
            while stack:
                here = stack.pop()
                stack.extend(here.children.values())
                if here is self.root or here.children or here.references:
                    continue
                if oldest is None or here.last_use < oldest.last_use:
                    oldest = here
            oldest.parent.children.pop(tuple(oldest.tokens[: self.page]))
            self.total -= len(oldest.tokens)

    def prefixes(self):
        result, stack = [], [(self.root, [])]
        while stack:
            node, tokens = stack.pop()
            for child in node.children.values():
                result.append(tokens + child.tokens)
                stack.append((child, result[-1]))
        return result


def prefix_radix_tree(page_size, capacity):
    return RadixCache(page_size, capacity)
