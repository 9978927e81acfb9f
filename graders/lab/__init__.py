"""Measures the memory that the estimate tasks ask for, next to the reference's and a submission's estimates."""
