# expect: wrong
# mistake: The node that finish has just added is never evicted in the same finish, so the tree keeps more than capacity tokens if only this leaf is left to evict.
class Node:
    __slots__ = ("tokens", "parent", "kids", "ref", "stamp")

    def __init__(self, tokens, parent, stamp):
        self.tokens, self.parent, self.kids, self.ref, self.stamp = tokens, parent, {}, 0, stamp

    def depth_first(self):
        for kid in list(self.kids.values()):
            yield kid
            yield from kid.depth_first()


class Tree:
    def __init__(self, page_size, capacity):
        self.ps, self.cap = page_size, capacity
        self.root = Node((), None, 0)
        self.clock = 0
        self.running = {}

    def _descend(self, tokens):
        """Match whole pages, split at the end if needed, and return (last node, matched tokens)."""
        self.clock += 1
        usable = len(tokens) // self.ps * self.ps
        tokens = tuple(tokens[:usable])
        node, at = self.root, 0
        while at < usable:
            kid = node.kids.get(tokens[at:at + self.ps])
            if kid is None:
                break
            same = 0
            for j in range(0, min(len(kid.tokens), usable - at), self.ps):
                if kid.tokens[j:j + self.ps] != tokens[at + j:at + j + self.ps]:
                    break
                same = j + self.ps
            at += same
            if same < len(kid.tokens):
                head = Node(kid.tokens[:same], node, self.clock)
                head.ref = kid.ref
                kid.tokens = kid.tokens[same:]
                kid.parent = head
                head.kids[kid.tokens[:self.ps]] = kid
                node.kids[head.tokens[:self.ps]] = head
                return head, at
            kid.stamp = self.clock
            node = kid
        return node, at

    def _release(self, request):
        prompt, node = self.running.pop(request)
        while node is not self.root:
            node.ref -= 1
            node = node.parent

    def _shrink(self, keep):
        size = sum(len(n.tokens) for n in self.root.depth_first())
        while size > self.cap:
            candidates = [n for n in self.root.depth_first() if not n.kids and n.ref == 0 and n is not keep]
            if not candidates:
                break
            oldest = min(candidates, key=lambda n: n.stamp)
            del oldest.parent.kids[oldest.tokens[:self.ps]]
            size -= len(oldest.tokens)

    def start(self, request, prompt):
        node, matched = self._descend(prompt[:-1])
        self.running[request] = (tuple(prompt), node)
        while node is not self.root:
            node.ref += 1
            node = node.parent
        return matched

    def finish(self, request, output):
        tokens = self.running[request][0] + tuple(output)
        node, matched = self._descend(tokens)
        fresh = tokens[matched:len(tokens) // self.ps * self.ps]
        added = None
        if fresh:
            added = node.kids[fresh[:self.ps]] = Node(fresh, node, self.clock)
        self._release(request)
        self._shrink(keep=added)

    def abort(self, request):
        self._release(request)

    def prefixes(self):
        def collect(node, before):
            for kid in node.kids.values():
                full = before + kid.tokens
                yield list(full)
                yield from collect(kid, full)
        return list(collect(self.root, ()))


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
