"""Programs that a candidate could submit, for measuring what is said of them."""
