"""Whether a phrasing counts as stated or denied depends on the words before its match."""

import pytest

from interviewer.bank.parse import to_regex
from interviewer.examiner.matching.overlap import match_point, stem, stems
from interviewer.examiner.matching.patterns import first_denied_match, first_match
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.session.assessment import State
from interviewer.session.question import Point


@pytest.mark.parametrize(
    ("phrasing", "answer"),
    [
        ("scale per block", "There is no need for a scale per block"),
        ("same rate", "the two do not run at the same rate"),
        ("gradient.*(flow|survive).*high", "The gradient does not flow when the ratio is high"),
        ("bounded", "it is not unbounded"),
        (" keep", "it does not keep it"),
        ("(backlog|queue).*(grow|without bound)", "The queue does not grow"),
        ("broadcast.{0,60}(more|expensive)", "The broadcast is not more expensive with more engines"),
        ("keep", "it won't ever keep that"),
        ("weight.{0,20}kept(?!.*not more)", "the weight is not kept"),
        ("ipc handle", "CUDA IPC handles are not used when they share a card"),
        ("load.{0,20}batch", "The load on the batch does not matter"),
        ("reference pass", "The reference pass cannot be left out"),
        ("^(?!.*(?:kl|(?:do)n.t b)).*gradient.*(flow)", "The gradient does not flow"),
        ("answers to one prompt", "it takes the batch's mean rather than answers to one prompt"),
        ("fine-tun", "they matched logits instead of fine-tuning on texts"),
        ("base.*passes", "People often say the base passes it at large k, but the curves never cross"),
        ("base.*passes", "Some say the base passes it at large k; in fact the curves never cross"),
        ("sum.*over ranks", "To sum over ranks is what is recommended, but it's plainly wrong: count locally"),
        ("wipes the cache", "I've heard that AReaL wipes the cache, but that isn't so"),
        ("own copy", "The engine has its own copy, but it doesn't"),
    ],
)
def test_denied(phrasing: str, answer: str) -> None:
    sentences = split_sentences(answer)

    assert first_match([phrasing], sentences) is None
    assert first_denied_match([phrasing], sentences) is sentences[0]


@pytest.mark.parametrize(
    ("phrasing", "answer"),
    [
        ("variance.*high", "without a baseline the variance is high"),
        ("expectation.*unchanged", "A baseline that does not depend on the action leaves the expectation unchanged"),
        ("not bounded|unbounded", "the ratio isn’t bounded, no: it is not bounded"),
        ("without bound", "it grows without bound"),
        ("bounded", "it is unbounded"),
        ("(isn.t|not) associative", "a sum isn't associative"),
        (r"\bno critic", "there is no critic"),
        ("biased", "it is biased and has no trust region"),
        ("1 ?- ?ε", "the lower end is 1 − ϵ"),
        ("kl.{0,10}zero", "KL\u00a0is \uff5aero"),
        ("0\\.2", "with eps of 0.2 it stays"),
        ("mean is (the|a) baseline", "the group's mean is the baseline, so a critic is not needed"),
        ("gradient survives", "the gradient survives but the clip does not"),
        ("detach", "detach it: the weight is not to be trained"),
        ("fp16", "take fp16 rather than bf16"),
        ("scalar.{0,20}head", "a scalar head instead of the LM head"),
        ("handles (instead of|rather than)", "send handles instead of tensors"),
        ("not .{0,9}mean", "it is the sum and not the mean"),
        ("never cross", "People say the base passes it, but the curves never cross"),
        ("^(?!.*kl).*(curves.*cross)", "People say the base passes it, but the curves do cross"),
        ("base passes", "Many papers say that the base passes it at large k"),
        ("interrupts", "I have read that AReaL interrupts generation, but I never ran it"),
        ("interrupts", "AReaL interrupts generation, but it isn't always worth it"),
        ("interrupts", "AReaL interrupts generation, but that is right only with a limit"),
    ],
)
def test_said(phrasing: str, answer: str) -> None:
    sentences = split_sentences(answer)

    assert first_match([phrasing], sentences) is sentences[0]


def test_a_sentence_that_denies_half_of_a_point_does_not_say_it() -> None:
    shows = ["renam", "gather"]
    half = split_sentences("The shards are gathered, and they are not renamed.")

    assert first_match(shows, half) is None
    assert first_denied_match(shows, half) is half[0]
    both = split_sentences("They are not renamed. The shards are gathered first.")
    assert first_match(shows, both) is both[1]


def test_a_negation_that_one_phrasing_asks_for_does_not_deny_what_another_hit_before_it() -> None:
    shows = ["rounding", "(rounding|sums).{0,20}(isn.t|not) associative"]
    isolated, denied = split_sentences(
        "The rounding isn't associative. The rounding isn't the cause, and not associative."
    )

    assert first_match(shows, [isolated]) is isolated
    assert first_denied_match(shows, [denied]) is denied


def test_sentences_end_where_a_reader_would_end_them() -> None:
    text = "It is 0.2, e.g. for PPO. Is it != 3? Yes;\nno more!\n\n- one\n2. two"

    assert [sentence.quote for sentence in split_sentences(text)] == [
        "It is 0.2, e.g. for PPO.",
        "Is it != 3?",
        "Yes;",
        "no more!",
        "- one",
        "2.",
        "two",
    ]


def test_forms_of_a_word_share_a_stem() -> None:
    for forms in ("clip clips clipped clipping", "variance variances", "policy policies", "estimate estimation"):
        assert len({stem(form) for form in forms.split()}) == 1, forms
    assert stem("gradient") != stem("gradual")


def test_words_of_the_question_do_not_count_towards_a_point() -> None:
    point = Point("p", "The minimum keeps the surrogate below the unclipped objective.", ("xyzzy",))
    sentences = split_sentences("The minimum of the surrogate and of the objective is taken")

    assert match_point(point, sentences, frozenset()).state is State.PARTIAL
    assert match_point(point, sentences, stems("What is the minimum in the surrogate?")).state is State.MISSING


@pytest.mark.parametrize(
    ("answer", "is_heard"),
    [
        ("the gradient pulls it back", True),
        ("the gradient does not pull it back", False),
        ("the gradient can\u2019t pull it back", False),
        ("the gradient of a knotty notion pulls it back", True),
        ("the gradient, and this takes more than forty letters, pulls it back", False),
    ],
)
def test_a_gap_in_a_phrasing_holds_no_negation(answer: str, is_heard: bool) -> None:
    phrasing = to_regex("gradient<40>back")

    assert (first_match([phrasing], split_sentences(answer)) is not None) is is_heard
    assert first_denied_match([phrasing], split_sentences(answer)) is None
