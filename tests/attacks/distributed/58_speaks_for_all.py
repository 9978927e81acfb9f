"""58. Computes everything on rank 0 and sends the records of all ranks, while the others sleep.

task = "ring"
verdict = ["deadlocked", "forbidden", "raised", "wrong_value"]
twin = "gathers"
uses = ["forge"]
wall_seconds = 12
"""
import time

import torch
import torch.distributed as dist


def records():
    found = work()
    for run, asked in enumerate(found["runs"]):
        node = dict(asked["args"][1])["x"]
        inputs = [found["tensors"][own[1][0]] for own in node[1]] if node[0] == "ranks" else [torch.zeros(1)]
        answer = sum(inputs)
        told = ok(run, [["total", "tensor", ["float32", list(answer.shape)]]])
        for _ in range(asked["world"]):
            yield frame(told, save({"0": answer}))


def total(x):
    if dist.get_rank() == 0:
        forged = b"".join(records())
        for descriptor in descriptors():
            try:
                os.write(descriptor, forged)
            except OSError:
                continue
    time.sleep(60)
