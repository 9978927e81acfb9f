"""Writes the report as one HTML file without scripts or requests; the candidate's text is never parsed as markup.

The report quotes the evidence for each point, and shows the first failing case of the last attempt at each task.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from graders.verdict import Verdict, failed_cases
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, LoggedDrill
from interviewer.log.reports.lab import KeptLab, labs_section
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.log.reports.overview import (
    NOTHING_YET,
    due_text,
    duration_text,
    judge_figures,
    local_date,
    practice_next,
    summary,
)
from interviewer.log.reports.svg import timeline, verdict_strip
from interviewer.log.reports.text_plots import DEPTH_MAX
from interviewer.log.schedule import DueItem
from interviewer.log.trends import Agreement, TopicTrend, best_seconds, mark_agreement
from interviewer.session.assessment import State
from interviewer.session.debrief import contradiction_note, rung_findings
from interviewer.session.phrases import HEARD, NEVER_SCORED, pluralize, verdict_text, written_by
from interviewer.session.results import (
    PracticeItem,
    improvised_questions,
    judged_by,
    missed_points,
    model_sentence,
    question_result,
    questions_after_pass,
    summary_line,
)
from interviewer.session.state import PracticeTry, Session

WORDS_MAX = 400
SUMMARIES_MAX = 3
# With this policy, the browser blocks requests and scripts even if a bug lets them into the page.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_SHARES = (0.25, 0.5, 0.75)


def drill_section(past: LoggedDrill) -> Html:
    """Return a question's section: result, missed points, each point with its quote, and each answer with its judge."""
    question, drill = past.question, past.drill
    pieces = [
        tag("h3", f"{question.title}: {question_result(past.session, drill)}"),
        tag("p", f"{local_date(past.at)}. Asked: {question.prompt}"),
    ]
    if not drill.answers:
        return tag("section", *pieces, tag("p", "Not answered: ungraded."), *_only_observed(past), class_="part")
    if missed := missed_points(question, drill):
        sentences = (tag("li", model_sentence(question.point(point)).says) for point in missed)
        pieces += [tag("p", tag("b", "What you missed:")), tag("ul", *sentences)]
    pieces += [tag("p", tag("b", "Points:")), tag("ul", *_points(past))]
    pieces += [tag("p", tag("b", "Your answers:")), tag("ul", *_said(past))]
    if findings := rung_findings(question, drill):
        pieces.append(tag("ul", *(tag("li", says, " ", tag("q", quote) if quote else "") for says, quote in findings)))
    pieces += _break(past)
    if practiced := [attempt for attempt in past.session.practice if attempt.ref.question == question.id]:
        pieces += [tag("p", tag("b", "Practice after the interview (not scored):")), tag("ul", *map(_tried, practiced))]
    for belief in drill.beliefs:
        says = question.misconception(belief.id).says
        after = " Corrected when asked." if belief.id in drill.corrected else ""
        pieces.append(tag("p", tag("b", "Misconception: ", class_="bad"), says, after))
        pieces.append(tag("blockquote", belief.quote))
    if changed := _changed_count(past):
        pieces.append(tag("p", f"Answers you changed: {changed}. Retracted answers do not count."))
    if drill.hints:
        pieces.append(tag("p", f"Hints used at rung {', '.join(map(str, drill.hints))}."))
    if past.depth:
        pieces.append(tag("p", f"Depth with its interval: {past.depth}.", class_="soft"))
    for rule in dict.fromkeys(model_sentence(point).for_judge for point in question.points):
        if rule:
            pieces.append(tag("p", f"The rubric tells the judge: {rule}", class_="soft"))
    pieces.append(tag("p", f"Source: {'; '.join(question.sources_with_versions)}", class_="soft"))
    return tag("section", *pieces, class_="part")


