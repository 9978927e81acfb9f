"""51. Takes the function from a library, where one has it.

task = "ppo_clip_loss"
verdict = ["not_loaded"]
twin = "uses_the_library"
"""
from torchrl.objectives import ClipPPOLoss as ppo_clip_loss
