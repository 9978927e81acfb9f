"""Each finding gives the rating that the rules define; unjudged answers give none, and self-marks change nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graders.verdict import Verdict
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, drills_of
from interviewer.log.schedule import SITTING_SECONDS, Card, Rating, Review, _drill_reviews, reviews_of
from interviewer.session.assessment import Assessment, Belief, CheckResult, PointState, State
from interviewer.session.state import Answer, Credit, Drill, Session
from tests.log.build import attempt, history_of, run_of, whole_run
from tests.session.build import heard, ungraded

GRADED = Assessment("offline", True)


def answer(rung: int, has_passed: bool | None, weight: float = 1.0, judged: Assessment = GRADED) -> Answer:
    return Answer("asked", "said", rung, weight, judged, has_passed)


def shown(*rungs: int, state: State = State.SHOWN) -> tuple[Credit, ...]:
    return tuple(Credit(f"p{rung}", state, "words") for rung in rungs)


def ratings(drill: Drill) -> dict[int, tuple[Rating, bool]]:
    """Return rating and only_if_known by rung for a finished drill of the small question."""
    session: Session = replace(run_of("s1").session, drills=(replace(drill, is_over=True),))
    past = next(drills_of(session))
    return {review.card.rung: (review.rating, review.only_if_known) for review in _drill_reviews(past)}


def test_a_rung_that_held_at_the_first_asking_is_good() -> None:
    drill = Drill("clipping", credits=shown(2), answers=(answer(0, None), answer(2, True)))
    assert ratings(drill) == {2: (Rating.GOOD, False)}


def test_a_rung_with_the_next_one_unasked_is_easy() -> None:
    drill = Drill("clipping", credits=shown(1, 2), answers=(answer(1, True),))
    assert ratings(drill) == {1: (Rating.EASY, False), 2: (Rating.GOOD, False)}


def test_help_and_half_points_make_it_hard() -> None:
    assert ratings(Drill("clipping", credits=shown(1), answers=(answer(1, False), answer(1, True, 0.5))))[1] == (
        Rating.HARD,
        False,
    )
    hinted = Drill("clipping", credits=shown(1), answers=(answer(1, True),), hints=(1,))
    assert ratings(hinted)[1][0] is Rating.HARD


def test_a_rung_that_failed_is_again_and_those_above_it_only_if_known() -> None:
    drill = Drill("clipping", credits=shown(1), answers=(answer(1, True), answer(2, False)), failed=(2,), broke_at=2)
    assert ratings(drill) == {
        1: (Rating.GOOD, False),
        2: (Rating.AGAIN, False),
        3: (Rating.AGAIN, True),
        4: (Rating.AGAIN, True),
    }


def test_a_rung_asked_above_the_break_starts_a_card() -> None:
    drill = Drill("clipping", answers=(answer(2, False), answer(3, False)), failed=(2, 3), broke_at=2)
    assert ratings(drill)[3] == (Rating.AGAIN, False)


def test_a_rung_whose_check_was_answered_is_good_whatever_was_heard() -> None:
    checked = replace(answer(2, True, judged=replace(GRADED, check=CheckResult.RIGHT)), is_decisive=True)
    assert ratings(Drill("clipping", answers=(checked,))) == {2: (Rating.GOOD, False)}
    missed = replace(answer(2, False, judged=replace(GRADED, check=CheckResult.WRONG)), is_decisive=True)
    drill = Drill("clipping", credits=shown(2), answers=(missed,), failed=(2,), broke_at=2)
    assert ratings(drill)[2] == (Rating.AGAIN, False)


def test_a_misconception_that_was_corrected_is_not_held_against_the_rung() -> None:
    believes = replace(GRADED, misconceptions=(Belief("wrong", "bounded"),))
    drill = Drill("clipping", credits=shown(2), answers=(answer(2, True, judged=believes),))
    assert ratings(drill)[2][0] is Rating.AGAIN
    assert ratings(replace(drill, corrected=("wrong",)))[2][0] is Rating.GOOD


def test_a_misconception_is_again_at_its_rung_although_the_points_were_shown() -> None:
    believes = replace(GRADED, misconceptions=(Belief("wrong", "bounded"),))
    drill = Drill("clipping", credits=shown(1, 2), answers=(answer(0, None, judged=believes), answer(2, True)))
    assert ratings(drill) == {1: (Rating.AGAIN, False), 2: (Rating.GOOD, False)}


def test_what_was_not_judged_or_left_undecided_gives_no_review() -> None:
    assert ratings(Drill("clipping", answers=(answer(1, None, judged=ungraded()),))) == {}
    assert ratings(Drill("clipping")) == {}
    undecided = replace(GRADED, points=(PointState("p1", State.UNDECIDED),))
    assert ratings(Drill("clipping", answers=(answer(1, False, judged=undecided),))) == {}
    missing = replace(GRADED, points=(PointState("p1", State.MISSING),))
    assert ratings(Drill("clipping", answers=(answer(1, False, judged=missing),))) == {1: (Rating.AGAIN, False)}


def test_a_question_still_under_way_gives_no_review(tmp_path: Path) -> None:
    run = whole_run()
    under_way = run_of("s2")
    under_way.answer(heard("p1"))
    under_way.answer(heard("p2"))
    assert under_way.session.drill.answers[-1].has_passed
    assert reviews_of(history_of(tmp_path, under_way)) == []
    assert reviews_of(History((run.session,), ()))


def test_own_marks_stand_beside_the_rating_and_never_change_it() -> None:
    session = whole_run().session
    marked = reviews_of(History((session,), ()))
    wiped = replace(session, drills=tuple(replace(drill, self_marks=None) for drill in session.drills))
    unmarked = reviews_of(History((wiped,), ()))
    assert [(review.card, review.rating) for review in marked] == [(review.card, review.rating) for review in unmarked]
    own = {review.card.rung: review.own for review in marked if review.card.kind == "question"}
    assert (own[1], own[3], own[4]) == (1.0, 1.0, 0.0)
    assert {review.own for review in unmarked} == {None}


def tasks(*attempts: LoggedAttempt) -> list[Review]:
    return reviews_of(History((), attempts))


def test_a_task_is_good_at_the_first_attempt_hard_later_again_when_never_passed() -> None:
    failed = attempt("a", 0.0, Verdict.WRONG_VALUE)
    passed = attempt("b", 60.0)
    assert [(review.card, review.rating) for review in tasks(passed)] == [(Card("task", "gae"), Rating.GOOD)]
    assert [review.rating for review in tasks(failed, passed)] == [Rating.HARD]
    assert [review.rating for review in tasks(failed)] == [Rating.AGAIN]
    assert [review.rating for review in tasks(replace(passed, hints=1))] == [Rating.HARD]
    assert [review.rating for review in tasks(passed, replace(failed, id="c", at=90.0))] == [Rating.GOOD]


def test_sittings_are_parted_by_a_long_break_and_by_task() -> None:
    first, later = attempt("a", 0.0), attempt("b", SITTING_SECONDS + 1.0, Verdict.RAISED)
    other = attempt("c", 10.0, task="ppo_clip_loss")
    rated = [(review.card.id, review.rating) for review in tasks(first, later, other)]
    assert rated == [("gae", Rating.GOOD), ("ppo_clip_loss", Rating.GOOD), ("gae", Rating.AGAIN)]


def test_a_review_is_dated_by_the_last_answer_to_its_question() -> None:
    run = whole_run(at=5000.0)
    answered = [turn.at for turn in run.session.transcript if not turn.is_interviewer and turn.part == 0]
    dates = {review.at for review in reviews_of(History((run.session,), ())) if review.card.kind == "question"}
    assert dates == {max(answered)}


def test_code_that_did_not_load_is_no_attempt_but_the_log_keeps_it(tmp_path: Path) -> None:
    unloaded = attempt("a1", at=1000.0, verdict=Verdict.NOT_LOADED, source="def gae(:\n")
    alone = history_of(tmp_path, attempts=(unloaded,))
    assert reviews_of(alone) == []
    assert alone.attempts() == []
    assert [kept.source for kept in alone.loose_attempts] == ["def gae(:\n"]
    (tmp_path / "both").mkdir()
    both = history_of(tmp_path / "both", attempts=(unloaded, attempt("a2", at=1010.0)))
    assert [review.why for review in reviews_of(both)] == ["passed on the first attempt"]


def test_a_pass_after_a_hint_counts_its_one_attempt(tmp_path: Path) -> None:
    history = history_of(tmp_path, attempts=(replace(attempt(), hints=1),))
    assert [review.why for review in reviews_of(history)] == ["passed after 1 attempt and 1 hint"]
