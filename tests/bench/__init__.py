"""Measures the cost of a verdict, compared with the same work without a sandbox and in a cold container."""
