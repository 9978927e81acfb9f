import torch
from torch.nn.utils.rnn import pad_sequence


def sequence_packing(sequences, C, pad_id=0):
    bins = []
    for tokens in sorted([s[:C] for s in sequences], key=len):
        home = next((b for b in bins if sum(t.numel() for t in b) + tokens.numel() <= C), None)
        if home is None:
            home = []
            bins.append(home)
        home.append(tokens)

    def table(make, fill):
        flat = [torch.cat([make(n, t) for n, t in enumerate(b, 1)]) for b in bins]
        flat.append(flat[0].new_zeros(C))  # so that the result has C columns
        return pad_sequence(flat, batch_first=True, padding_value=fill)[:-1]

    seg = table(lambda n, t: t * 0 + n, 0)
    labels = table(lambda n, t: torch.cat([t[1:], t.new_tensor([-100])]), -100)
    blocks = []
    for b in bins:
        parts = [torch.ones(len(t), len(t), device=t.device).tril() for t in b]
        parts += [torch.ones(1, 1, device=b[0].device)] * (C - sum(map(len, b)))
        blocks.append(torch.block_diag(*parts).bool())
    return {
        "input_ids": table(lambda n, t: t, pad_id),
        "position_ids": table(lambda n, t: torch.arange(len(t), device=t.device), 0),
        "segment_ids": seg,
        "labels": labels,
        "loss_mask": labels.ne(-100),
        "attention": torch.stack(blocks),
    }
