"""Unicode spelled out in ASCII, and whether this terminal needs it; imports nothing beyond the standard library."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import TextIO

# What Python itself puts into LC_CTYPE when it starts in the C locale (PEP 538).
_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
# Where Linux keeps the environment as it was given, whatever the program has changed since.
_GIVEN = "/proc/self/environ"


def draws_ascii(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether only ASCII may be drawn: the locale that holds is C, POSIX or one of another charset than UTF-8.

    With no locale set at all the answer is no. POSIX would say C, and tmux and ncurses follow it; but nobody asked for
    ASCII there: it is the usual state in containers and over ssh, from terminals that all speak UTF-8, and Python
    itself takes it for UTF-8. What Python took is no witness, though: it does the same for LC_ALL=C.
    """
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return False  # a browser draws it, whatever the locale of the server is
    name = environ.get("LC_ALL") or _ctype(environ) or environ.get("LANG") or "UTF-8"
    return "UTF8" not in name.upper().replace("-", "")


def _ctype(environ: Mapping[str, str]) -> str:
    """Return the LC_CTYPE that the user set; one that Python has put in its place does not count."""
    ctype = environ.get("LC_CTYPE", "")
    if environ is not os.environ or ctype not in _COERCED:
        return ctype
    try:
        with open(_GIVEN, "rb") as environment:
            given = environment.read().split(b"\0")
    except OSError:
        # No such file: where LANG asks for ASCII, the other one is rather Python's than the user's.
        return "" if environ.get("LANG") in {"C", "POSIX"} else ctype
    return next((line[9:].decode("utf-8", "replace") for line in given if line.startswith(b"LC_CTYPE=")), "")


def install_ascii_output(environ: Mapping[str, str] = os.environ) -> None:
    """Let what is printed be spelled out in ASCII where the locale asks for it; else it stays as it is."""
    if draws_ascii(environ):
        sys.stdout, sys.stderr = _transliterating(sys.stdout), _transliterating(sys.stderr)


# Sign, what stands for it in one cell, and in words. A sign that would be misread in one cell is unknown there: "?".
_SIGNS = """
· * *|⋅ * *|∙ * *|• * *|● * *|⭑ * *|★ * *|○ o o|◦ o o|‣ > >|▸ > >|▶ > >|► > >|❯ > >|▪ # #|■ # #|□ . .|▼ v v|▲ ^ ^
− - -|– - -|— - --|‐ - -|‑ - -|… . ...|“ " "|” " "|„ " "|‘ ' '|’ ' '|ʼ ' '|′ ' '|″ " "|« < <<|» > >>|✓ v v|✗ x x
× x x|÷ / /|± ~ +/-|≤ < <=|≥ > >=|≠ ! !=|≈ ~ ~|∼ ~ ~|≡ = ==|∝ ~ ~|≪ < <<|≫ > >>|√ v sqrt|∞ ? inf|° o deg|µ u u|⁄ / /
→ > ->|← < <-|↑ ^ up|↓ v down|↔ - <->|⇒ > =>|⇔ = <=>|↦ > |->|⏎ < enter|⌫ < backspace|🔎 / /|ß s ss|\ufffd ? ?
∑ S sum|∏ P prod|∫ S int|∂ d d|∇ V grad|∈ e in|∉ ? not in|⊂ c subset of|∪ u union|∩ n intersect|∀ A for all|∃ E exists
⊙ o (.)|⊗ x (x)|⊤ T T|‖ | |||⟨ < <|⟩ > >|⌊ [ [|⌋ ] ]|⌈ [ [|⌉ ] ]|、 , ,|。 . .
▁ _ _|▂ - -|▃ = =|▄ + +|▅ * *|▆ % %|▇ & &|█ # #|▔ - -|▀ " "|░ . .|▒ : :|▓ % %
"""
_LETTERS = """
alpha a beta b gamma g delta d epsilon e zeta z eta n theta t iota i kappa k lamda l mu u nu v xi x omicron o pi p rho r
sigma s tau t upsilon u phi f chi x psi y omega w
"""
_ACCENTS = {"\u0302": "_hat", "\u0304": "_bar", "\u0303": "_tilde", "\u0307": "_dot", "\u20d7": "_vec"}
_LEVEL = "─━═╌╍┄┅┈┉╴╶╸╺╼╾"
_UPRIGHT = "│┃║╎╏┆┇┊┋╵╷╹╻╽╿▉▊▋▌▍▎▏▐▕"
UNKNOWN = "?"


