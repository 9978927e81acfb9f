class Step:
    def __init__(self, model, hardware, ctx):
        self.model, self.hardware, self.ctx = model, hardware, ctx

    def bytes_read(self, sequences):
        model = self.model
        total = model["weight_bytes"] + sequences * self.ctx * model["kv_per_tok"]
        if model["experts"]:
            probability_unused = ((model["experts"] - model["top_k"]) / model["experts"]) ** sequences
            total += model["expert_bytes"] * model["experts"] * (1.0 - probability_unused)
        return total

    def seconds(self, sequences):
        """Return (memory, compute) of one GPU."""
        share = 1 / self.hardware["tp"]
        flops = 2.0 * self.model["active_params"] * sequences
        memory = self.bytes_read(sequences) * share / self.hardware["bw"]
        return memory, flops * share / self.hardware["flops"]

    def is_compute_bound(self, sequences):
        memory, compute = self.seconds(sequences)
        return compute > memory


def decode_roofline(model, hardware, batch, ctx):
    step = Step(model, hardware, ctx)
    seconds = max(step.seconds(batch))
    if hardware["tp"] != 1:
        for _layer in range(model["layers"]):
            seconds += hardware["alpha"]  # after attention
            seconds += hardware["alpha"]  # after the MLP
    low, high = 0, 1
    while not step.is_compute_bound(high):
        low, high = high, 2 * high
        if high > 2**60:
            high = -1
            break
    while high - low > 1:
        middle = (low + high) // 2
        if step.is_compute_bound(middle):
            high = middle
        else:
            low = middle
    return {
        "ms": 1000 * seconds,
        "tok_s": batch / seconds,
        "compute_bound": step.is_compute_bound(batch),
        "ridge_batch": high,
    }
