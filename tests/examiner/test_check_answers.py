"""What candidates type in reply to checks, and how code reads it; a wrong reading would be a false finding."""

from __future__ import annotations

import pytest

from interviewer.examiner.check_answers import assess_check, is_value, spelled, verify, wrong_answers
from interviewer.session.assessment import Assessment, CheckResult
from interviewer.session.question import Check, DrawnCheck, Given, WrongClaim
from tests.recorded import code_alone

RIGHT, WRONG, HALF, UNREAD = CheckResult.RIGHT, CheckResult.WRONG, CheckResult.HALF, CheckResult.UNREAD


def drawn(check: Check, **values: float) -> DrawnCheck:
    """Return the check with these inputs, with its options in their written order."""
    count = len(check.order) or (1 + len(check.fails) if check.holds else 0)
    return DrawnCheck(check, values, tuple(range(count)))


# The words of the question that the checks belong to.
WORDS = frozenset("objective ratio memory optimizer count rank hold product first rollout reward update".split())
MEMORY = drawn(
    Check(1, "{n} billion in bf16?", (Given("n", (7.0,)),), number="2 * n", unit="GB", wrong=("4 * n", "n / 2")), n=7.0
)
SHARE = drawn(Check(1, "Which share of {n}?", (Given("n", (8.0,)),), number="100 / n", unit="%", wrong=("n",)), n=8.0)
SLOPE = drawn(Check(1, "Slope for A = -{a}?", (Given("a", (2.0,)),), number="-a", wrong=("a", "0")), a=2.0)
CLAIM = drawn(
    Check(
        1,
        "eps = 0.2, A = -1, r = 1.5?",
        number="-1.5",
        holds="It keeps a gradient.",
        fails=(WrongClaim("It has none.", "zero_outside"), WrongClaim("It is pushed up.")),
        wrong=("-1.2", "1.2"),
    )
)
TERM = drawn(Check(1, "Which operation?", accepts=("stop-gradient", "detach"), wrong=("clip", "no_grad block")))
ORDER = drawn(Check(1, "From first to last?", order=("rollout", "reward", "advantage", "update")))


SIZE = drawn(Check(1, "How many billion in {n} GB?", (Given("n", (80.0,)),), number="n / 2", unit="billion"), n=80.0)
SMALL = drawn(Check(1, "With a bonus of {b}?", (Given("b", (0.001,)),), number="1", wrong=("0", "b")), b=0.001)


