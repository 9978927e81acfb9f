"""11. Compiles brackets a hundred thousand deep while it is imported.

task = "ppo_clip_loss"
verdict = ["not_loaded", "raised"]
twin = "long_source"
"""
deep = compile("(" * 100_000 + ")" * 100_000, "deep.py", "eval")
