"""The content gate for questions: a question's phrasings must distinguish its own answers from all other text.

A point may have no phrasings (patterns in `shows`), because the learned matcher compares the point's text with the
answer.
"""

from __future__ import annotations

import datetime
import itertools
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from interviewer.bank.arithmetic import contains_number, evaluate, numbers_in
from interviewer.bank.fields import did_you_mean
from interviewer.bank.load import QUESTIONS, SeedsError, load_source_items, read_questions
from interviewer.examiner.check_answers import dimension_of, spelled, verify, wrong_answers
from interviewer.examiner.matching.overlap import match_point, stems
from interviewer.examiner.matching.patterns import compiled, first_match, first_stated
from interviewer.examiner.matching.sentences import Sentence, split_sentences
from interviewer.session import phrases
from interviewer.session.assessment import CheckResult
from interviewer.session.question import Check, DrawnCheck, Question
from interviewer.session.results import split_instruction
from tasks.load import task_names

# The maximum credit that one question's answers may earn for a neighboring question's points, as a mean over all
# answers and points.
_CREDIT_ELSEWHERE = 0.15
_DRAWS = 12
_VALUES_MIN = 3
_WRONG_MIN = 2
_COMBINATIONS_MAX = 400
_CLAIM = re.compile(r"(?<=[.!?]) +|; +")
_FOR_JUDGE = re.compile(
    r"^(?:At least|Name)\b|\bat least \w+ (?:of|\w+s)\b[^.]*:|\bname at least\b"
    r"|\(one of these\)|\bwill do\b|\b(?:not required|optional)\.$",
    re.IGNORECASE,
)
_ASK_CHARACTERS_MAX = 420
_OWN_SENTENCES = [value for name, value in vars(phrases).items() if name.isupper() and isinstance(value, str)]


def check_questions(
    questions: Sequence[Question],
    shipped: Sequence[Question] = (),
    own_tasks: Iterable[str] = (),
    only: Collection[str] = (),
) -> list[str]:
    """Return the problems with the questions; each line names the question and tells the author what to do next.

    A user's questions are also tested against the answers to shipped questions, but only problems with the user's
    questions are reported. If `only` is given, only the questions with these ids are
    tested, against all other questions.
    """
    seeds = load_source_items()
    shipped_tasks = task_names()
    known_tasks = {*shipped_tasks.titles, *shipped_tasks.current, *own_tasks}
    everyone = [*questions, *shipped]
    answers = {question.id: [split_sentences(rung.answer) for rung in question.rungs] for question in everyone}
    complaints: list[str] = []
    for question in questions:
        if only and question.id not in only:
            continue
        problems = [*find_count_problems(question), *_seeds(question, seeds), *_points(question, answers[question.id])]
        problems += _checked_later(question, datetime.date.today())
        problems += [*_given_away(question), *_beliefs(question, everyone, answers)]
        # A user's own question may omit titles, checks and `enough`; any that it includes are verified.
        problems += [] if shipped else [*_names(question), *_several_claims(question), *_rungs_without_check(question)]
        problems += find_check_problems(question)
        problems += [*_numbers(question), *_links(question, {other.id for other in everyone}, known_tasks)]
        problems += [*_credit_elsewhere(question, questions, answers), *_credit_from(question, shipped, answers)]
        complaints += [f"{question.area}/{question.id}.toml: {line}" for line in problems]
    return complaints


def find_count_problems(question: Question) -> Iterator[str]:
    """Yield a problem for each kind of question part whose count is too low or too high."""
    counts = [
        ("[[point]]", len(question.points), 5, 8),
        ("[[rung]]", len(question.rungs), 4, 5),
        ("[[probe]]", len(question.probes), 3, 99),
        ("[[misconception]]", len(question.misconceptions), 3, 99),
    ]
    counts += [(f"point '{point.id}' shows", len(point.shows), 0, 8) for point in question.points]
    counts += [
        (f"misconception '{misconception.id}' shows", len(misconception.shows), 0, 8)
        for misconception in question.misconceptions
    ]
    for index, rung in enumerate(question.rungs):
        counts += [(f"rung[{index}].hints", len(rung.hints), 2, 2), (f"rung[{index}].points", len(rung.points), 1, 3)]
    for what, count, low, high in counts:
        if not low <= count <= high:
            ranges = {low == high: f"{low}", high == 99: f"at least {low}", low == 0: f"at most {high}"}
            wanted = ranges.get(True, f"{low} to {high}")
            yield f"{what}: expected {wanted}, got {count}"


