"""The trusted side: references, comparison and diagnosis; runs no candidate code in its own process."""
