def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    """Return a dict with this rank's input_ids, position_ids, logit_index, targets and response_index.

    sequences: list of 1-D int64 tensors; response_lengths: list of ints. The five results are 1-D int64 tensors.
    """
    raise NotImplementedError