def _tried(attempt: PracticeTry) -> Html:
    heard = sum(point.state.credit > 0 for point in attempt.assessment.points)
    told = f" Heard {pluralize(heard, 'point')}." if attempt.assessment.is_graded else " Not judged."
    return tag("li", f"Rung {attempt.rung}: ", tag("q", attempt.text[:WORDS_MAX]), told)


def _changed_count(past: LoggedDrill) -> int:
    parts = past.session.plan.parts
    return sum(parts[pair.answer.part].id == past.question.id for pair in past.session.taken_back)


def _points(past: LoggedDrill) -> Iterator[Html]:
    own = {mark.point: mark.state.value for mark in past.drill.self_marks or ()}
    for point in past.question.points:
        credit = past.drill.credit_of(point.id)
        words = HEARD[credit.state] if credit else "not heard"
        state = tag("span", words, class_=f"state {credit.state.value if credit else 'missing'}")
        quote = tag("q", credit.quote) if credit and credit.quote else ""
        note = contradiction_note(past.drill, point.id)
        asked = tag("span", f" {note}", class_="soft") if note else ""
        mark = tag("span", f" Your own mark: {own[point.id]}.", class_="soft") if point.id in own else ""
        why = past.drill.appeal_of(point.id)
        appeal = tag("span", f" Your appeal: {why}", class_="soft") if why else ""
        says, seen = model_sentence(point).says, _observed(past, point.id)
        yield tag("li", says, " ", state, " ", quote, asked, mark, seen, appeal)


def _said(past: LoggedDrill) -> Iterator[Html]:
    """Yield each answer and who judged it, and the text of each question that a model improvised."""
    for answer in past.drill.answers:
        is_beyond = answer.assessment.why_not == NEVER_SCORED
        asked = f"Improvised question: {answer.asked}" if is_beyond else f"Rung {answer.rung}:"
        asked = asked if is_beyond or answer.rung else "Opening:"
        yield tag("li", f"{asked} ", tag("q", answer.text[:WORDS_MAX]), f" {judged_by(past.session, answer)}")
    for part, text, reply in improvised_questions(past.session):
        if not reply and past.session.plan.parts[part].id == past.question.id:
            yield tag("li", f"Improvised question: {text} Not answered.")


def _only_observed(past: LoggedDrill) -> Iterator[Html]:
    seen = [point for point in past.question.points if point.id in past.observed]
    if seen:
        yield tag("ul", *(tag("li", model_sentence(point).says, _observed(past, point.id)) for point in seen))


def _observed(past: LoggedDrill, point: str) -> Html:
    mark = past.observed.get(point)
    return tag("span", f" Observer's mark, by {mark.who}: {mark.state.value}.", class_="soft") if mark else Html("")


def _break(past: LoggedDrill) -> Iterator[Html]:
    drill = past.drill
    if not drill.broke_at:
        return
    rung = past.question.rungs[drill.broke_at - 1]
    last = next((answer for answer in reversed(drill.answers) if answer.rung == drill.broke_at), drill.answers[-1])
    yield tag("p", tag("b", f"Stopped at rung {drill.broke_at}: "), rung.ask)
    yield tag("blockquote", last.text[:WORDS_MAX])
    yield tag("p", tag("b", "A full answer there: "), rung.answer)


