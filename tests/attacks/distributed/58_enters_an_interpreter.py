"""58. Sends a peer's answer and orders for new ranks through all descriptors of the interpreters that forked the ranks.

task = "seeded_ring"
verdict = ["deadlocked", "forbidden", "raised", "wrong_value"]
twin = "gathers_with_own_seed"
uses = ["forge"]
needs = ["rights"]
"""
import torch
import torch.distributed as dist


def records():
    found = work()
    for run, asked in enumerate(found["runs"]):
        node = dict(asked["args"][1])["x"]
        answer = sum(found["tensors"][own[1][0]] for own in node[1])
        yield frame(ok(run, [["total", "tensor", ["float32", list(answer.shape)]]]), save({"0": answer}))


def total(x):
    if dist.get_rank() == 0:
        forged = [json.dumps({"wait": os.getpid()}).encode(), *records()]
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for fd in range(3, 120):
                for data in forged if int(pid) != os.getpid() else ():
                    try:
                        os.write(os.open(f"/proc/{pid}/fd/{fd}", os.O_WRONLY | os.O_NONBLOCK), data)
                    except OSError:
                        break
                    print("REACHED", pid, fd)
    return x
