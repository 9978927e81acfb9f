"""What Unicode says, said in ASCII: one table, in words where there is room and in one cell where there is none."""

from __future__ import annotations

import io
import sys
import unicodedata
from functools import cache
from itertools import groupby
from typing import TextIO

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


def _table() -> dict[str, tuple[str, str]]:
    table = {chr(code): ("+", "+") for code in range(0x2500, 0x2580)}
    table |= {chr(code): ("#", "#") for code in range(0x2596, 0x25A0)}
    table |= dict.fromkeys(_LEVEL, ("-", "-")) | dict.fromkeys(_UPRIGHT, ("|", "|"))
    letters = _LETTERS.split()
    for name, cell in zip(letters[::2], letters[1::2], strict=True):
        word = name.replace("lamda", "lambda")
        table[unicodedata.lookup(f"GREEK SMALL LETTER {name}")] = cell, word
        table[unicodedata.lookup(f"GREEK CAPITAL LETTER {name}")] = cell.upper(), word.capitalize()
    table["ς"] = table["σ"]
    for sign, said in ((one[0], one[2:]) for line in _SIGNS.split("\n") for one in _split(line)):
        table[sign] = said[0], said[2:]
    return table


def _split(line: str) -> list[str]:
    """Return the entries of a line; a bar may also stand for a sign, so only one before a non-ASCII sign ends one."""
    entries: list[str] = []
    for piece in line.split("|"):
        if piece and not piece[0].isascii():
            entries.append(piece)
        elif entries:
            entries[-1] += "|" + piece
    return entries


TABLE = _table()


@cache
def cell_of(sign: str) -> str:
    """Return the one ASCII character for a sign; "" for one that has no width of its own."""
    if sign.isascii():
        return sign
    if sign in TABLE:
        return TABLE[sign][0]
    if unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return ""
    letters = "".join(map(cell_of, _parts(sign)))
    # A raised digit in the same line would be another number.
    is_told = len(letters) == 1 and (_shift(sign) != "^" or letters.isalpha())
    return letters if is_told else UNKNOWN


@cache
def word_of(sign: str) -> str:
    """Return a sign in as much ASCII as it takes; "?" for one that the table does not know."""
    if sign.isascii():
        return sign
    if sign in TABLE:
        return TABLE[sign][1]
    if sign in _ACCENTS or unicodedata.combining(sign) or unicodedata.category(sign) in {"Cf", "Mn", "Me"}:
        return _ACCENTS.get(sign, "")
    # Marks that a letter is made with are dropped, not named: an é is an e.
    return "".join(word_of(one) for one in _parts(sign) if not unicodedata.combining(one)) or UNKNOWN


def _parts(sign: str) -> str:
    parts = unicodedata.normalize("NFKD", sign)
    return "" if parts == sign else parts


def spelled(text: str) -> str:
    """Return the text in ASCII, Greek and mathematics in words: π_θ becomes pi_theta, xᵢ² x_i^2."""
    if text.isascii():
        return text
    said = ""
    was_word = False
    for shift, run in groupby(text, _shift):
        if shift:
            inner = "".join(map(word_of, run))
            said += shift + (inner if len(inner) == 1 else f"{{{inner}}}")
            was_word = False
            continue
        for sign in run:
            word = word_of(sign)
            is_word = not sign.isascii() and len(word) > 1 and word[0].isalpha()
            # Two words, or a word and a letter, would read as one.
            if (is_word or was_word) and said[-1:].isalnum() and word[:1].isalnum():
                said += " "
            said += word
            was_word = is_word
    return said


@cache
def _shift(sign: str) -> str:
    """Return the sign of TeX for a raised or lowered character, "" for any other."""
    kind = unicodedata.decomposition(sign).partition(" ")[0]
    return {"<super>": "^", "<sub>": "_"}.get(kind, "")


class SpellingStream(io.TextIOWrapper):
    """Write text spelled out in ASCII; its encoding stays UTF-8, since click replaces a stream that says ASCII."""

    def write(self, text: str) -> int:
        """Write the text and return how many characters of it were taken."""
        super().write(spelled(text).encode("ascii", "replace").decode("ascii"))
        return len(text)


def spell_streams() -> None:
    """Let stdout and stderr spell out what is written to them."""
    sys.stdout, sys.stderr = _spelling(sys.stdout), _spelling(sys.stderr)


def _spelling(stream: TextIO) -> TextIO:
    stream.flush()
    return SpellingStream(stream.buffer, encoding="utf-8", line_buffering=stream.isatty() or stream is sys.stderr)