@pytest.mark.parametrize(
    ("check", "answer", "result"),
    [
        (MEMORY, "14", RIGHT),
        (MEMORY, "14 GB", RIGHT),
        (MEMORY, "14gb", RIGHT),
        (MEMORY, "about 14.0 gigabytes", RIGHT),
        (MEMORY, "14,000 MB", RIGHT),
        (MEMORY, "1.4e10 bytes", RIGHT),
        (MEMORY, "14 x 10^9 bytes", RIGHT),
        (MEMORY, "14·10⁹ B", RIGHT),
        (MEMORY, "13.04 GiB", RIGHT),
        (MEMORY, "2 bytes x 7e9 = 14 GB", RIGHT),
        (MEMORY, "14 GB, because 7 billion parameters take 2 bytes each", RIGHT),
        (MEMORY, "fourteen", RIGHT),
        (MEMORY, "2 x 7", RIGHT),
        (MEMORY, "14 (2 * 7, not 4 * 7 = 28)", RIGHT),
        (MEMORY, "28 (not 14)", UNREAD),
        (MEMORY, "14 GB of the 80", RIGHT),
        (MEMORY, "14 (7*(4/2))", RIGHT),
        (MEMORY, "(14 GB)", RIGHT),
        (MEMORY, "4 * 7", WRONG),
        (MEMORY, "2 ^ 9999999", WRONG),
        (MEMORY, "28 GB", WRONG),
        (MEMORY, "14 MB", WRONG),
        (MEMORY, "14 ms", WRONG),
        (MEMORY, "14 or 28", UNREAD),
        (MEMORY, "between 10 and 20, 14 perhaps, at most 30", UNREAD),
        (MEMORY, "7", UNREAD),
        (MEMORY, "it depends on the dtype", UNREAD),
        (MEMORY, "", UNREAD),
        (MEMORY, "It is not 14 GB.", UNREAD),
        (MEMORY, "I doubt it is 14 GB.", UNREAD),
        (MEMORY, "A colleague claims it is 14 GB, and that is wrong.", UNREAD),
        (MEMORY, "It is 14 GB? No.", UNREAD),
        (MEMORY, "If it were 14 GB, it would fit.", UNREAD),
        (MEMORY, "It is anything but 14 GB.", UNREAD),
        (MEMORY, "It isn't that simple: it is 14 GB.", RIGHT),
        (MEMORY, "It is no 14 GB.", UNREAD),
        (MEMORY, "14 GB, no.", UNREAD),
        (MEMORY, "It is 14 GB. That is wrong.", UNREAD),
        (MEMORY, "My boss computed:\n14 GB", UNREAD),
        (MEMORY, "Would that give 14 GB", UNREAD),
        (MEMORY, "The 4 are gone, sixteen minus two", UNREAD),
        (MEMORY, "I don't count the optimizer, so 14 GB.", RIGHT),
        (MEMORY, "14 GB because the optimizer does not count", RIGHT),
        (MEMORY, "14 GB?", RIGHT),
        (MEMORY, "Each rank holds half of them, so they get 14 GB each.", RIGHT),
        (MEMORY, "My friend got 14 GB.", UNREAD),
        (MEMORY, "A common misconception: 14 GB.", UNREAD),
        (MEMORY, "Common error: 14 GB.", UNREAD),
        (MEMORY, "Out of the question: 14 GB.", UNREAD),
        (MEMORY, "Many would say 14 GB. They forget a factor.", UNREAD),
        (MEMORY, "Plenty of candidates answer 14 GB.", UNREAD),
        (MEMORY, "Up to 14 GB.", UNREAD),
        (MEMORY, "14 GB? That's the other quantity.", UNREAD),
        (MEMORY, "I would rule out 14 GB.", UNREAD),
        (MEMORY, "Double counting gives 14 GB.", UNREAD),
        (MEMORY, "14 GB, minus something.", UNREAD),
        (MEMORY, "The halves add up to 14 GB.", RIGHT),
        (MEMORY, "14 GB, up to rounding.", RIGHT),
        (MEMORY, "The standard error is small, so 14 GB.", RIGHT),
        (MEMORY, "14 GB? I think 14 GB.", RIGHT),
        (CLAIM, "Up to A, -1.5", UNREAD),
        (MEMORY, "and then " * 900 + "so it is 14 GB", RIGHT),
        (SIZE, "40", RIGHT),
        (SIZE, "40 billion", RIGHT),
        (SIZE, "4e10", RIGHT),
        (SIZE, "40,000 million", RIGHT),
        (SIZE, "4 billion", WRONG),
        (SMALL, "+1", RIGHT),
        (SHARE, "12.5 %", RIGHT),
        (SHARE, "12.5%", RIGHT),
        (SHARE, "1/8", RIGHT),
        (SHARE, "0.125", RIGHT),
        (SHARE, "87.5 %", WRONG),
        (SLOPE, "-2", RIGHT),
        (SLOPE, "minus 2", RIGHT),
        (SLOPE, "minus two", RIGHT),
        (SLOPE, "−2", RIGHT),
        (SLOPE, "0", WRONG),
        (SLOPE, "zero", WRONG),
        (CLAIM, "A, -1.5", RIGHT),
        (CLAIM, "a) since the product is -1.5", RIGHT),
        (CLAIM, "I'd say A: the objective is minus 1.5", RIGHT),
        (CLAIM, "option a, -1.5", RIGHT),
        (CLAIM, "-1.5, so (A)", RIGHT),
        (CLAIM, "not B but A, -1.5", RIGHT),
        (CLAIM, "A - -1.5", RIGHT),
        (CLAIM, "A: -1.5", RIGHT),
        (MEMORY, "14 GB, since 7 * 2 = 14 and the 20 do not count", RIGHT),
        (MEMORY, "(2 + 5) * 4 = 28, half of 28 gives 14", RIGHT),
        (CLAIM, "A", HALF),
        (CLAIM, "-1.5", HALF),
        (CLAIM, "A, -1.2", WRONG),
        (CLAIM, "B, -1.5", WRONG),
        (CLAIM, "B", WRONG),
        (CLAIM, "A or B, -1.5", HALF),
        (CLAIM, "A token like this keeps its gradient.", UNREAD),
        (TERM, "detach", RIGHT),
        (TERM, "a stop gradient", RIGHT),
        (TERM, "You call .detach() on it.", RIGHT),
        (TERM, "not clip, but stop-gradient", RIGHT),
        (TERM, "clip", WRONG),
        (TERM, "clip or detach", UNREAD),
        (TERM, "not a stop-gradient", UNREAD),
        (TERM, "I doubt it is a stop-gradient.", UNREAD),
        (TERM, "A colleague says detach, and that is wrong.", UNREAD),
        (TERM, "A colleague says clip. I'd say detach.", RIGHT),
        (TERM, "something else", UNREAD),
        (ORDER, "ABCD", RIGHT),
        (ORDER, "a, b, c, d", RIGHT),
        (ORDER, "A -> B -> C -> D", RIGHT),
        (ORDER, "First rollout, then reward, advantage and update", RIGHT),
        (ORDER, "BACD", WRONG),
        (ORDER, "A, B", UNREAD),
        (ORDER, "the reward before the update", UNREAD),
    ],
)
def test_how_an_answer_is_read(check: DrawnCheck, answer: str, result: CheckResult) -> None:
    assert verify(check, answer, WORDS) is result


