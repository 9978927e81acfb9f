"""Keep scripts that were installed before the move to `interviewer.cli.main` working."""

from interviewer.cli.main import main

__all__ = ["main"]
