"""Measures the memory that the estimation tasks ask candidates to estimate, to compare it with the estimates."""
