"""The question bank: its files and their strict loader; pure and fast."""
