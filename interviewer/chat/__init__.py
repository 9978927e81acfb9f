"""The language model behind one protocol; nothing outside this room knows which library speaks to it."""
