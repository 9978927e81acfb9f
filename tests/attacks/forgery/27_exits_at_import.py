"""27. Ends the process while it is imported.

task = "ppo_clip_loss"
verdict = ["raised"]
twin = "exit_hooks"
"""
import os

os._exit(0)
