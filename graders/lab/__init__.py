"""Measures the memory that candidates estimate in the estimation tasks, for comparison with their estimates."""
