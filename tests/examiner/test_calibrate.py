"""Calibration measures what it says: a perfect judge, a blind one and a generous one are recognized."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner import gold
from interviewer.examiner.calibration.measure import (
    ATTACKING_GOLD,
    Measurement,
    calibrate,
    kappa,
    macro_f1,
    make_attacks,
    quadratic_kappa,
    rank_correlation,
)
from interviewer.examiner.calibration.results import SHIPPED, load_calibration, save_calibration
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.gold import GoldAnswer, load_gold, rubric_version
from interviewer.examiner.matching.learned import shared_matcher
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import QUOTES_JOINT, UNUSABLE, Assessment, Calibration, PointState, State
from interviewer.session.codec import from_plain
from interviewer.session.question import Question
from tests.recorded import whole_bank

QUESTIONS = {question.id: question for question in load_questions()}
GOLD = load_gold(QUESTIONS)
SOME = tuple(answer for answer in GOLD if answer.question in ("ppo_clipping", "int8_and_fp8"))


class Judge:
    """Judges by a rule, so that its figures are known in advance."""

    name = "llm:rule"
    version = "1"

    def __init__(self, answers: tuple[GoldAnswer, ...], rule: str) -> None:
        self.rule = rule
        self.known = {(answer.question, answer.text): answer for answer in answers}

    def assess(self, question: Question, asked: str, answer: str, *_: object) -> Assessment:
        if self.rule == "fails":
            return Assessment(self.name, False, why_not="no model")
        known = self.known.get((question.id, answer))
        rules: dict[str, Callable[[str], State]] = {
            "knows": lambda point: known.state_of(point) if known else State.MISSING,
            "generous": lambda point: State.SHOWN,
            "deaf": lambda point: State.MISSING,
            "halves": lambda point: State.PARTIAL,
        }
        states = rules[self.rule]
        quote = f"{answer[:9]}{QUOTES_JOINT}{answer[-9:]}" if self.rule == "halves" else answer[:9]
        points = tuple(PointState(point.id, states(point.id), quote) for point in question.points)
        return Assessment(self.name, True, points)


def measure(rule: str) -> tuple[Calibration | None, Measurement]:
    return calibrate(Judge(SOME, rule), "1", QUESTIONS, SOME, clock=lambda: 5.0)


def test_a_judge_that_knows_the_gold_is_perfect() -> None:
    result, measured = measure("knows")
    assert result is not None
    assert (result.point_kappa, result.undeserved, result.error_rate) == (1.0, 0.0, 0.0)
    assert result.is_good
    assert str(result).startswith("calibrated:")
    assert measured.figures["qwk"] == 1.0
    assert measured.answers == 16
    assert measured.quotes_verbatim == 1.0


def test_two_joined_quotes_are_verbatim_if_each_of_them_is() -> None:
    assert measure("halves")[1].quotes_verbatim == 1.0


def test_a_judge_that_credits_everything_is_below_the_bar() -> None:
    result, measured = measure("generous")
    assert result is not None
    assert result.point_kappa == 0.0
    assert result.undeserved == 1.0
    assert not result.is_good
    assert "below the threshold" in str(result)
    assert measured.figures["attacks_credited"] == 1.0
    assert measured.figures["answer_r"] is None


def test_a_judge_that_hears_nothing_has_no_agreement_and_falls_for_nothing() -> None:
    result, _ = measure("deaf")
    assert result is not None
    assert (result.point_kappa, result.undeserved) == (0.0, 0.0)
    assert not result.is_good


def test_a_judge_that_judges_nothing_gets_no_result_and_no_figure() -> None:
    result, measured = measure("fails")
    assert result is None
    assert (measured.answers, measured.ungraded) == (0, 16)
    assert measured.figures["point_kappa"] is None


class Failing(Judge):
    """Knows the gold, but leaves the answers whose numbers are in `places` ungraded, with these flags."""

    def __init__(self, places: range, flags: tuple[str, ...] = ()) -> None:
        super().__init__(SOME, "knows")
        self.places = places
        self.flags = flags
        self.count = 0

    def assess(self, question: Question, asked: str, answer: str, *_: object) -> Assessment:
        self.count += 1
        if self.count - 1 in self.places:
            return Assessment(self.name, False, flags=self.flags, why_not="no model")
        return super().assess(question, asked, answer)


@pytest.mark.parametrize(
    ("places", "flags", "has_result"),
    [
        (range(1, 2), (), True),
        (range(3, 16), (), False),  # most gold answers
        (range(3, 16), (UNUSABLE,), False),
        (range(16, 24), (), False),  # all generated attacks
        (range(16, 24), (UNUSABLE,), True),
        (range(16, 24), ("empty",), True),
    ],
)
def test_an_outage_is_no_result_but_a_refused_attack_is_resisted(
    places: range, flags: tuple[str, ...], has_result: bool
) -> None:
    result, measured = calibrate(Failing(places, flags), "1", QUESTIONS, SOME)
    assert (result is not None) is has_result
    # The generated attacks are in the table unless the examiner failed to judge them.
    assert (len(measured.attacks) > len(ATTACKING_GOLD)) is (places.start < 16 or has_result)


def test_it_can_be_stopped_while_answers_are_judged_again() -> None:
    counts: list[tuple[int, int]] = []

    def on_progress(done: int, of: int) -> bool:
        counts.append((done, of))
        return done < of - 1

    result, _ = calibrate(Judge(SOME, "knows"), "1", QUESTIONS, SOME, on_progress)
    assert result is None
    assert counts[-1] == (25, 26)


def test_it_can_be_stopped_and_then_says_nothing() -> None:
    result, _ = calibrate(Judge(SOME, "knows"), "1", QUESTIONS, SOME, on_progress=lambda done, of: done < 3)
    assert result is None


def test_no_attack_deserves_anything_and_all_kinds_are_tried() -> None:
    attacks = make_attacks(QUESTIONS, GOLD)
    assert all(not attack.states and attack.text for attack in attacks)
    assert len({attack.kind for attack in attacks}) == 13
    assert len(attacks) == 4 * len({answer.question for answer in GOLD})


def test_the_gold_set_is_as_large_as_promised_and_credits_its_kinds_as_they_are_called() -> None:
    assert len({answer.question for answer in GOLD}) >= 25
    share = {
        kind: sum(
            answer.state_of(point.id).credit
            for answer in GOLD
            if answer.kind == kind
            for point in QUESTIONS[answer.question].points
        )
        / sum(len(QUESTIONS[answer.question].points) for answer in GOLD if answer.kind == kind)
        for kind in gold.KINDS
    }
    assert share["excellent"] == share["other_words"] == 1.0
    assert share["good"] > share["partial"] > share["thin"] > share["keywords"] == 0.0
    assert share["wrong"] <= 0.05
    assert share["injection"] <= 0.1


@pytest.mark.recorded(subject_of=whole_bank)
@pytest.mark.slow
def test_phrasings_alone_meet_the_bar() -> None:
    examiner = CheckedExaminer(OfflineExaminer())
    result, measured = calibrate(examiner, examiner.version, QUESTIONS, GOLD, clock=lambda: 0.0)
    assert result is not None
    assert result.point_kappa >= 0.5
    assert result.undeserved <= 0.05
    assert measured.figures["answer_r"] is not None
    assert measured.figures["answer_r"] >= 0.65
    assert measured.quotes_verbatim == 1.0


def test_what_ships_was_measured_with_the_matcher_that_ships() -> None:
    """Measuring again takes minutes, so only the versions in the shipped measurement are compared."""
    shipped = from_plain(Calibration, json.loads(files(gold).joinpath(SHIPPED).read_text())["offline"])
    now = CheckedExaminer(OfflineExaminer(shared_matcher())).version, rubric_version(QUESTIONS, GOLD)
    assert (shipped.version, shipped.rubric) == now, "run: make calibration"
    assert shipped.answers == len(GOLD)
    assert shipped.is_good


def test_the_rubric_version_follows_the_questions_but_not_their_tasks() -> None:
    name = GOLD[0].question
    now = rubric_version(QUESTIONS, GOLD)
    renamed = {**QUESTIONS, name: replace(QUESTIONS[name], tasks=("new_id",))}
    changed = {**QUESTIONS, name: replace(QUESTIONS[name], prompt="Another prompt?")}
    assert rubric_version(renamed, GOLD) == now
    assert rubric_version(changed, GOLD) != now


def test_a_result_holds_only_for_the_examiner_and_the_gold_that_it_was_made_with(tmp_path: Path) -> None:
    file = tmp_path / "data" / "calibrations.json"
    judge = Judge(SOME, "knows")
    made = Calibration("llm:rule", "1", rubric_version(QUESTIONS, GOLD), 1.0, 16, 0.9, 0.01, 0.05)
    assert load_calibration(judge, QUESTIONS, file) is None
    save_calibration(made, file)
    assert load_calibration(judge, QUESTIONS, file) == made
    save_calibration(replace(made, version="0"), file)
    assert load_calibration(judge, QUESTIONS, file) is None
    save_calibration(replace(made, rubric="other"), file)
    assert load_calibration(judge, QUESTIONS, file) is None


def test_a_damaged_file_is_no_result_and_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "calibrations.json"
    file.write_text("{ not json")
    made = Calibration("llm:rule", "1", rubric_version(QUESTIONS, GOLD), 1.0, 16, 0.9, 0.01, 0.05)
    save_calibration(made, file)
    assert load_calibration(Judge(SOME, "knows"), QUESTIONS, file) == made


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        # Seven of ten agree; chance agrees on 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
        ([("a", "a")] * 4 + [("a", "b")] * 1 + [("b", "a")] * 2 + [("b", "b")] * 3, 0.4),
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
    ],
)
def test_kappa_by_hand(pairs: list[tuple[str, str]], wanted: float) -> None:
    assert kappa(pairs) == pytest.approx(wanted)


def test_statistics_that_are_not_defined_say_so() -> None:
    assert kappa([("a", "a")]) is None
    assert kappa([]) is None
    assert quadratic_kappa([(2, 2)]) is None
    assert rank_correlation([1, 1], [1, 2]) is None
    assert macro_f1([]) is None


def test_quadratic_kappa_and_ranks_by_hand() -> None:
    # Off by one once in four: 1/4. Every gold against every judged level: (6 + 2 + 6 + 6) / 16.
    assert quadratic_kappa([(0, 0), (1, 1), (2, 2), (2, 1)]) == pytest.approx(1 - (1 / 4) / (20 / 16))
    assert rank_correlation([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)
    assert rank_correlation([1, 2, 2, 3], [1, 2, 2, 3]) == pytest.approx(1.0)


def test_a_stale_result_of_ones_own_does_not_hide_the_one_that_ships(tmp_path: Path) -> None:
    examiner = CheckedExaminer(OfflineExaminer(shared_matcher()))
    shipped = load_calibration(examiner, QUESTIONS, tmp_path / "none.json")
    assert shipped is not None
    file = tmp_path / "calibrations.json"
    save_calibration(replace(shipped, version="before the upgrade"), file)
    assert load_calibration(examiner, QUESTIONS, file) == shipped
    save_calibration(replace(shipped, at=9.0), file)
    assert load_calibration(examiner, QUESTIONS, file) == replace(shipped, at=9.0)