def _names(question: Question) -> Iterator[str]:
    if not question.called:
        yield 'title: expected a short name, for example "PPO clipping", got nothing'
    for point in question.points:
        if not point.still_open:
            yield (
                f"point '{point.id}' still_open: expected text that says what an answer without this point still "
                "lacks, got nothing"
            )


def _several_claims(question: Question) -> Iterator[str]:
    """Yield a problem for each point that has several claims but does not say how many of them are enough."""
    for point in question.points:
        for_judge = _FOR_JUDGE.search(point.says)
        if rule := for_judge[0] if for_judge else split_instruction(point.says).for_judge:
            yield f"point '{point.id}' says: '{rule}' is an instruction to the judge; move it to `enough`"
        elif not point.enough and (sentences := len(_CLAIM.split(point.says.strip()))) > 1:
            yield (
                f"point '{point.id}' enough: expected text that says how many of its {sentences} claims are enough, "
                "got nothing; add this text, or move all but one claim to the answer"
            )


def _seeds(question: Question, seeds: dict[str, str]) -> Iterator[str]:
    for seed in question.seeds:
        if seed not in seeds:
            yield f"seeds: '{seed}' is not in bank/seeds.toml{did_you_mean(seed, sorted(seeds))}"


def _checked_later(question: Question, today: datetime.date) -> Iterator[str]:
    """Yield a problem for each source with a commit date in the future."""
    for source in question.checked_sources:
        if source.day > today:
            yield f"source {source.path}: '{source.checked}' is in the future; use the date of the commit"


def _numbers(question: Question) -> Iterator[str]:
    """Yield a problem for each rung whose answer does not contain the number that the rung asks for."""
    for index, rung in enumerate(question.rungs):
        if rung.check and not contains_number(rung.answer, value := evaluate(rung.check), rung.within):
            yield (
                f"rung[{index}].check: evaluates to {value:.6g}, "
                f"but no number in the answer is within {rung.within:g} of it"
            )


def _links(question: Question, questions: set[str], tasks: set[str]) -> Iterator[str]:
    for key, names, known in (("tasks", question.tasks, tasks), ("after", question.after, questions - {question.id})):
        for name in names:
            if name not in known:
                yield f"{key}: '{name}' does not exist{did_you_mean(name, sorted(known))}"


def _points(question: Question, answers: Sequence[list[Sentence]]) -> Iterator[str]:
    for point in question.points:
        wanting = [index for index, rung in enumerate(question.rungs) if point.id in rung.points]
        if not wanting:
            yield f"point '{point.id}': not used by any rung; add it to the points of a rung"
        elif point.shows and not any(first_match(point.shows, answers[index]) for index in wanting):
            yield (
                f"point '{point.id}': no phrasing matches the answer to rung {', '.join(map(str, wanting))},"
                " except perhaps under a negation; widen the phrasings or state the point in the answer"
            )


def _given_away(question: Question) -> Iterator[str]:
    own_texts = [(where, split_sentences(text)) for where, text in _interviewer_texts(question)]
    for point in question.points:
        for index, phrasing in enumerate(point.shows):
            for where, sentences in own_texts:
                hit = next((sentence for sentence in sentences if compiled(phrasing).search(sentence.text)), None)
                if hit:
                    yield (
                        f"point '{point.id}' shows[{index}] matches {where} ({hit.quote!r}): "
                        "repeating it would earn the point; narrow the phrasing or reword that text"
                    )


