"""54. Never ends being imported.

task = "ppo_clip_loss"
verdict = ["timed_out"]
twin = "prepares_at_import"
wall_seconds = 3
"""
while True:
    pass
