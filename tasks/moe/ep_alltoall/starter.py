def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    """Return (dispatch_bytes [R] int64, combine_bytes [R] int64, seconds, imbalance).

    experts: [R, T, K] int64.
    """
    raise NotImplementedError