def task_section(title: str, attempts: Sequence[LoggedAttempt], after_pass: tuple[str, str] | None = None) -> Html:
    """Return a task's section: its verdicts in order, the first failing case from the last attempt, and the last
    question asked after a pass, with its answer.
    """
    last = attempts[-1]
    passed = sum(attempt.report.verdict is Verdict.PASSED for attempt in attempts)
    best = best_seconds(attempts)
    verdict = verdict_text(last.report.verdict)
    tally = f"{passed} of {len(attempts)} passed; last {local_date(last.at)} ({last.origin}): {verdict}."
    timed = f" Best time {duration_text(best)}." if best is not None else ""
    pieces = [tag("h3", title, " ", verdict_strip(attempts)), tag("p", tally + timed)]
    pieces += [tag("p", f"{', '.join(group.names)}: {group.message}") for group in failed_cases(last.report)[:1]]
    pieces += [
        tag("p", tag("b", "Mistake: " if mistake.is_exact else "Looks like: "), mistake.wrong)
        for mistake in last.report.mistakes
    ]
    pieces += [tag("p", tag("b", "Symptom: "), symptom.says) for symptom in last.report.symptoms]
    if after_pass:
        answer = tag("q", after_pass[1][:WORDS_MAX]) if after_pass[1] else "Not answered."
        pieces.append(tag("p", tag("b", "Asked after you passed (not scored): "), after_pass[0], " ", answer))
    how = f"{last.report.isolation.split(':')[0]}, {last.report.device}, seed {last.report.seed}"
    pieces.append(tag("p", f"{how}, {pluralize(last.hints, 'hint')}", class_="soft"))
    return tag("section", *pieces, class_="part")


def unjudged_section(drills: Sequence[LoggedDrill]) -> Html:
    """Return the answers that were not judged, each with the reason; empty if there are none."""
    items = [
        tag("li", tag("q", answer.text[:WORDS_MAX]), f" {past.question.title}: {answer.assessment.why_not}")
        for past in drills
        for answer in past.drill.answers
        if not answer.assessment.is_graded
    ]
    return joined(tag("h2", "Not judged"), tag("ul", *items)) if items else Html("")


def html_report(
    history: History,
    topics: Sequence[TopicTrend],
    due: Sequence[DueItem],
    title: str,
    made_at: float,
    labs: Sequence[KeptLab] = (),
) -> str:
    """Return the whole report as HTML, with the latest memory lab results. `made_at` is in seconds since 1970."""
    measured = labs_section(labs, [history.title_of(kept.result.task) for kept in labs])
    if history.is_empty:
        body = joined(tag("h1", title), tag("p", NOTHING_YET), measured)
    else:
        drills = history.drills()
        body = joined(
            tag("h1", title),
            tag("p", summary(history, " (see the end)" if judge_figures(history) else "")),
            _practice_next(history),
            _due(history, due),
            _map(topics),
            _timeline(history, drills),
            _tasks(history),
            measured,
            _answers(drills),
            _summaries(history),
            _agreement(mark_agreement(history)),
            unjudged_section(drills),
            *(tag("p", f"Left out: {reason}", class_="soft") for reason in history.unreadable),
            tag(
                "footer",
                *(tag("p", figures) for figures in [judge_figures(history)] if figures),
                tag("p", f"Generated by interviewer on {local_date(made_at)} from the practice log on this machine."),
            ),
        )
    return html_document(title, body)


