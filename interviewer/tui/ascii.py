"""Transliterate Unicode to ASCII, and detect whether the terminal needs it. Only imports the standard library."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import TextIO

# Values that Python itself assigns to LC_CTYPE when it starts in the C locale (PEP 538).
_COERCED = frozenset({"C.UTF-8", "C.utf8", "UTF-8"})
# The process's original environment on Linux, without later changes by the program.
_GIVEN = "/proc/self/environ"


def draws_ascii(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether to draw only ASCII: the locale is C or POSIX, or uses a character set other than UTF-8.

    If no locale is set, return False. In this case, POSIX, tmux and ncurses would assume the C locale, but the user did
    not ask for ASCII. Containers and ssh sessions often have no locale, although their terminals support UTF-8. Python
    itself also assumes UTF-8. Python's own choice of encoding is not used, because Python also chooses UTF-8 for
    LC_ALL=C.
    """
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return False  # a browser renders the app, so the server's locale does not matter
    name = environ.get("LC_ALL") or _ctype(environ) or environ.get("LANG") or "UTF-8"
    return "UTF8" not in name.upper().replace("-", "")


def _ctype(environ: Mapping[str, str]) -> str:
    """Return the LC_CTYPE that the user set, ignoring a value that Python set itself."""
    ctype = environ.get("LC_CTYPE", "")
    if environ is not os.environ or ctype not in _COERCED:
        return ctype
    try:
        with open(_GIVEN, "rb") as environment:
            given = environment.read().split(b"\0")
    except OSError:
        # If LANG specifies ASCII, an LC_CTYPE of UTF-8 probably comes from Python, not from the user.
        return "" if environ.get("LANG") in {"C", "POSIX"} else ctype
    return next((line[9:].decode("utf-8", "replace") for line in given if line.startswith(b"LC_CTYPE=")), "")


def install_ascii_output(environ: Mapping[str, str] = os.environ) -> None:
    """Transliterate printed output to ASCII if the locale requires it."""
    if draws_ascii(environ):
        sys.stdout, sys.stderr = _transliterating(sys.stdout), _transliterating(sys.stderr)


# Each entry has a character, its one-cell replacement, and its spelled-out form. If a one-cell replacement could be
# misread, "?" is used instead.
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
    """Return a map from each character to its one-cell ASCII replacement and its spelled-out form.

    The map is built on first use, because every command imports this module.
    """
    signs = {chr(code): ("+", "+") for code in range(0x2500, 0x2580)}
    signs |= {chr(code): ("#", "#") for code in range(0x2596, 0x25A0)}
    signs |= dict.fromkeys(_LEVEL, ("-", "-")) | dict.fromkeys(_UPRIGHT, ("|", "|"))
    # Draw the border of the focused widget with different characters.
    signs |= {"━": ("=", "="), "┃": ("#", "#")}
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
    """Return the entries on one line of the table `_SIGNS`.

    A vertical bar ends a table entry only if a non-ASCII character follows, because a bar can also be part of an entry.
    """
    entries: list[str] = []
    for piece in line.split("|"):
        if piece and not piece[0].isascii():
            entries.append(piece)
        elif entries:
            entries[-1] += "|" + piece
    return entries


@cache
def sign_to_cell(sign: str) -> str:
    """Return the single ASCII character that replaces a character; "" for a zero-width character."""
    if sign.isascii():
        return sign
    if sign in table():
        return table()[sign][0]
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return ""
    letters = "".join(map(sign_to_cell, _parts(sign)))
    # A superscript digit on the baseline would look like a different number.
    is_faithful = len(letters) == 1 and (_shift(sign) != "^" or letters.isalpha())
    return letters if is_faithful else UNKNOWN


@cache
def sign_to_ascii(sign: str) -> str:
    """Return the ASCII spelling of a character; "?" if the table has none."""
    if sign.isascii():
        return sign
    if sign in table():
        return table()[sign][1]
    if sign in _ACCENTS or unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return _ACCENTS.get(sign, "")
    # Combining marks are dropped: é becomes e.
    return "".join(sign_to_ascii(part) for part in _parts(sign) if not unicodedata.combining(part)) or UNKNOWN


def _parts(sign: str) -> str:
    parts = unicodedata.normalize("NFKD", sign)
    return "" if parts == sign else parts


def transliterate(text: str) -> str:
    """Return the text in ASCII, with Greek and mathematical symbols spelled out: π_θ as pi_theta, xᵢ² as x_i^2."""
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
            # Without a space, two words, or a word and a letter, would run together.
            if (is_word or was_word) and spelling[-1:].isalnum() and word[:1].isalnum():
                spelling += " "
            spelling += word
            was_word = is_word
    return spelling


@cache
def _shift(sign: str) -> str:
    """Return "^" for a superscript, "_" for a subscript, and "" for other characters."""
    kind = unicodedata.decomposition(sign).partition(" ")[0]
    return {"<super>": "^", "<sub>": "_"}.get(kind, "")


class TransliteratingStream(io.TextIOWrapper):
    """A stream that writes text as ASCII. The stream's encoding stays UTF-8, because click replaces ASCII streams."""

    def write(self, text: str) -> int:
        """Write the text and return the number of characters written."""
        super().write(transliterate(text).encode("ascii", "replace").decode("ascii"))
        return len(text)


def _transliterating(stream: TextIO) -> TextIO:
    stream.flush()
    return TransliteratingStream(
        stream.buffer, encoding="utf-8", line_buffering=stream.isatty() or stream is sys.stderr
    )
