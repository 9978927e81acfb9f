"""Renders the debrief as Markdown, with quotes as evidence, from the session alone and without calling a model."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from graders.verdict import failed_cases
from interviewer.session import phrases
from interviewer.session.assessment import PHRASINGS_ONLY, CheckResult, State
from interviewer.session.move import MoveKind
from interviewer.session.phrases import pluralize, shorten
from interviewer.session.question import Question
from interviewer.session.results import (
    ANSWER_CHARACTERS_MAX,
    PracticeItem,
    improvised_questions,
    judge_name,
    judged_by,
    judges,
    missed_points,
    model_sentence,
    practice_items,
    question_result,
    questions_after_pass,
    stopped_at,
    summary_line,
    task_result,
)
from interviewer.session.scoring import NO_ANSWER, is_rung_passed, session_depth
from interviewer.session.state import OFFLINE, Answer, Drill, PracticeTry, Session, TaskWork

OFFLINE_NOTE = (
    "The offline examiner compares the wording of your answers with known statements. "
    "Your own marks are listed next to the examiner's and never change them."
)
# Characters that Markdown would interpret as markup in this position. An underscore inside a word (kv_cache) and a
# bracket that does not start a link (scale[0, 0]) need no backslash, so the debrief's source reads the same as the
# rendered page.
_MARKUP = re.compile(
    r"([\\`*|~$])"
    r"|(?<![^\W_])(_)|(_)(?![^\W_])"
    r"|(&)(?=#?\w+;)|(<)(?=[A-Za-z/!?])|(\[)(?=\^)|(\])(?=[(:])"
    r"|^([\[#>+=:-])"
)
_NUMBERED = re.compile(r"^(\d+)([.)])(?= |$)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEDGE = re.compile(
    r"\b(?:i think|i guess|i believe|maybe|perhaps|probably|kind of|sort of|possibly|not sure)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class AnswerStatistics:
    """Statistics over all answers to questions: medians per answer, and hedges per 100 words."""

    answers: int
    seconds: float
    words: float
    numbers: float
    hedges: float

    def __str__(self) -> str:
        """Return the statistics as one sentence."""
        return (
            f"{pluralize(self.answers, 'answer')}. Per answer (median): {self.seconds:.0f} s from question to answer, "
            f"{pluralize(round(self.words), 'word')}, {pluralize(round(self.numbers), 'number')}; "
            f"{self.hedges:.1f} hedges (I think, maybe, …) "
            "per 100 words."
        )


def escape_markdown(text: str) -> str:
    """Collapse the text to one line, and escape the characters that Markdown would interpret as markup."""
    escaped = _MARKUP.sub(lambda match: f"\\{match[0]}", " ".join(text.split()))
    return _NUMBERED.sub(r"\1\\\2", escaped)


def plain_debrief(session: Session) -> str:
    """Return the debrief for a terminal that does not render Markdown; quotes and code are left unescaped."""
    return without_escapes(debrief(session))


def without_escapes(markdown: str) -> str:
    """Return the Markdown without the backslashes that `escape_markdown` added, to show it as plain text."""
    return _ESCAPED.sub(r"\1", markdown)


def debrief(session: Session) -> str:
    """Return the debrief as Markdown: results, missed points, what to practice, then the evidence and the notes."""
    notes = _Notes()
    lines = [*_header(session, notes), *_results(session), *_missed(session, notes)]
    lines += practice_lines(practice_items([session]))
    for drill in session.drills:
        lines += _question_section(session, drill, notes)
    asked = questions_after_pass(session)
    for work in session.works:
        lines += _task_section(escape_markdown(session.task(work.task).title), work, asked.get(work.task))
    lines += [
        *_answer_statistics(session),
        *_taken_back(session),
        *_unjudged(session),
        *_observed(session),
        *_after_the_interview(session),
        *summary_section(session),
        *notes.lines(),
    ]
    return "\n".join(lines) + "\n"


class _Notes:
    """The footnotes of a debrief, numbered in the order of their first use."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def refer(self, text: str) -> str:
        """Return a reference to the note with this text, preceded by a space; "" if the text is empty."""
        if not text:
            return ""
        if text not in self._texts:
            self._texts.append(text)
        return f" (note {self._texts.index(text) + 1})"

    def lines(self) -> Iterator[str]:
        """Yield the lines of the section with all notes."""
        if self._texts:
            yield "## Notes"
            yield ""
            yield from (f"{number}. {escape_markdown(text)}" for number, text in enumerate(self._texts, 1))
            yield ""


