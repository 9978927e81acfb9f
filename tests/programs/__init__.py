"""Programs that a candidate could submit, used to measure what the grader says about them."""
