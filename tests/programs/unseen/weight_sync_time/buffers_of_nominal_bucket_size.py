# expect: wrong
# mistake: buffer_bytes is twice the nominal bucket size instead of twice the largest bucket, which may be smaller, or larger because of one big tensor.
class Bucket:
    def __init__(self):
        self.bytes = {"replicated": 0, "dense": 0, "expert": 0}

    @property
    def size(self):
        return sum(self.bytes.values())

    def add(self, size, kind):
        self.bytes[kind] += size


def weight_sync_time(tensors, tp, ep, bucket, bw_gather, quant_rate, bw_broadcast, n_engines):
    buckets = []
    for size, kind in tensors:
        if not buckets or buckets[-1].size + size > bucket:
            buckets.append(Bucket())
        buckets[-1].add(size, kind)

    def fill_time(b):
        t = b.bytes["dense"] * (1 - 1 / tp) / bw_gather + b.bytes["expert"] * (1 - 1 / ep) / bw_gather
        if quant_rate is not None:
            t += (b.bytes["dense"] + b.bytes["expert"]) / quant_rate
        return t

    def send_time(b):
        quantizable = b.bytes["dense"] + b.bytes["expert"]
        if quant_rate is not None:
            return (b.bytes["replicated"] + quantizable / 2) / bw_broadcast
        return (b.bytes["replicated"] + quantizable) / bw_broadcast

    sequential = sum(fill_time(b) + send_time(b) for b in buckets)

    fill_end, send_end = [], []
    for i, b in enumerate(buckets):
        begin = 0.0
        if i > 0:
            begin = fill_end[-1]
        if i > 1:
            begin = max(begin, send_end[i - 2])
        fill_end.append(begin + fill_time(b))
        send_end.append(max([fill_end[-1]] + send_end[-1:]) + send_time(b))

    return sequential, send_end[-1], 2 * bucket
