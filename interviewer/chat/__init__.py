"""The language model behind one protocol; nothing outside this package knows which library calls it."""
