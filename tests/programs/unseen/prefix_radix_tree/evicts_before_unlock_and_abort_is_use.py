# expect: wrong
# mistake: Two mistakes: finish evicts before it releases the request's locks, and abort counts as a use of the nodes that it releases.
class Tree:
    def __init__(self, page_size, capacity):
        self.page_size = page_size
        self.capacity = capacity
        self.nodes = {0: dict(parent=None, tokens=[], children={}, locks=0, use=0)}
        self.next_id = 1
        self.step = 0
        self.requests = {}

    def _add(self, parent, tokens, use=0, locks=0):
        nid = self.next_id
        self.next_id += 1
        self.nodes[nid] = dict(parent=parent, tokens=tokens, children={}, locks=locks, use=use)
        self.nodes[parent]["children"][tuple(tokens[:self.page_size])] = nid
        return nid

    def _split(self, nid, k):
        node = self.nodes[nid]
        top = self._add(node["parent"], node["tokens"][:k], locks=node["locks"])
        node["tokens"] = node["tokens"][k:]
        node["parent"] = top
        self.nodes[top]["children"][tuple(node["tokens"][:self.page_size])] = nid
        return top

    def _match(self, tokens):
        self.step += 1
        cur, pos, ps = 0, 0, self.page_size
        while len(tokens) - pos >= ps:
            nid = self.nodes[cur]["children"].get(tuple(tokens[pos:pos + ps]))
            if nid is None:
                break
            have = self.nodes[nid]["tokens"]
            k = ps
            while k < len(have) and have[k:k + ps] == tokens[pos + k:pos + k + ps]:
                k += ps
            if k < len(have):
                nid = self._split(nid, k)
            self.nodes[nid]["use"] = self.step
            cur, pos = nid, pos + k
        return cur, pos

    def _chain(self, nid):
        while nid != 0:
            yield self.nodes[nid]
            nid = self.nodes[nid]["parent"]

    def start(self, request, prompt):
        nid, n = self._match(list(prompt)[:-1])
        for node in self._chain(nid):
            node["locks"] += 1
        self.requests[request] = (list(prompt), nid)
        return n

    def finish(self, request, output):
        prompt, locked = self.requests.pop(request)
        tokens = prompt + list(output)
        nid, n = self._match(tokens)
        whole = len(tokens) // self.page_size * self.page_size
        if whole > n:
            self._add(nid, tokens[n:whole], use=self.step)
        self._evict()
        for node in self._chain(locked):
            node["locks"] -= 1

    def abort(self, request):
        _, locked = self.requests.pop(request)
        self.step += 1
        for node in self._chain(locked):
            node["locks"] -= 1
            node["use"] = self.step

    def _evict(self):
        while sum(len(node["tokens"]) for node in self.nodes.values()) > self.capacity:
            leaves = [nid for nid, node in self.nodes.items() if nid and not node["children"] and not node["locks"]]
            if not leaves:
                return
            nid = min(leaves, key=lambda x: self.nodes[x]["use"])
            node = self.nodes.pop(nid)
            del self.nodes[node["parent"]]["children"][tuple(node["tokens"][:self.page_size])]

    def prefixes(self):
        out = []
        for nid in self.nodes:
            if nid:
                parts = [node["tokens"] for node in self._chain(nid)]
                out.append([t for part in reversed(parts) for t in part])
        return out


def prefix_radix_tree(page_size, capacity):
    return Tree(page_size, capacity)
