"""59. Writes right records for both ranks through the descriptors of its parent and of process 1.

task = "ring"
verdict = ["wrong_value", "forbidden", "raised"]
twin = "gathers"
uses = ["forge"]
"""
import torch
import torch.distributed as dist


def total(x):
    gathered = [torch.zeros_like(x) for _ in range(2)]
    dist.all_gather(gathered, x)
    answer = gathered[0] + gathered[1]
    told = frame(ok(0, [["total", "tensor", ["float32", list(answer.shape)]]]), save({"0": answer}))
    if dist.get_rank() == 0:
        for path in (f"/proc/{os.getppid()}/fd/{number}" for number in (100, 101, 1)):
            try:
                os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), told + told)
            except OSError:
                continue
    return x * 0
