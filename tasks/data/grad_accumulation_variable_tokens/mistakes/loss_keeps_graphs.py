def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = 0
    rows = 0
    for batch in microbatches:
        for row in batch["loss_mask"]:
            count = int(row.sum())
            tokens += count
            rows += count > 0
    loss = 0.0
    for batch in microbatches:
        if not batch["loss_mask"].any():
            continue
        per_token = model(batch["inputs"])
        part = 0.0
        for losses, mask in zip(per_token, batch["loss_mask"]):
            count = int(mask.sum())
            if count == 0:
                continue
            row_sum = losses[mask].sum()
            if mode == "token-mean":
                part = part + row_sum / tokens
            elif mode == "seq-mean-token-mean":
                part = part + row_sum / count / rows
            else:
                part = part + row_sum / L_norm / rows
        part.backward()
        loss = loss + part
    square = 0.0
    for p in model.parameters():
        square = square + (p.grad**2).sum()
    norm = square**0.5
    if max_norm is not None:
        factor = min(1.0, max_norm / float(norm))
        for p in model.parameters():
            p.grad *= factor
    return loss, norm