def _header(session: Session, notes: _Notes) -> Iterator[str]:
    minutes = f"{session.elapsed_seconds / 60:.0f} of {pluralize(round(session.plan.minutes), 'minute')}."
    names = judges(session, session.drills)
    yield "# Debrief"
    yield ""
    if names:
        measured = notes.refer(_figures(session))
        yield f"{minutes} Judged by: {escape_markdown('; '.join(names))}{measured}."
    else:
        yield minutes
    for notice in session.notices:
        yield f"Note: {escape_markdown(notice)}"
    yield ""


def _figures(session: Session) -> str:
    """Return the calibration result for each judge in this session, and the interval for each depth estimate."""
    graded = [a.assessment for drill in session.drills for a in drill.answers if a.assessment.is_graded]
    measured = {calibration.examiner: str(calibration) for calibration in session.calibrations}
    figures = [
        f"{judge_name(session, judge)}{' (compares wording)' * (judge == OFFLINE)}: "
        f"{measured.get(judge, phrases.UNCALIBRATED)}."
        for judge in dict.fromkeys(assessment.judge for assessment in graded)
    ]
    if without_matcher := sum(PHRASINGS_ONLY in assessment.flags for assessment in graded):
        figures.append(phrases.figures_do_not_hold(without_matcher))
    depths = [
        f"{session.question(drill.question).title}: {depth}"
        for drill in session.drills
        if (depth := session_depth(session, drill))
    ]
    return " ".join([*figures, f"Depths with their intervals: {'; '.join(depths)}." if depths else ""]).strip()


def _results(session: Session) -> Iterator[str]:
    for drill in session.drills:
        title = session.question(drill.question).title
        yield f"- **{escape_markdown(title)}**: {escape_markdown(_sentence(question_result(session, drill)))}"
    for work in session.works:
        title = session.task(work.task).title
        yield f"- **{escape_markdown(title)}**: {escape_markdown(task_result(work))}."
    if session.drills or session.works:
        yield ""


def _sentence(text: str) -> str:
    """Return the text with a period, unless it ends with a mark of its own."""
    return text if text.endswith(("”", ".", "!", "?")) else f"{text}."


def _missed(session: Session, notes: _Notes) -> Iterator[str]:
    """Yield the section on missed points, with the model answer's sentence for each."""
    missed = [
        (question.title, [model_sentence(question.point(point)) for point in points])
        for drill in session.drills
        if (points := missed_points(question := session.question(drill.question), drill))
    ]
    if not missed:
        return
    yield "## What you missed"
    yield ""
    if any(answer.assessment.judge == OFFLINE for drill in session.drills for answer in drill.answers):
        yield f"“Not heard” does not mean wrong.{notes.refer(OFFLINE_NOTE)}"
        yield ""
    for title, sentences in missed:
        yield f"**{escape_markdown(title)}**"
        yield ""
        for sentence in sentences:
            yield f"- {escape_markdown(sentence.says)}{notes.refer(_rule(sentence.for_judge))}"
        yield ""


def _rule(for_judge: str) -> str:
    return f"The rubric tells the judge: {for_judge}" if for_judge else ""


def _question_section(session: Session, drill: Drill, notes: _Notes) -> Iterator[str]:
    question, observed = session.question(drill.question), session.observed
    yield f"## {escape_markdown(question.title)}"
    yield ""
    yield f"Asked: {escape_markdown(question.prompt)}"
    yield ""
    seen = {
        point.id: f" Observer's mark: {state.value}."
        for point in question.points
        if (state := observed.state_of(question.id, point.id))
    }
    if not drill.answers:
        yield "Not answered: ungraded."
        for point in question.points:
            if point.id in seen:
                yield f"- {escape_markdown(model_sentence(point).says)}{seen[point.id]}"
        yield ""
        return
    shown = [credit for credit in drill.credits if credit.state.credit]
    yield f"Heard {len(shown)} of {len(question.points)} points."
    yield ""
    own_marks = {mark.point: mark.state for mark in drill.self_marks or ()}
    for point in question.points:
        credit = drill.credit_of(point.id)
        heard = f"**{phrases.HEARD[credit.state]}** “{escape_markdown(credit.quote)}”" if credit else "**not heard**."
        heard += f" {escape_markdown(asked)}" if (asked := contradiction_note(drill, point.id)) else ""
        own = f" Your own mark: {own_marks[point.id].value}." if point.id in own_marks else ""
        appeal = f" Your appeal: {escape_markdown(why)}" if (why := drill.appeal_of(point.id)) else ""
        sentence = model_sentence(point)
        rule = notes.refer(_rule(sentence.for_judge))
        reason = f" The model's reason: {escape_markdown(credit.why)}" if credit and credit.why else ""
        yield f"- {escape_markdown(sentence.says)} {heard}{rule}{reason}{own}{seen.get(point.id, '')}{appeal}"
    yield ""
    yield from _answers(session, drill)
    yield from _rungs(question, drill)
    yield from _failed_rung(question, drill)
    for belief in drill.beliefs:
        says = question.misconception(belief.id).says
        after = " You corrected it when asked." if belief.id in drill.corrected else ""
        yield f"Misconception: {escape_markdown(says)} You said: “{escape_markdown(belief.quote)}”.{after}"
        yield ""
    yield from _help_and_doubts(session, drill)
    yield f"Source: {escape_markdown('; '.join(question.sources_with_versions))}"
    yield ""


