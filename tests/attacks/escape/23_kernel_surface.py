"""23. Calls the parts of the kernel that have opened sandboxes before: io_uring, vsock, bpf, keyrings, namespaces.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "runs_a_program"
needs = ["kernel"]
"""
import ctypes
import os
import platform
import socket
from contextlib import suppress

# The same calls have other numbers on other processors.
CALLS = {
    "x86_64": {"io_uring_setup": (425, 8), "bpf": (321, 0), "userfaultfd": (323, 0), "keyctl": (250, 0),
               "add_key": (248, 0), "perf_event_open": (298, 0), "unshare": (272, 0x10000000), "mount": (165, 0),
               "ptrace": (101, 0), "kexec_load": (246, 0), "init_module": (175, 0), "open_by_handle_at": (304, 0),
               "process_vm_readv": (310, 0), "pidfd_getfd": (438, 0)},
    "aarch64": {"io_uring_setup": (425, 8), "bpf": (280, 0), "userfaultfd": (282, 0), "keyctl": (219, 0),
                "add_key": (217, 0), "perf_event_open": (241, 0), "unshare": (97, 0x10000000), "mount": (40, 0),
                "ptrace": (117, 0), "kexec_load": (104, 0), "init_module": (105, 0), "open_by_handle_at": (265, 0),
                "process_vm_readv": (270, 0), "pidfd_getfd": (438, 0)},
}
REFUSED = (1, 38, 97, 13)  # EPERM, ENOSYS, EAFNOSUPPORT, EACCES; anything else came from behind the filter
was_here = []


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    if was_here:
        raise PermissionError("all closed")
    was_here.append(True)
    libc = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(4096)
    for name, (number, first) in CALLS[platform.machine()].items():
        if os.getpid() > 1000:
            break
        child = os.fork()
        if child == 0:
            answer = libc.syscall(number, first, room, 0, 0, 0, 0)
            if answer >= 0 or ctypes.get_errno() not in REFUSED:
                os.write(2, f"REACHED {name}: {answer}, errno {ctypes.get_errno()}\n".encode())
            os._exit(0)
        os.waitpid(child, 0)
    for family in (40, 38, 17, 16, 31, 29):  # vsock, alg, packet, netlink, bluetooth, can
        with suppress(OSError), socket.socket(family, socket.SOCK_RAW if family in (16, 17) else socket.SOCK_STREAM):
            print("REACHED a socket of family", family)
    raise PermissionError("all closed")