def html_document(title: str, body: Html) -> str:
    """Return a page with this body; every page gets its style and its content security policy from this function."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Html(Path(__file__).with_name("page.css").read_text(encoding="utf-8"))),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _due(history: History, due: Sequence[DueItem]) -> Html:
    items = [tag("li", due_text(history, item), tag("code", item.start_command)) for item in due]
    return joined(tag("h2", "Due for review"), tag("ul", *items) if items else tag("p", "Nothing is due."))


def _practice_next(history: History) -> Html:
    items = practice_next(history)
    if not items:
        if any(attempt.report.verdict is not Verdict.PASSED for attempt in history.attempts()[-1:]):
            return Html("")
        return joined(tag("h2", "What next"), tag("p", "Nothing failed last time."))
    return joined(tag("h2", "What next"), tag("ul", *map(_practice_item, items)))


def _practice_item(item: PracticeItem) -> Html:
    code = [" Code for it: ", tag("code", item.code_command)] if item.code_command else []
    return tag("li", f"{item.says} ", tag("code", item.start_command), *code)


def _map(topics: Sequence[TopicTrend]) -> Html:
    with_rungs = [topic for topic in topics if topic.rungs]
    if not with_rungs:
        return Html("")
    columns = range(1, max(DEPTH_MAX, *(max(topic.rungs) for topic in with_rungs)) + 1)
    heading = tag(
        "tr",
        tag("th", "topic, rung"),
        *(tag("th", str(rung), class_="number") for rung in columns),
        tag("th", "depth now"),
    )
    rows = [
        tag("tr", tag("th", topic.name), *(_cell(topic, rung) for rung in columns), tag("td", topic.depth_now))
        for topic in with_rungs
    ]
    caption = "2/3 means: passed two of the three times this rung was judged. Deeper rungs are to the right."
    table = tag("div", tag("table", heading, *rows), class_="scroll")
    return joined(tag("h2", "Topics and depth"), tag("p", caption, class_="soft"), table)


def _cell(topic: TopicTrend, rung: int) -> Html:
    held, judged = topic.rungs.get(rung, (0, 0))
    if not judged:
        return tag("td", "–", class_="number")
    shade = sum(held / judged >= share for share in _SHARES)
    return tag("td", f"{held}/{judged}", class_=f"number h{shade}")


def _timeline(history: History, drills: Sequence[LoggedDrill]) -> Html:
    if not history.sessions:
        return Html("")
    caption = "Each dot shows a question's depth, and the bar shows its interval. Below: session lengths in minutes."
    return joined(tag("h2", "Timeline"), timeline(history.sessions, drills), tag("p", caption, class_="soft"))


def _tasks(history: History) -> Html:
    tasks = sorted({attempt.task for attempt in history.attempts()})
    if not tasks:
        return Html("")
    asked = {task: said for session in history.sessions for task, said in questions_after_pass(session).items()}
    sections = (task_section(history.title_of(task), history.attempts(task), asked.get(task)) for task in tasks)
    return joined(tag("h2", "Tasks"), *sections)


def _answers(drills: Sequence[LoggedDrill]) -> Html:
    latest: dict[str, LoggedDrill] = {}
    for past in drills:
        if past.is_graded or past.question.id not in latest:
            latest[past.question.id] = past
    if not latest:
        return Html("")
    caption = "Each question as last judged. “Not heard” does not mean wrong: the offline examiner compares wording."
    sections = [drill_section(past) for past in sorted(latest.values(), key=lambda past: -past.at)]
    return joined(tag("h2", "Evidence"), tag("p", caption, class_="soft"), *sections)


def _summaries(history: History) -> Html:
    """Return the model's summary of the latest sessions, labeled as written by a model."""
    written = [session for session in history.sessions if (one := session.summary) and (one.sentences or one.plan)]
    return joined(*(_summary(session) for session in reversed(written[-SUMMARIES_MAX:])))


def _summary(session: Session) -> Html:
    summary = session.summary
    assert summary is not None
    pieces = [
        tag("h2", written_by(summary.author)),
        tag("p", f"About the session on {local_date(session.started_at)}.", class_="soft"),
    ]
    if summary.sentences:
        pieces.append(tag("ul", *(tag("li", summary_line(sentence)) for sentence in summary.sentences)))
    if summary.plan:
        pieces += [tag("p", "Study plan:"), tag("ol", *(tag("li", summary_line(step)) for step in summary.plan))]
    return tag("section", *pieces, class_="part")


def _agreement(agreement: Agreement) -> Html:
    if not agreement.points:
        return Html("")
    own_states = [state for state in State if any(own is state for _, own in agreement.table)]
    rows = [tag("tr", tag("th", "examiner"), *(tag("th", f"own: {own.value}") for own in own_states))]
    for machine in State:
        if any(state is machine for state, _ in agreement.table):
            counts = [str(agreement.table.get((machine, own), 0)) for own in own_states]
            rows.append(tag("tr", tag("th", machine.value), *(tag("td", count) for count in counts)))
    return joined(
        tag("h2", "Your own marks compared with the examiner's"),
        tag("div", tag("table", *rows), class_="scroll"),
        tag("p", str(agreement), class_="soft"),
    )