def _interviewer_texts(question: Question) -> Iterator[tuple[str, str]]:
    yield from (("one of the interviewer's stock sentences", sentence) for sentence in _OWN_SENTENCES)
    yield "the prompt", question.prompt
    for number, rung in enumerate(question.rungs):
        yield f"rung[{number}].ask", rung.ask
        for index, hint in enumerate(rung.hints):
            yield f"rung[{number}].hints[{index}]", hint
    for number, probe in enumerate(question.probes):
        yield f"probe[{number}].ask", probe.ask
    for number, check in enumerate(question.checks):
        yield f"check[{number}].ask", check.ask
    for number, entry in enumerate(question.clarify):
        yield f"clarify[{number}].says", entry.says
    for point in question.points:
        yield f"still_open of point '{point.id}'", point.still_open
    for misconception in question.misconceptions:
        yield f"the `ask` of misconception '{misconception.id}'", misconception.ask


def _beliefs(question: Question, others: Sequence[Question], answers: dict[str, list[list[Sentence]]]) -> Iterator[str]:
    for misconception in question.misconceptions:
        for other in others:
            for number, answer in enumerate(answers[other.id]):
                sentence = first_stated(misconception.shows, answer)
                if sentence:
                    yield (
                        f"misconception '{misconception.id}' matches a correct answer, {other.id} rung[{number}] "
                        f"({sentence.quote!r}): narrow its phrasings"
                    )


def _credit_elsewhere(
    question: Question, others: Sequence[Question], answers: dict[str, list[list[Sentence]]]
) -> Iterator[str]:
    for other in others:
        if other.id == question.id or not _are_neighbors(question, other):
            continue
        mean, most = _credit(other, answers[question.id])
        if mean > _CREDIT_ELSEWHERE:
            yield (
                f"this question's answers earn {mean:.2f} of {other.id}'s points (limit {_CREDIT_ELSEWHERE}), mostly "
                f"for {most}: narrow the phrasings of those points, or remove the matching content from this question"
            )


def _are_neighbors(left: Question, right: Question) -> bool:
    """Return whether two questions share a topic and neither builds on the other.

    A question that builds on another question intentionally repeats facts from the earlier question.
    """
    return bool(set(left.topics) & set(right.topics)) and left.id not in right.after and right.id not in left.after


def _credit_from(
    question: Question, shipped: Sequence[Question], answers: dict[str, list[list[Sentence]]]
) -> Iterator[str]:
    for other in shipped:
        if not _are_neighbors(question, other):
            continue
        mean, most = _credit(question, answers[other.id])
        if mean > _CREDIT_ELSEWHERE:
            yield (
                f"the rung answers of {other.id} earn {mean:.2f} of this question's points "
                f"(limit {_CREDIT_ELSEWHERE}), mostly for {most}: narrow the phrasings of those points"
            )


def _credit(listener: Question, answers: Sequence[list[Sentence]]) -> tuple[float, str]:
    """Return the mean credit that another question's answers earn on this question, and its highest-scoring points."""
    asked = stems(listener.prompt)
    credit = dict.fromkeys((point.id for point in listener.points), 0.0)
    for answer in answers:
        for point in listener.points:
            credit[point.id] += match_point(point, answer, asked).state.credit
    most = ", ".join(f"'{name}'" for name in sorted(credit, key=lambda name: -credit[name])[:3])
    return sum(credit.values()) / max(1, len(listener.points) * len(answers)), most


def _rungs_without_check(question: Question) -> Iterator[str]:
    for rung in range(1, len(question.rungs) + 1):
        if not question.checks_of(rung):
            yield f"rung[{rung - 1}]: no [[check]] with rung = {rung}; add a check with an answer that code can verify"


def find_check_problems(question: Question) -> Iterator[str]:
    """Yield the problems with a question's checks."""
    for index, check in enumerate(question.checks):
        for problem in _check_problems(check):
            yield f"check[{index}] (rung {check.rung}): {problem}"