def contradiction_note(drill: Drill, point_id: str) -> str:
    """Return a note on a contradicted point that the candidate was asked about; "" for any other point."""
    credit, found = drill.credit_of(point_id), drill.contradiction_of(point_id)
    if credit is None or found is None:
        return ""
    if credit.state is State.CONTRADICTED:
        return "You were asked about this." if found.quote == credit.quote else f"You were asked about “{found.quote}”."
    if not found.is_corrected:
        return ""
    # The examiner can be wrong about a contradiction, so the note only says that there seemed to be one.
    return f"You said “{found.quote}” before, which seemed to contradict this point. You corrected it when asked."


def _answers(session: Session, drill: Drill) -> Iterator[str]:
    """Yield each answer and who judged it, and the text of each question that a model improvised."""
    yield "Your answers:"
    yield ""
    for answer in drill.answers:
        asked = f"rung {answer.rung}" if answer.rung else "opening"
        if answer.assessment.why_not == phrases.NEVER_SCORED:
            asked = f"improvised question: {escape_markdown(answer.asked)}"
        text = escape_markdown(shorten(answer.text, ANSWER_CHARACTERS_MAX))
        yield f"- {asked[:1].upper()}{asked[1:]}: “{text}” {escape_markdown(judged_by(session, answer))}"
    # A question that was never answered appears only in the transcript.
    for part, text, reply in improvised_questions(session):
        if not reply and session.plan.parts[part].id == drill.question:
            yield f"- Improvised question: {escape_markdown(text)} Not answered."
    yield ""


def rung_findings(question: Question, drill: Drill) -> list[tuple[str, str]]:
    """Return a sentence about the result of each rung, and the answer that decided this result (or "").

    A model's judgment does not require a check, so a missing check is not reported.
    """
    findings: list[tuple[str, str]] = []
    if not drill.checked and not any(answer.assessment.judge == OFFLINE for answer in drill.answers):
        return findings
    for number in range(1, len(question.rungs) + 1):
        decisive = [answer for answer in drill.answers if answer.rung == number and answer.is_decisive]
        if decisive and decisive[-1].is_to_check:
            findings.append((f"Rung {number}: {_check_finding(decisive[-1])}.", decisive[-1].text))
        elif decisive:
            findings.append((f"Rung {number}: your answer was right, but then you abandoned it.", decisive[-1].text))
        elif is_rung_passed(question, drill, number):
            findings.append((f"Rung {number}: heard, not checked.", ""))
    return findings


def _check_finding(answer: Answer) -> str:
    """Describe the result of a decisive answer to a check."""
    if answer.has_passed:
        return "checked, and your answer was right"
    if answer.assessment.check is CheckResult.WRONG:
        return "checked, and your answer was wrong"
    if NO_ANSWER.intersection(answer.assessment.flags):
        return "checked, and you did not know the answer"
    return "checked, but your answer did not give one clear and complete result"


def _rungs(question: Question, drill: Drill) -> Iterator[str]:
    if findings := rung_findings(question, drill):
        yield from (f"- {says}" for says, _ in findings)
        yield ""


def _failed_rung(question: Question, drill: Drill) -> Iterator[str]:
    number = stopped_at(question, drill)
    if not number:
        return
    rung = question.rungs[number - 1]
    last = next((answer for answer in reversed(drill.answers) if answer.rung == number), drill.answers[-1])
    yield f"Stopped at rung {number}: {escape_markdown(rung.ask)}"
    yield ""
    yield f"Your last answer there: “{escape_markdown(last.text[:400])}”"
    yield ""
    lacking = [point for point in rung.points if not drill.is_credited(point)]
    if lacking:
        sentence = model_sentence(question.point(lacking[0]))
        yield f"A point that was not heard here: {escape_markdown(sentence.says)}"
        yield ""
    yield f"A full answer there: {escape_markdown(rung.answer)}"
    yield ""


