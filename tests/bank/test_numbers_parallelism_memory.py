"""What the answers on parallelism say about schedules and BF16 is confirmed by running code."""

from __future__ import annotations

import pytest
import torch

from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.session.question import Question

pytestmark = pytest.mark.content

RANKS = 8


def question(name: str) -> Question:
    return next(question for question in read_questions(QUESTIONS)[0] if question.id == name)


def work(chunks: list[int]) -> int:
    """Return the causal attention work of these chunks, counted in pairs of chunks that attend to each other."""
    return sum(chunk + 1 for chunk in chunks)


def test_the_zigzag_of_the_answer_gives_every_rank_the_same_work_and_leaves_no_chunk_over() -> None:
    assert "2·cp chunks and give rank r chunks r and 2cp − 1 − r" in question("long_context_overlap").rungs[1].answer
    zigzag = [[rank, 2 * RANKS - 1 - rank] for rank in range(RANKS)]
    assert sorted(chunk for chunks in zigzag for chunk in chunks) == list(range(2 * RANKS))
    assert len({work(chunks) for chunks in zigzag}) == 1


def test_cut_contiguously_the_first_rank_has_nearly_nothing_to_do_and_the_last_most() -> None:
    contiguous = [work([2 * rank, 2 * rank + 1]) for rank in range(RANKS)]
    assert contiguous[0] < 0.1 * contiguous[-1]
    assert max(contiguous) == contiguous[-1]


def test_a_pipeline_takes_and_idles_as_long_as_the_answer_says() -> None:
    answer = question("kinds_of_parallelism").rungs[2].answer
    assert "= 11, so 3/11" in answer
    stages, microbatches = 4, 8
    done: dict[tuple[int, int], int] = {}
    for microbatch in range(microbatches):
        for stage in range(stages):
            done[stage, microbatch] = 1 + max(
                done.get((stage - 1, microbatch), 0), done.get((stage, microbatch - 1), 0)
            )
    assert (max(done.values()), max(done.values()) - microbatches) == (11, 3)


def test_bf16_loses_the_terms_that_the_answers_name() -> None:
    assert "256 + 1 is 256" in question("backward_across_nodes").rungs[3].answer
    assert torch.tensor(256.0, dtype=torch.bfloat16) + torch.tensor(1.0, dtype=torch.bfloat16) == 256
    answer = question("reducing_the_footprint").rungs[3].answer
    assert "Just above 0.5, BF16 values are 2^-8" in answer
    assert "a step of 1e-5 has no effect" in answer
    half = torch.tensor(0.5, dtype=torch.bfloat16)
    assert torch.nextafter(half, torch.tensor(1.0, dtype=torch.bfloat16)) - half == 2**-8
    assert half + 1e-5 == half
