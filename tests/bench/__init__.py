"""Measures what a verdict costs beside the same work without a sandbox and in a cold container."""