def _help_and_doubts(session: Session, drill: Drill) -> Iterator[str]:
    """Yield notes on help given, recited answers, and the candidate's reaction when a right answer was questioned."""
    question = session.question(drill.question)
    if help_at := sorted((*drill.pumped, *drill.hints, *drill.halved)):
        yield f"You got help at rung {', '.join(map(str, dict.fromkeys(help_at)))}."
        yield ""
    for rung in drill.recited:
        later = [answer for answer in drill.answers if answer.rung > rung]
        if any(is_rung_passed(question, drill, answer.rung) for answer in later):
            told = "You passed a later rung, which suggests that you understood the answer."
        elif any(answer.has_passed is not None for answer in later):
            told = "You did not pass a later rung."
        else:
            told = "Your answers at later rungs could not be judged." if later else "There was no follow-up."
        yield f"Your answer at rung {rung} matched the reference answer almost word for word. {told}"
        yield ""
    for doubt in drill.doubts:
        is_open = "your reply left it open" if _has_replied_to_doubt(session, drill) else "you did not reply"
        stood = {True: "you stood by it", False: "you gave in", None: is_open}[doubt.stood]
        yield f"The interviewer questioned a right answer (“{escape_markdown(doubt.quote)}”): {stood}."
        yield ""


def _has_replied_to_doubt(session: Session, drill: Drill) -> bool:
    """Return whether the candidate said anything after the interviewer questioned a right answer of this drill."""
    asked = ("question", drill.question)
    part = next(place for place, part in enumerate(session.plan.parts) if (part.kind, part.id) == asked)
    turns = [turn for turn in session.transcript if turn.part == part]
    after_doubt = dropwhile(lambda turn: turn.move is not MoveKind.DOUBT, turns)
    return any(not turn.is_interviewer for turn in after_doubt)


def _task_section(title: str, work: TaskWork, after_pass: tuple[str, str] | None) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    minutes = (work.closed_seconds or work.opened_seconds) - work.opened_seconds
    made = f"{pluralize(work.hints, 'hint')}, {pluralize(len(work.submissions), 'submission')}"
    yield f"{pluralize(round(minutes / 60), 'minute')}, {made}."
    yield ""
    for attempt in work.attempts:
        if attempt.report is not None and not attempt.has_loaded:
            why, _, _ = attempt.report.cases[0].message.partition("\n")
            yield f"- Did not load (not counted): {escape_markdown(why)}"
    if len(work.submissions) < len(work.attempts):
        yield ""
    for number, attempt in enumerate(work.submissions, 1):
        if attempt.report is None:
            yield f"{number}. ungraded: {escape_markdown(attempt.failure or 'the session ended before the verdict')}"
            continue
        report = attempt.report
        failed = failed_cases(report)
        mistake = "".join(
            f" {'Mistake' if mistake.is_exact else 'Looks like'}: {escape_markdown(mistake.wrong)}"
            for mistake in report.mistakes
        )
        mistake += "".join(f" {escape_markdown(symptom.says)}" for symptom in report.symptoms)
        first = f" {failed[0].names[0]}: {escape_markdown(_sentence(failed[0].message))}" if failed else ""
        yield (
            f"{number}. **{phrases.verdict_text(report.verdict)}**, {phrases.cases_passed(report)} "
            f"({report.isolation.split(':')[0]}, seed {report.seed}).{first}{mistake}"
        )
    yield ""
    if after_pass:
        asked, answer = after_pass
        text = escape_markdown(shorten(answer, ANSWER_CHARACTERS_MAX))
        yield (
            f"Asked after you passed (not scored): {escape_markdown(asked)} {f'“{text}”' if text else 'Not answered.'}"
        )
        yield ""


def practice_lines(items: Sequence[PracticeItem]) -> Iterator[str]:
    """Yield the section on what to practice next; yields nothing if there are no items to practice."""
    if items:
        yield "## Practice next"
        yield ""
        for item in items:
            yield f"- {escape_markdown(item.says)}"
            yield f"  - Start it: {item.start_command}"
            if item.code_command:
                yield f"  - Code for it: {item.code_command}"
        yield ""


def _answer_statistics(session: Session) -> Iterator[str]:
    answered = answer_statistics(session)
    if answered:
        yield "## How you answered"
        yield ""
        yield f"For information only; does not affect the results: {answered}"
        yield ""


def _taken_back(session: Session) -> Iterator[str]:
    if not session.taken_back:
        return
    yield "## Answers you changed"
    yield ""
    yield "These answers do not affect the results."
    yield ""
    for taken_back in session.taken_back:
        part = escape_markdown(session.title_of(session.plan.parts[taken_back.answer.part]))
        when = "after its reply was shown" if taken_back.reply else "before it was judged"
        yield f"- {part}, {when}: “{escape_markdown(taken_back.answer.text[:400])}”"
    yield ""


