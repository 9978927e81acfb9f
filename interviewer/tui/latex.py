"""Simple TeX as Unicode on one line; a formula with anything else in it gives None, so that nothing is drawn wrong."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from interviewer.tui.tex_symbols import ACCENTS, FUNCTIONS, IGNORED, SUBSCRIPTS, SUPERSCRIPTS, SYMBOLS, letter_of

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|\s+|[^\\{}^_\s]")
_STYLED = {"\\mathbb": "DOUBLE-STRUCK", "\\mathcal": "SCRIPT"}
_PLAIN = frozenset({"\\text", "\\mathrm", "\\mathbf", "\\mathit", "\\operatorname", "\\boldsymbol", "\\mathsf"})


class _Unknown(Exception):
    """Say that a formula holds something that is not known here."""


def as_unicode(tex: str) -> str | None:
    """Return the formula in one line of Unicode, or None when it cannot be drawn rightly."""
    tokens = _Tokens(_TOKEN.findall(tex))
    try:
        drawn = "".join(_row(tokens, until=""))
    except _Unknown:
        return None
    return re.sub(r"\s+", " ", drawn).strip() or None


class _Tokens:
    """Hand out the tokens of a formula one by one."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def peek(self) -> str:
        """Return the next token, "" at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self) -> str:
        """Return the next token and go on. Raises: _Unknown at the end."""
        if self._at >= len(self._tokens):
            raise _Unknown
        self._at += 1
        return self._tokens[self._at - 1]

    def skip_space(self) -> None:
        """Go on to the next token that is no space."""
        while self.peek().isspace():
            self._at += 1


def _row(tokens: _Tokens, until: str) -> Iterator[str]:
    """Yield what is drawn up to this token, which is taken."""
    while tokens.peek() != until:
        token = tokens.take()
        if token in "^_":
            yield _raised(token, _argument(tokens))
        elif token == "}":
            raise _Unknown
        else:
            yield _atom(token, tokens)
    if until:
        tokens.take()


def _argument(tokens: _Tokens) -> str:
    """Return a group, or the one thing that stands in place of it."""
    tokens.skip_space()
    token = tokens.take()
    if token in "^_}":
        raise _Unknown
    return "".join(_row(tokens, until="}")).strip() if token == "{" else _atom(token, tokens).strip()


def _atom(token: str, tokens: _Tokens) -> str:
    if token == "{":
        return "".join(_row(tokens, until="}"))
    if not token.startswith("\\"):
        return " " if token.isspace() else "−" if token == "-" else token
    if token in SYMBOLS:
        return SYMBOLS[token]
    if token in FUNCTIONS:
        return _named(token[1:], tokens)
    if token in IGNORED:
        return ""
    return _with_arguments(token, tokens)


def _with_arguments(token: str, tokens: _Tokens) -> str:
    if token in {"\\frac", "\\tfrac", "\\dfrac"}:
        return f"{_grouped(_argument(tokens))}/{_grouped(_argument(tokens))}"
    if token == "\\sqrt" and tokens.peek() != "[":
        return f"√{_grouped(_argument(tokens))}"
    if token in _PLAIN:
        return _argument(tokens)
    if token in _STYLED:
        letters = [letter_of(_STYLED[token], letter) for letter in _argument(tokens)]
        if None in letters:
            raise _Unknown
        return "".join(letter for letter in letters if letter)
    if token in ACCENTS:
        base = _argument(tokens)
        if len(base) != 1:
            raise _Unknown
        return unicodedata.normalize("NFC", base + ACCENTS[token])
    if token in {"\\left", "\\right", "\\bigl", "\\bigr", "\\big", "\\Big", "\\Bigl", "\\Bigr"}:
        tokens.skip_space()
        bracket = tokens.take()
        return "" if bracket == "." else SYMBOLS.get(bracket, bracket)
    raise _Unknown


def _named(name: str, tokens: _Tokens) -> str:
    """Return the name of a function, with a space where its argument would run into it."""
    following = tokens.peek()
    return name if following in {"", "^", "_", "(", "[", "{", "}", "\\left"} or following.isspace() else f"{name} "


def _raised(sign: str, text: str) -> str:
    small = SUPERSCRIPTS if sign == "^" else SUBSCRIPTS
    if text and all(letter in small for letter in text.replace(" ", "")):
        return "".join(small[letter] for letter in text.replace(" ", ""))
    return f"{sign}{text}" if text.isalnum() or len(text) == 1 else f"{sign}({text})"


def _grouped(text: str) -> str:
    """Return the text in brackets when an operator stands in it outside of brackets."""
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in " +−·×/=":
            return f"({text})"
    return text
