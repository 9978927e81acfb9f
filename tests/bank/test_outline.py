"""Questions and their answers are found in lists as people write them; prose and code contain no questions."""

from __future__ import annotations

import time

import pytest

from interviewer.authoring.outline_parser import OutlineQuestion, read_outline

FORMS = {
    "numbered with bold text and bullets": (
        "1. **What is RL?**\n   - **Agent**: learns\n   - No labels\n\n"
        "2. **Explain the Bellman equation:**\n   - Recursive\n",
        [("What is RL?", ("Agent: learns", "No labels")), ("Explain the Bellman equation", ("Recursive",))],
    ),
    "headed with paragraphs": (
        "# All\n## Q1: How does Adam work?\nIt keeps two moments of the\n"
        "gradient. They are corrected.\n## Notes\nNot an answer.\n",
        [("How does Adam work?", ("It keeps two moments of the gradient.", "They are corrected."))],
    ),
    "Q and A": (
        "Q: What is a replay buffer?\nA: It stores transitions for reuse.\n\nQ: Why prioritise?\n"
        "A: Rare errors teach more.",
        [
            ("What is a replay buffer?", ("It stores transitions for reuse.",)),
            ("Why prioritise?", ("Rare errors teach more.",)),
        ],
    ),
    "a line followed by indented answers": (
        "How does PPO work?\n  - clips the ratio\n    of each token\n  reuses a batch for epochs\n"
        "Why no critic in GRPO?\n",
        [
            ("How does PPO work?", ("clips the ratio of each token", "reuses a batch for epochs")),
            ("Why no critic in GRPO?", ()),
        ],
    ),
    "bulleted questions": (
        "  • Why use a critic?\n\n  • INT8 versus FP8. What is lost?\n",
        [("Why use a critic?", ()), ("INT8 versus FP8. What is lost?", ())],
    ),
    "labels of a page": (
        "01What must be saved?\n\nShort Answer\n\nSave weights and optimizer state.\n\n"
        "Common Mistake\n\nSaving only the weights.\n",
        [("What must be saved?", ("Save weights and optimizer state.",))],
    ),
    "wrapped question": (
        "3) What is done when a\n   pool is full?\n   - evict\n",
        [("What is done when a pool is full?", ("evict",))],
    ),
    "code is no answer": (
        "1. Implement a simple loss:\n```python\n- x\nWhat is this?\n```\n",
        [("Implement a simple loss", ())],
    ),
    "a follow-up is no answer": (
        "## What is a bandit?\n- one state\n  - Why one?\n",
        [("What is a bandit?", ("one state",))],
    ),
    "another script": ("1、什么是策略梯度？\n   - 直接优化策略\n", [("什么是策略梯度？", ("直接优化策略",))]),
}


@pytest.mark.parametrize("form", FORMS)
def test_questions_are_found_with_their_answers(form: str) -> None:
    text, wanted = FORMS[form]
    assert [(question.prompt, question.answers) for question in read_outline(text).questions] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "I asked myself one thing: should I leave? I stayed.\nWild, right?\n",
        "- eggs\n- milk\n\n1. Boil.\n2. Serve.\n",
        "# Design\n\n## List of questions\n",
        "",
    ],
)
def test_prose_and_plain_lists_hold_no_question(text: str) -> None:
    assert read_outline(text).questions == ()


def test_an_item_among_questions_that_asks_nothing_is_told() -> None:
    outline = read_outline("- Why use a critic?\n- KV cache transfer strategies.\n- How is KL computed?\n")

    assert [question.line for question in outline.questions] == [1, 3]
    assert outline.passed_over == (OutlineQuestion("KV cache transfer strategies.", 2),)


def test_the_same_question_counts_once() -> None:
    assert len(read_outline("1. What is RL?\n2. what is rl?\n").questions) == 1


def test_control_characters_are_dropped_and_odd_spaces_become_blanks() -> None:
    (question,) = read_outline("1. What\u00a0is \x1b[31mRL\u202e?\n   - a\x07nswer\n").questions
    assert (question.prompt, question.answers) == ("What is [31mRL?", ("answer",))


def test_a_hostile_line_takes_no_time() -> None:
    started = time.process_time()
    read_outline("1. " + "**a " * 100_000 + "?\n" + "[" * 100_000 + "\n" + "# " + "# " * 100_000)
    assert time.process_time() - started < 10


def test_a_table_of_contents_hides_no_answer() -> None:
    text = "1. [What is PPO?](#what-is-ppo)\n\n## What is PPO?\n- It clips the ratio.\n"
    (found,) = read_outline(text).questions
    assert (found.prompt, found.answers) == ("What is PPO?", ("It clips the ratio.",))


@pytest.mark.parametrize(
    "text",
    [
        "What does `__init__` do?",
        "Is Var(x) = E[x**2] - E[x]**2?",
        "What is `w[i](x)`?",
        "What is torch.nn.Module.__call__?",
    ],
)
def test_code_and_formulas_are_kept(text: str) -> None:
    assert read_outline(f"1. {text}\n").questions[0].prompt == text.replace("`", "")