def _check_problems(check: Check) -> Iterator[str]:
    if len(check.ask) > _ASK_CHARACTERS_MAX:
        yield (
            f"ask: {len(check.ask)} characters, expected at most {_ASK_CHARACTERS_MAX}; "
            "a check is asked only once, so keep it short"
        )
    if not check.order and len(check.wrong) < _WRONG_MIN and not (check.holds and check.accepts):
        yield f"wrong: expected at least {_WRONG_MIN} common wrong results, got {len(check.wrong)}"
    if unknown := {given.name for given in check.given if f"{{{given.name}}}" not in _texts(check)}:
        yield f"given: {', '.join(sorted(unknown))} is not used in any text; write {{name}} where the value belongs"
    draws = [check.draw(str(seed)) for seed in range(_DRAWS)]
    if check.number:
        yield from _number_problems(check)
        # Report only the first problem: the others are mostly the same problem with different inputs.
    yield from itertools.islice((problem for drawn in draws for problem in _draw_problems(drawn)), 1)


def _texts(check: Check) -> str:
    return "\n".join((check.ask, check.holds, *check.order, *(claim.says for claim in check.fails)))


def _number_problems(check: Check) -> Iterator[str]:
    values = [given.values for given in check.given]
    combinations = itertools.islice(itertools.product(*values), _COMBINATIONS_MAX)
    names = [given.name for given in check.given]
    results = {round(evaluate(check.number, dict(zip(names, drawn, strict=True))), 9) for drawn in combinations}
    if len(results) < _VALUES_MIN and not check.holds:
        yield (
            f"given: expected inputs that give at least {_VALUES_MIN} different results, got {len(results)}; "
            "with fewer, a candidate could reuse the answer from an earlier session"
        )
    if check.unit and dimension_of(check.unit) is None and not check.unit.isalpha():
        yield f"unit: {check.unit!r} is neither a known unit nor a single word"


def _draw_problems(drawn: DrawnCheck) -> Iterator[str]:
    check, where = drawn.check, f" with {dict(drawn.values)}" if drawn.values else ""
    for answer in spelled(drawn):
        if (result := verify(drawn, answer)) is not CheckResult.RIGHT:
            yield f"the right answer {answer!r} is judged {result.value}{where}; fix the accepted answers"
            return
    for answer in wrong_answers(drawn):
        if verify(drawn, answer) is CheckResult.RIGHT:
            yield f"the wrong answer {answer!r} is accepted{where}; choose other inputs or terms"
            return
    if not check.order and verify(drawn, drawn.text) is CheckResult.RIGHT and not check.holds:
        yield f"the question's own text gives away the answer{where}; reword the question"
        return
    if check.number and evaluate(check.number, drawn.values) in numbers_in(drawn.text):
        yield f"the question's own text contains the requested number{where}"
        return
    shown = drawn.text.lower()
    for term in check.accepts:
        if re.search(rf"(?<!\w){re.escape(term.lower())}(?!\w)", shown):
            yield f"accepts: {term!r} appears in the question's own text"
            return


def source_coverage(questions: Sequence[Question]) -> str:
    """Return a line for the author with the number of source items the questions cover."""
    seeds = load_source_items()
    claimed = {seed for question in questions for seed in question.seeds if seed in seeds}
    return f"seeds claimed: {len(claimed)} of {len(seeds)}"


def main(arguments: Sequence[str]) -> int:
    """Print the problems with a folder of questions, or with one file of the bank; return the exit code."""
    path = Path(arguments[0] if arguments else QUESTIONS).resolve()
    only = path if path.suffix == ".toml" else None
    questions, problems = read_questions(path.parent.parent if only else path)
    try:
        complaints = problems + check_questions(questions, only=[only.stem] if only else [])
        claimed = source_coverage(questions)
    except SeedsError as error:
        complaints, claimed = list(error.problems), "seeds claimed: unknown"
    if only:
        complaints = [line for line in complaints if f"/{only.name}:" in line]
        if not complaints and only.stem not in {question.id for question in questions}:
            complaints = [f"{only}: not a question file; expected <questions>/<area>/<slug>.toml"]
    lines = [*complaints, f"questions: {len(questions)} valid, {len(complaints)} complaints", claimed]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
