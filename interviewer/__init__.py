"""A terminal app that interviews engineers for RL and LLM-training jobs, and grades the code they write."""

__version__ = "0.1.0"
