"""18. Looks for the task, its reference and its cases on every disk it sees, and answers with them.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "looks_at_its_folder"
needs = ["files"]
"""
import os

NAMES = {"reference.py", "cases.py", "task.toml", "statement.md"}
answer = None
for root, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(root, name) not in ("/proc", "/sys", "/dev")]
    folders[:] = [name for name in folders if name not in ("torch", "sympy", "numpy")]
    for name in NAMES.intersection(files):
        print("REACHED", os.path.join(root, name))
        if name == "reference.py" and "ppo" in root:
            answer = {}
            exec(open(os.path.join(root, name)).read(), answer)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return answer["ppo_clip_loss"](logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
