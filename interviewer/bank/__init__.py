"""The question bank: its files and their strict loader."""
