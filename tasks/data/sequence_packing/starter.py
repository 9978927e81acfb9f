def sequence_packing(sequences, C, pad_id=0):
    """Return input_ids, position_ids, segment_ids, labels, loss_mask, all [R, C], and attention [R, C, C], as a dict.

    sequences: a list of 1-d int64 tensors.
    """
    raise NotImplementedError
