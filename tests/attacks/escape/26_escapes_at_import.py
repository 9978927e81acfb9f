"""26. Fails to load with terminal escapes in the reason.

task = "ppo_clip_loss"
verdict = ["not_loaded"]
twin = "prints_colours"
"""
raise ImportError("\x1b[2J\x1b]52;c;cm0gLXJmIH4=\x07\u202e\x9b5m")
