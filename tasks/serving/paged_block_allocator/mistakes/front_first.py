from collections import Counter, OrderedDict
from itertools import islice
from types import SimpleNamespace


def paged_block_allocator(num_blocks, block_size):
    idle = OrderedDict((b, None) for b in range(num_blocks))
    refs = Counter()
    by_hash, hash_of = {}, {}
    seqs = {}

    def digest(parent, chunk):
        return (parent, tuple(chunk))

    def chain(tokens):
        parent = None
        for start in range(0, len(tokens) - block_size + 1, block_size):
            parent = digest(parent, tokens[start : start + block_size])
            yield parent

    def pop_block():
        block, _ = idle.popitem(last=False)
        if block in hash_of:
            del by_hash[hash_of.pop(block)]
        refs[block] = 1
        return block

    def register(block, h):
        if h not in by_hash:
            by_hash[h] = block
            hash_of[block] = h

    def allocate(seq, tokens):
        hits = []
        for h in islice(chain(tokens), (len(tokens) - 1) // block_size):
            if h not in by_hash:
                break
            hits.append(by_hash[h])
        total = (len(tokens) - 1) // block_size + 1
        if total - len(hits) > len(idle.keys() - set(hits)):
            return -1
        for b in hits:
            idle.pop(b, None)
        refs.update(hits)
        table = hits + [pop_block() for _ in range(total - len(hits))]
        for b, h in list(zip(table, chain(tokens)))[len(hits) :]:
            register(b, h)
        seqs[seq] = SimpleNamespace(table=table, tokens=[*tokens])
        return block_size * len(hits)

    def append(seq, token):
        s = seqs[seq]
        full = len(s.tokens) == len(s.table) * block_size
        if full or refs[s.table[-1]] > 1:
            if not idle:
                return False
            if not full:
                refs[s.table.pop()] -= 1
            s.table.append(pop_block())
        s.tokens.append(token)
        if len(s.tokens) == len(s.table) * block_size:
            *_, h = chain(s.tokens)
            register(s.table[-1], h)
        return True

    def fork(seq, new_seq):
        s = seqs[seq]
        refs.update(s.table)
        seqs[new_seq] = SimpleNamespace(table=[*s.table], tokens=[*s.tokens])

    def free(seq):
        for b in seqs.pop(seq).table:
            refs[b] -= 1
            if refs[b] == 0:
                idle[b] = None

    return SimpleNamespace(
        allocate=allocate,
        append=append,
        fork=fork,
        free=free,
        blocks=lambda seq: [*seqs[seq].table],
        free_count=lambda: len(idle),
    )
