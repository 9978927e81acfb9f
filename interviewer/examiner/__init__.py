"""How an answer is judged: offline by listening for phrasings, or by a language model whose quotes are checked."""
