"""Exports practiced questions as an Anki deck; thanks to stable ids, a second import does not duplicate cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interviewer.log.history import History, LoggedDrill
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.session.question import Question

# Random but fixed numbers by which Anki identifies a deck and a note type.
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


def write_deck(history: History, path: Path) -> int:
    """Write an .apkg file with a card for each rung of each question asked; return the number of cards."""
    import genanki  # every log command imports this module, but only this export needs genanki

    fields = [{"name": name} for name in _FIELDS]
    template = {"name": "Rung", "qfmt": "{{Ask}}", "afmt": _BACK}
    model = genanki.Model(MODEL_ID, "interviewer rung", fields=fields, templates=[template], css=_CSS)
    deck = genanki.Deck(DECK_ID, "interviewer")
    for past_by_rung, question in _practiced(history):
        for number in range(1, len(question.rungs) + 1):
            deck.add_note(_note(genanki, model, question, number, past_by_rung.get(number, "")))
    genanki.Package(deck).write_to_file(str(path))
    return len(deck.notes)


def _practiced(history: History) -> list[tuple[dict[int, str], Question]]:
    """Return the latest version of each question asked, with the candidate's last answer at each rung."""
    words: dict[str, dict[int, str]] = {}
    latest: dict[str, LoggedDrill] = {}
    for past in history.drills():
        latest[past.question.id] = past
        words_by_rung = words.setdefault(past.question.id, {})
        words_by_rung.update({max(1, answer.rung): answer.text for answer in past.drill.answers if answer.text.strip()})
    return [(words[name], past.question) for name, past in sorted(latest.items())]


def _note(genanki: Any, model: Any, question: Question, number: int, last_words: str) -> Any:
    rung = question.rungs[number - 1]
    ask = joined(tag("p", tag("small", f"{question.title}, rung {number}: {question.prompt}")), tag("p", rung.ask))
    points = tag("ul", *(tag("li", question.point(point).says) for point in rung.points))
    return genanki.Note(
        model=model,
        fields=[ask, _lines(rung.answer), points, _lines(last_words[:WORDS_MAX]), _lines("; ".join(question.source))],
        tags=[topic.replace(" ", "_") for topic in question.topics],
        guid=genanki.guid_for("interviewer", question.id, number),
    )


def _lines(text: str) -> Html:
    pieces = [piece for line in text.strip().splitlines() for piece in (tag("br"), line)]
    return joined(*pieces[1:])
