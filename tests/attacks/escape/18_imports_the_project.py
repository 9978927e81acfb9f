"""18. Imports the grader and the tasks, and answers with the reference.

task = "ppo_clip_loss"
verdict = ["not_loaded"]
twin = "looks_at_its_folder"
needs = ["files"]
"""
import sys

del sys.modules["graders"]
import tasks.load  # noqa: E402

print("REACHED the tasks")
answer = {}
exec(tasks.load.find_task("ppo_clip_loss").reference, answer)


def ppo_clip_loss(logp, old_logp, adv, mask, eps_low=0.2, eps_high=0.2, dual_c=None, reduction="token"):
    return answer["ppo_clip_loss"](logp, old_logp, adv, mask, eps_low, eps_high, dual_c, reduction)
