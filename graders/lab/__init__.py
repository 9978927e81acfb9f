"""Measures the memory that the estimation tasks ask for, to compare it with the estimates."""
