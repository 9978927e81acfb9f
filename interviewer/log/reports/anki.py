"""Exports practiced questions as an Anki deck; thanks to stable ids, a second import does not duplicate cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graders.verdict import Verdict
from interviewer.log.history import History, LoggedDrill, attempts_of
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.session.phrases import NEVER_SCORED
from interviewer.session.results import (
    improvised_questions,
    judged_by,
    missed_points,
    model_sentence,
    question_result,
    questions_after_pass,
)

# Fixed ids, chosen at random, that Anki uses to identify the deck and the note type.
DECK_ID = 1_779_204_611
MODEL_ID = 1_402_667_583
_FIELDS = ("Ask", "Answer", "Points", "LastWords", "Source")
_BACK = (
    "{{FrontSide}}<hr id=answer><p>{{Answer}}</p>{{Points}}"
    "{{#LastWords}}<p><b>Your last words</b></p><blockquote>{{LastWords}}</blockquote>{{/LastWords}}"
    "<p><small>{{Source}}</small></p>"
)
_CSS = ".card { font-family: sans-serif; text-align: left; max-width: 40em; margin: auto; line-height: 1.4; }"
WORDS_MAX = 2000
CODE_CHARACTERS_MAX = 6000
NO_ANSWER = "Not scored. There is no reference answer."
# Anki interprets tags such as these in the text of a field: [sound:x.mp3], [latex]x[/latex], [$]x[/$].
_ANKI_TAG = re.compile(r"\[(/?(?:sound:|anki:|latex|\$))")


class Unscored(NamedTuple):
    """A question without a reference answer: its subject, text, answer, tags, and key."""

    about: str
    ask: str
    reply: str
    tags: Sequence[str]
    key: tuple[str, ...]
    code: str = ""
    source: str = ""


def write_deck(history: History, path: Path) -> int:
    """Write an .apkg file, and return the number of cards in it.

    The deck has one card for each rung of each question asked. It also has one card for each question that a model
    improvised, and one for each question asked about code that passed.
    """
    import genanki  # every log command imports this module, but only this export needs genanki

    fields = [{"name": name} for name in _FIELDS]
    template = {"name": "Rung", "qfmt": "{{Ask}}", "afmt": _BACK}
    model = genanki.Model(MODEL_ID, "interviewer rung", fields=fields, templates=[template], css=_CSS)
    deck = genanki.Deck(DECK_ID, "interviewer")
    for past_by_rung, past in _practiced(history):
        for number in range(1, len(past.question.rungs) + 1):
            deck.add_note(_note(genanki, model, past, number, past_by_rung.get(number, "")))
    for unscored in _unscored(history):
        deck.add_note(_unscored_note(genanki, model, unscored))
    genanki.Package(deck).write_to_file(str(path))
    return len(deck.notes)


def _practiced(history: History) -> list[tuple[dict[int, Html], LoggedDrill]]:
    """Return the latest record of each question asked, with the last answer at each rung and who judged it."""
    words: dict[str, dict[int, Html]] = {}
    latest: dict[str, LoggedDrill] = {}
    for past in history.drills():
        latest[past.question.id] = past
        words_by_rung = words.setdefault(past.question.id, {})
        for answer in past.drill.answers:
            if answer.text.strip() and answer.assessment.why_not != NEVER_SCORED:
                judge = tag("small", judged_by(past.session, answer))
                words_by_rung[max(1, answer.rung)] = joined(_lines(answer.text[:WORDS_MAX]), tag("br"), judge)
    return [(words[name], past) for name, past in sorted(latest.items())]


def _unscored(history: History) -> list[Unscored]:
    """Return the questions that were improvised or asked about passing code, each with its latest answer."""
    latest: dict[tuple[str, ...], Unscored] = {}
    for session in history.sessions:
        for part, text, reply in improvised_questions(session):
            question = session.question(session.plan.parts[part].id)
            key, source = ("improvised", question.id, text), "; ".join(question.source)
            about = f"{question.title}, improvised question"
            latest[key] = Unscored(about, text, reply, question.topics, key, source=source)
        topics = {task.id: task.topics for task in session.tasks}
        passed = {
            attempt.task: attempt.source for attempt in attempts_of(session) if attempt.report.verdict is Verdict.PASSED
        }
        for task, (text, reply) in questions_after_pass(session).items():
            key, about = ("after a pass", task, text), f"{history.title_of(task)}, asked after you passed the task"
            latest[key] = Unscored(about, text, reply, topics.get(task, ()), key, passed.get(task, ""))
    return list(latest.values())


def _unscored_note(genanki: Any, model: Any, asked: Unscored) -> Any:
    code = tag("pre", asked.code[:CODE_CHARACTERS_MAX]) if asked.code else ""
    front = joined(tag("p", tag("small", asked.about)), tag("p", _lines(asked.ask)), code)
    fields = (front, _lines(NO_ANSWER), Html(""), _lines(asked.reply[:WORDS_MAX]), _lines(asked.source))
    return genanki.Note(
        model=model,
        fields=[_inert(field) for field in fields],
        tags=[topic.replace(" ", "_") for topic in asked.tags],
        guid=genanki.guid_for("interviewer", *asked.key),
    )


def _note(genanki: Any, model: Any, past: LoggedDrill, number: int, last_words: str) -> Any:
    question = past.question
    rung = question.rungs[number - 1]
    missed = missed_points(question, past.drill)
    ask = joined(tag("p", tag("small", f"{question.title}, rung {number}: {question.prompt}")), tag("p", rung.ask))
    sentences = {point: model_sentence(question.point(point)) for point in rung.points}
    points = tag("ul", *(tag("li", sentence.says, _missed(point in missed)) for point, sentence in sentences.items()))
    # Footnotes are shown below the source, in small print.
    result = f"Last time: {question_result(past.session, past.drill)}."
    rules = dict.fromkeys(sentence.for_judge for sentence in sentences.values() if sentence.for_judge)
    small = ["; ".join(question.source), result, *(f"The rubric tells the judge: {rule}" for rule in rules)]
    return genanki.Note(
        model=model,
        fields=[_inert(field) for field in (ask, _lines(rung.answer), points, last_words, _lines("\n".join(small)))],
        tags=[topic.replace(" ", "_") for topic in question.topics],
        guid=genanki.guid_for("interviewer", question.id, number),
    )


def _missed(is_missed: bool) -> Html:
    return joined(" ", tag("i", "Missed last time.")) if is_missed else Html("")


def _inert(field: str) -> str:
    """Return the field with the Anki tags for sounds and formulas escaped, because a candidate could type them."""
    return _ANKI_TAG.sub(r"&#91;\1", field)


def _lines(text: str) -> Html:
    pieces = [piece for line in text.strip().splitlines() for piece in (tag("br"), line)]
    return joined(*pieces[1:])
