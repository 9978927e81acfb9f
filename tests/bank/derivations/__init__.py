"""Small computations behind what the questions state: each test derives or simulates one stated fact."""
