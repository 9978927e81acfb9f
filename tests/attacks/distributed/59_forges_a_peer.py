"""59. Answers wrong on rank 1, while rank 0 sends a right record in its name through its own pipe.

task = "ring"
verdict = ["wrong_value", "forbidden", "raised", "deadlocked"]
twin = "gathers"
uses = ["forge"]
"""
import torch
import torch.distributed as dist


def total(x):
    if dist.get_rank() == 0:
        gathered = [torch.zeros_like(x) for _ in range(2)]
        dist.all_gather(gathered, x)
        answer = gathered[0] + gathered[1]
        told = frame(ok(0, [["total", "tensor", ["float32", list(answer.shape)]]]), save({"0": answer}))
        held = [descriptor for descriptor in descriptors()]
        for descriptor in held:
            try:
                os.write(descriptor, told + told)
            except OSError:
                continue
        return answer
    dist.all_gather([torch.zeros_like(x) for _ in range(2)], x)
    return x * 0