@pytest.mark.parametrize("check", [MEMORY, SHARE, SLOPE, CLAIM, TERM, ORDER])
def test_five_spellings_are_accepted_and_what_the_gate_must_refuse_is_refused(check: DrawnCheck) -> None:
    right = spelled(check)
    assert len(set(right)) == 5
    assert [verify(check, answer) for answer in right] == [RIGHT] * 5
    wrong = wrong_answers(check)
    assert wrong
    assert RIGHT not in {verify(check, answer) for answer in wrong}


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "wanted_unit", "is_it"),
    [
        (2.0, "min", 120.0, "s", True),
        (150.0, "gbit/s", 18.75, "GB/s", True),
        (989.0, "tflops/s", 0.989, "PFLOPs/s", True),
        (3.0, "ms", 3.0, "GB", False),
        (0.5, "", 50.0, "%", True),
        (16.0, "", 16.0, "tokens", True),
        (2.47, "", 2.4749, "", True),
        (2.4, "", 2.4749, "", False),
        (1.0, "", 1.0046, "", False),
    ],
)
def test_units_that_measure_the_same_are_converted(
    value: float, unit: str, wanted: float, wanted_unit: str, is_it: bool
) -> None:
    assert is_value(value, unit, wanted, wanted_unit, 0.001) is is_it


def test_picking_a_wrong_claim_is_the_misconception_behind_it_and_quotes_the_claim() -> None:
    judged = Assessment("offline", is_graded=True)
    picked = assess_check(judged, CLAIM, "B, because it is outside")
    assert [(belief.id, belief.quote) for belief in picked.misconceptions] == [("zero_outside", "B) It has none.")]
    assert assess_check(judged, CLAIM, "A, -1.5").misconceptions == ()
    assert assess_check(judged, CLAIM, "A or B").misconceptions == ()


@pytest.mark.recorded(subject_of=code_alone)
@pytest.mark.slow
def test_a_hostile_answer_is_read_in_bounded_time() -> None:
    for answer in ("1 " * 40_000, "(" * 40_000, "A" * 40_000, "9" * 40_000, "1e999", "10^999", "1/0", "^2 " * 9_000):
        for check in (MEMORY, CLAIM, TERM, ORDER):
            assert verify(check, answer) in set(CheckResult)


POWER = drawn(Check(1, "How large is the error?", (Given("n", (6.0,)),), number="2 ** -n"), n=6.0)
BYTES = drawn(Check(1, "How many bytes?", (), number="36864"))
SECONDS = drawn(Check(1, "How long?", (), number="315", unit="s"))
MINUTES = drawn(Check(1, "How long?", (), number="90", unit="min"))
RATE = drawn(Check(1, "How fast?", (), number="7.5", unit="GB/s"))
HALVES = drawn(Check(1, "How large?", (), number="1.5"))


@pytest.mark.parametrize(
    ("check", "answer", "result"),
    [
        *((POWER, text, RIGHT) for text in ("2**-6", "2 ** -6", "2^(-6)", "2^{-6}", "2 ^ -6", "2⁻⁶", "1/64")),
        (POWER, "2**-5", WRONG),
        (BYTES, "36_864", RIGHT),
        (SECONDS, "5 min 15 s", RIGHT),
        (SECONDS, "5 minutes and 15 seconds", RIGHT),
        (SECONDS, "5 min 30 s", WRONG),
        (MINUTES, "90 m", RIGHT),
        (MINUTES, "1 hour 30 minutes", RIGHT),
        (RATE, "7.5 GB per second", RIGHT),
        (HALVES, "one and a half", RIGHT),
        (HALVES, "1 and a half", RIGHT),
        (HALVES, "two and a half", WRONG),
        (SHARE, "1 in 8", UNREAD),
        (SLOPE, "negative 2", RIGHT),
        (SLOPE, "negative two", RIGHT),
        (CLAIM, "A is the right one.", HALF),
        (CLAIM, "A is the only one that holds.", HALF),
        (MEMORY, "10 to 14 GB", UNREAD),
        (MEMORY, "10-14 GB", UNREAD),
    ],
)
def test_how_a_number_may_be_written(check: DrawnCheck, answer: str, result: CheckResult) -> None:
    assert verify(check, answer, WORDS | {"long"}) is result


def test_a_drop_may_be_a_negative_number() -> None:
    assert verify(SLOPE, "a drop of 2", WORDS | {"drop"}) is UNREAD
    assert verify(SLOPE, "a drop of 3", WORDS | {"drop"}) is WRONG