def _unjudged(session: Session) -> Iterator[str]:
    unjudged = [answer for drill in session.drills for answer in drill.answers if not answer.assessment.is_graded]
    if unjudged:
        yield "## Not judged"
        yield ""
        for answer in unjudged:
            why_not = escape_markdown(answer.assessment.why_not)
            yield f"- “{escape_markdown(answer.text[:200])}” ({why_not})"
        yield ""


def _observed(session: Session) -> Iterator[str]:
    turns = session.transcript
    asked = [number for number, turn in enumerate(turns) if turn.move is MoveKind.OBSERVER]
    if asked:
        yield "## Asked by an observer"
        yield ""
        yield "Answers to these questions are not judged. The observer's marks are listed with the points above."
        yield ""
    for number in asked:
        after = turns[number + 1] if number + 1 < len(turns) else None
        answer = "not answered" if after is None or after.is_interviewer else f"“{escape_markdown(after.text[:400])}”"
        yield f"- {escape_markdown(turns[number].text)} {answer}"
    if asked:
        yield ""


def _after_the_interview(session: Session) -> Iterator[str]:
    """Yield the explanations that the candidate asked for in the debrief, and the candidate's new answers."""
    if not session.explanations and not session.practice:
        return
    yield "## After the interview"
    yield ""
    yield "Practice, not scored: none of this changes a result."
    yield ""
    for explanation in session.explanations:
        says = model_sentence(session.question(explanation.ref.question).point(explanation.ref.point)).says
        yield f"- {escape_markdown(says)} Explained by {escape_markdown(explanation.author)}: "
        yield f"  {escape_markdown(explanation.text)}"
    for attempt in session.practice:
        text = escape_markdown(shorten(attempt.text, ANSWER_CHARACTERS_MAX))
        yield f"- {escape_markdown(attempt.asked)} “{text}”"
        yield from (f"  {line}" for line in practice_result(session, attempt))
    yield ""


def practice_result(session: Session, attempt: PracticeTry) -> list[str]:
    """Return, as Markdown list items, which of a rung's points were covered in a practice answer to its question."""
    question, judged = session.question(attempt.ref.question), attempt.assessment
    if not judged.is_graded:
        return [f"- Not judged: {escape_markdown(judged.why_not)}"]
    heard = {point.id: point for point in judged.points}
    lines = []
    for name in dict.fromkeys((attempt.ref.point, *question.rungs[attempt.rung - 1].points)):
        says = escape_markdown(model_sentence(question.point(name)).says)
        found = heard.get(name)
        label = phrases.HEARD.get(found.state) if found else None
        quote = f" “{escape_markdown(found.quote)}”" if found and found.quote else ""
        lines.append(f"- {says} **{label}**{quote}" if label else f"- {says} **not heard**.")
    return [*lines, f"- Judged by: {escape_markdown(judge_name(session, judged.judge))}. Not scored."]


def summary_section(session: Session) -> Iterator[str]:
    """Yield the model's summary of the session, labeled as written by a model."""
    summary = session.summary
    if summary is None or not (summary.sentences or summary.plan):
        return
    yield f"## {escape_markdown(phrases.written_by(summary.author))}"
    yield ""
    if summary.sentences:
        yield from (f"- {escape_markdown(line)}" for line in map(summary_line, summary.sentences))
        yield ""
    if summary.plan:
        yield "Study plan:"
        yield ""
        for number, line in enumerate(map(summary_line, summary.plan), 1):
            yield f"{number}. {escape_markdown(line)}"
        yield ""


def answer_statistics(session: Session) -> AnswerStatistics | None:
    """Return statistics on the answers to questions, or None if there are no answers."""
    questions = {place for place, part in enumerate(session.plan.parts) if part.kind == "question"}
    waits, texts = [], []
    asked_at = None
    for turn in session.transcript:
        if turn.is_interviewer:
            asked_at = turn.at
        elif turn.part in questions and asked_at is not None:
            waits.append(turn.at - asked_at)
            texts.append(turn.text)
    if not texts:
        return None
    words = [len(text.split()) for text in texts]
    return AnswerStatistics(
        answers=len(texts),
        seconds=statistics.median(waits),
        words=statistics.median(words),
        numbers=statistics.median(len(_NUMBER.findall(text)) for text in texts),
        hedges=100 * sum(len(_HEDGE.findall(text)) for text in texts) / max(1, sum(words)),
    )
