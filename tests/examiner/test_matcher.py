"""The learned matcher as a process: its scores are weighed, and if it fails, only phrasings are used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from interviewer.examiner.matching import learned
from interviewer.examiner.matching.learned import FEATURES, LearnedMatcher, Window, decide, features
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from tests.examiner.clip_question import QUESTION

CLAIMS, SENTENCES = ["a", "b"], ["one", "two"]
READY = "import json, sys, time, os; print(json.dumps({'ready': True}), flush=True)\n"
ANSWERS = READY + "for line in sys.stdin:\n    asked = json.loads(line)\n    "
REPLY = "print(json.dumps({'id': asked['id'], 'windows': %s}), flush=True)\n"
SHOWS, CONTRADICTS, UNRELATED = ([0, 0, 0, 0.9, *logits] for logits in ((0, 9, 0), (0, 0, 9), (9, 0, 0)))
# Weights for tests, so that training does not change the expected values.
DECISION = {
    "version": "test",
    "credit": {"bias": -1.0} | dict.fromkeys(FEATURES, 0.0) | {"shows_max": 1.0, "phrasing_shown": 2.0},
    "contradiction": {"bias": 0.0} | dict.fromkeys(FEATURES, 0.0) | {"contradicts_max": 1.0},
    "limits": {"shown": 0.5, "partial": 0.0, "contradicted": 0.0},
}


def child(code: str, seconds: float = 20.0) -> LearnedMatcher:
    return LearnedMatcher((sys.executable, "-c", code), seconds, seconds / 2)


@pytest.fixture(autouse=True)
def decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "load_decision", lambda: DECISION)


def test_scores_come_back_as_windows_for_each_claim() -> None:
    matcher = child(ANSWERS + REPLY % [[SHOWS], [CONTRADICTS, UNRELATED]])

    found = matcher.find(CLAIMS, SENTENCES)

    assert found is not None
    assert [len(windows) for windows in found] == [1, 2]
    assert found[0][0].shows > 0.99
    assert found[0][0].contradicts < 0.01
    assert found[1][0].contradicts > 0.99
    assert matcher.find(CLAIMS, []) == [[], []]
    matcher.close()
    assert matcher.pid is None


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.exit(1)",
        "import time; time.sleep(60)",
        READY + "time.sleep(60)",
        ANSWERS + "sys.exit(1)",
        ANSWERS + "print('no json', flush=True)",
        ANSWERS + "print([], flush=True)",
        ANSWERS + "print(json.dumps({'id': -1, 'windows': []}), flush=True)",
    ],
)
def test_a_child_that_fails_is_ended_and_phrasings_judge_alone(code: str) -> None:
    matcher = child(code, 0.5)
    answer = "The gradient is zero outside, since the objective is flat there."

    alone = OfflineExaminer().assess(QUESTION, QUESTION.prompt, answer)
    fallen_back = OfflineExaminer(matcher).assess(QUESTION, QUESTION.prompt, answer)

    assert fallen_back.points == alone.points
    assert fallen_back.flags == (*alone.flags, "phrasings")
    for _ in range(6):
        assert matcher.find(CLAIMS, SENTENCES) is None
    matcher.start()
    assert matcher.pid is None  # it has failed too often to be tried again
    matcher.close()


def test_a_child_that_was_killed_is_replaced() -> None:
    matcher = child(ANSWERS + REPLY % [[SHOWS], [SHOWS]])
    assert matcher.find(CLAIMS, SENTENCES) is not None
    assert matcher.pid is not None
    os.kill(matcher.pid, 9)

    while matcher.pid is not None:
        time.sleep(0.01)

    assert matcher.find(CLAIMS, SENTENCES) is not None
    matcher.close()


def test_the_child_ends_with_its_parent_and_sees_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    leaks = "['leak'] if 'sk-secret' in json.dumps(dict(os.environ)) else [[], []]"
    matcher = child(ANSWERS + REPLY % leaks)
    assert matcher.find(CLAIMS, SENTENCES) == [[], []]
    process = matcher._child
    assert process is not None
    assert process.stdin is not None

    process.stdin.close()  # as if the parent had exited

    assert process.wait(20) == 0


def test_the_app_does_not_import_torch_for_it() -> None:
    code = "import sys, interviewer.interview.participants; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def window(shows: float, contradicts: float) -> Window:
    return Window(0, 0, 0, 0.9, shows, contradicts)


def test_a_contradicted_point_is_never_credited_and_a_phrasing_can_be_vetoed() -> None:
    said = ["The objective is not flat."]

    assert decide("It is flat.", said, [window(0.98, 0.01)], State.MISSING).state is State.SHOWN
    assert decide("It is flat.", said, [window(0.02, 0.95)], State.PARTIAL).state is State.CONTRADICTED
    # A full match with a phrasing can be vetoed, but is not a contradiction.
    assert decide("It is flat.", said, [window(0.02, 0.95)], State.SHOWN).state is State.MISSING
    assert decide("It is flat.", said, [window(0.001, 0.001)], State.SHOWN).state is State.MISSING
    assert decide("It is flat.", [], [], State.SHOWN).state is State.MISSING


def test_numbers_of_the_claim_are_compared_with_those_of_the_passage() -> None:
    def numbers(says: str, said: str) -> list[float]:
        values = features(says, [said], [window(0.9, 0.1)], State.MISSING)
        return [values[FEATURES.index(name)] for name in ("numbers_match", "numbers_differ")]

    assert numbers("The range is 0.8 to 1.2.", "between 0.8 and 1.2") == [1.0, 0.0]
    assert numbers("The range is 0.8 to 1.2.", "up to 1.2") == [0.5, 0.0]
    assert numbers("The range is 0.8 to 1.2.", "between 0.5 and 2") == [0.0, 1.0]
    assert numbers("The range is narrow.", "between 0.5 and 2") == [0.0, 0.0]


def test_the_quote_is_a_verbatim_sentence_and_the_version_names_the_matcher() -> None:
    told = [[SHOWS] for _ in QUESTION.points]
    matcher = child(ANSWERS + REPLY % json.dumps(told))
    examiner = OfflineExaminer(matcher)
    answer = "Beyond the border nothing pulls any more. And that is all."

    assessment = examiner.assess(QUESTION, QUESTION.prompt, answer)

    assert {point.state for point in assessment.points} == {State.SHOWN}
    assert {point.quote for point in assessment.points} == {"Beyond the border nothing pulls any more."}
    assert "phrasings" not in assessment.flags
    assert examiner.version == f"{OfflineExaminer().version}+test"
    matcher.close()