@cache
def table() -> Mapping[str, tuple[str, str]]:
    """Return the ASCII cell and the spelling of each sign; built on first use, since every command imports this."""
    signs = {chr(code): ("+", "+") for code in range(0x2500, 0x2580)}
    signs |= {chr(code): ("#", "#") for code in range(0x2596, 0x25A0)}
    signs |= dict.fromkeys(_LEVEL, ("-", "-")) | dict.fromkeys(_UPRIGHT, ("|", "|"))
    letters = _LETTERS.split()
    for name, cell in zip(letters[::2], letters[1::2], strict=True):
        word = name.replace("lamda", "lambda")
        signs[unicodedata.lookup(f"GREEK SMALL LETTER {name}")] = cell, word
        signs[unicodedata.lookup(f"GREEK CAPITAL LETTER {name}")] = cell.upper(), word.capitalize()
    signs["ς"] = signs["σ"]
    for entry in (entry for line in _SIGNS.split("\n") for entry in _split(line)):
        signs[entry[0]] = entry[2], entry[4:]
    return signs


def _split(line: str) -> list[str]:
    """Return the entries of a line; a bar may also stand for a sign, so only one before a non-ASCII sign ends one."""
    entries: list[str] = []
    for piece in line.split("|"):
        if piece and not piece[0].isascii():
            entries.append(piece)
        elif entries:
            entries[-1] += "|" + piece
    return entries


@cache
def sign_to_cell(sign: str) -> str:
    """Return the one ASCII character for a sign; "" for one that has no width of its own."""
    if sign.isascii():
        return sign
    if sign in table():
        return table()[sign][0]
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return ""
    letters = "".join(map(sign_to_cell, _parts(sign)))
    # A raised digit in the same line would be another number.
    is_faithful = len(letters) == 1 and (_shift(sign) != "^" or letters.isalpha())
    return letters if is_faithful else UNKNOWN


@cache
def sign_to_ascii(sign: str) -> str:
    """Return a sign in as much ASCII as it takes; "?" for one that the table does not know."""
    if sign.isascii():
        return sign
    if sign in table():
        return table()[sign][1]
    if sign in _ACCENTS or unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return _ACCENTS.get(sign, "")
    # Marks that a letter is made with are dropped, not named: an é is an e.
    return "".join(sign_to_ascii(part) for part in _parts(sign) if not unicodedata.combining(part)) or UNKNOWN


def _parts(sign: str) -> str:
    parts = unicodedata.normalize("NFKD", sign)
    return "" if parts == sign else parts


def transliterate(text: str) -> str:
    """Return the text in ASCII, Greek and mathematics in words: π_θ becomes pi_theta, xᵢ² x_i^2."""
    if text.isascii():
        return text
    spelling = ""
    was_word = False
    for shift, run in groupby(text, _shift):
        if shift:
            inner = "".join(map(sign_to_ascii, run))
            spelling += shift + (inner if len(inner) == 1 else f"{{{inner}}}")
            was_word = False
            continue
        for sign in run:
            word = sign_to_ascii(sign)
            is_word = not sign.isascii() and len(word) > 1 and word[0].isalpha()
            # Two words, or a word and a letter, would read as one.
            if (is_word or was_word) and spelling[-1:].isalnum() and word[:1].isalnum():
                spelling += " "
            spelling += word
            was_word = is_word
    return spelling


@cache
def _shift(sign: str) -> str:
    """Return the sign of TeX for a raised or lowered character, "" for any other."""
    kind = unicodedata.decomposition(sign).partition(" ")[0]
    return {"<super>": "^", "<sub>": "_"}.get(kind, "")


class TransliteratingStream(io.TextIOWrapper):
    """Write text spelled out in ASCII; its encoding stays UTF-8, since click replaces a stream that says ASCII."""

    def write(self, text: str) -> int:
        """Write the text and return how many characters of it were taken."""
        super().write(transliterate(text).encode("ascii", "replace").decode("ascii"))
        return len(text)


def _transliterating(stream: TextIO) -> TextIO:
    stream.flush()
    return TransliteratingStream(
        stream.buffer, encoding="utf-8", line_buffering=stream.isatty() or stream is sys.stderr
    )
