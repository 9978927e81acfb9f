"""Small computations that support what the questions state: each test derives or simulates one stated fact."""
