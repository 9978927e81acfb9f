"""The trusted part of grading: references, comparison and diagnosis; runs no candidate code in its own process."""
