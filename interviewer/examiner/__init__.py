"""How an answer is judged: offline by matching phrasings, or by a language model whose quotes are checked."""
