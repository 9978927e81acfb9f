"""Show formulas in Markdown as one line of Unicode.

A formula with an unknown command is left as TeX, so no text is lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Commands that correspond to a single Unicode character, and characters that exist as superscript or subscript.
_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi pi rho sigma tau upsilon phi chi psi omega"
)
_CAPITAL = "gamma delta theta lambda xi pi sigma phi psi omega upsilon"


def _greek(size: str, name: str) -> str:
    # Unicode spells the name of the letter lambda without the b.
    return unicodedata.lookup(f"GREEK {size} LETTER {'LAMDA' if name == 'lambda' else name.upper()}")


SYMBOLS = {
    **{f"\\{name}": _greek("SMALL", name) for name in _SMALL.split()},
    **{f"\\{name.capitalize()}": _greek("CAPITAL", name) for name in _CAPITAL.split()},
    "\\varepsilon": "ε",
    "\\varphi": "φ",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\int": "∫",
    "\\cdot": "·",
    "\\times": "×",
    "\\pm": "±",
    "\\div": "÷",
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\ne": "≠",
    "\\neq": "≠",
    "\\ll": "≪",
    "\\gg": "≫",
    "\\approx": "≈",
    "\\sim": "∼",
    "\\equiv": "≡",
    "\\propto": "∝",
    "\\to": "→",
    "\\rightarrow": "→",
    "\\leftarrow": "←",
    "\\Rightarrow": "⇒",
    "\\Leftrightarrow": "⇔",
    "\\mapsto": "↦",
    "\\in": "∈",
    "\\notin": "∉",
    "\\subset": "⊂",
    "\\cup": "∪",
    "\\cap": "∩",
    "\\forall": "∀",
    "\\exists": "∃",
    "\\infty": "∞",
    "\\partial": "∂",
    "\\nabla": "∇",
    "\\odot": "⊙",
    "\\otimes": "⊗",
    "\\top": "⊤",
    "\\mid": "|",
    "\\vert": "|",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\|": "‖",
    "\\Vert": "‖",
    "\\ldots": "…",
    "\\dots": "…",
    "\\cdots": "…",
    "\\ell": "ℓ",
    "\\langle": "⟨",
    "\\rangle": "⟩",
    "\\lfloor": "⌊",
    "\\rfloor": "⌋",
    "\\lceil": "⌈",
    "\\rceil": "⌉",
    "\\{": "{",
    "\\}": "}",
    "\\_": "_",
    "\\%": "%",
    "\\$": "$",
    "\\&": "&",
    "\\#": "#",
    "\\,": " ",
    "\\;": " ",
    "\\:": " ",
    "\\ ": " ",
    "\\quad": "  ",
    "\\qquad": "  ",
}
FUNCTIONS = frozenset(
    f"\\{name}" for name in "log ln exp min max arg argmin argmax sup inf lim det tanh sin cos Pr Var dim tr".split()
)
IGNORED = frozenset({"\\!", "\\displaystyle", "\\textstyle", "\\limits", "\\nolimits"})
ACCENTS = {"\\hat": "\u0302", "\\bar": "\u0304", "\\tilde": "\u0303", "\\dot": "\u0307", "\\vec": "\u20d7"}
SUPERSCRIPTS = {
    **dict(zip("0123456789+−-=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾", strict=True)),
    **dict(zip("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)),
    **dict(zip("ABDEGHIJKLMNOPRTUVW", "ᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ", strict=True)),
    "⊤": "ᵀ",
    "'": "′",
    "*": "*",
}
SUBSCRIPTS = {
    **dict(zip("0123456789+−-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True)),
    **dict(zip("aehijklmnoprstuvx", "ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)),
    **dict(zip("βγρφχ", "ᵦᵧᵨᵩᵪ", strict=True)),
}


def letter_of(style: str, letter: str) -> str | None:
    """Return a letter or digit in a mathematical style, or None if Unicode has no such character."""
    kind = "DIGIT" if letter.isdigit() else "CAPITAL" if letter.isupper() else "SMALL"
    name = unicodedata.name(letter, "").split()[-1:] or [""]
    # Some characters were encoded before the mathematical alphabets and have no second code point there.
    for wanted in (f"MATHEMATICAL {style} {kind} {name[0]}", f"{style} {kind} {name[0]}"):
        try:
            return unicodedata.lookup(wanted)
        except KeyError:
            continue
    return None


# Parsing a single formula.
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|\s+|[^\\{}^_\s]")
_STYLED = {"\\mathbb": "DOUBLE-STRUCK", "\\mathcal": "SCRIPT"}
_PLAIN = frozenset({"\\text", "\\mathrm", "\\mathbf", "\\mathit", "\\operatorname", "\\boldsymbol", "\\mathsf"})


class _Unknown(Exception):
    """The formula contains an unknown element."""


def tex_to_unicode(tex: str) -> str | None:
    """Return the formula as a single line of Unicode, or None if it cannot be rendered correctly."""
    tokens = _Tokens(_TOKEN.findall(tex))
    try:
        drawn = "".join(_row(tokens, until=""))
    except (_Unknown, RecursionError):
        return None
    return re.sub(r"\s+", " ", drawn).strip() or None


class _Tokens:
    """A stream of the formula's tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def peek(self) -> str:
        """Return the next token, or "" at the end of the formula."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def take(self) -> str:
        """Consume and return the next token. Raises _Unknown at the end of the formula."""
        if self._at >= len(self._tokens):
            raise _Unknown
        self._at += 1
        return self._tokens[self._at - 1]

    def skip_space(self) -> None:
        """Skip whitespace tokens."""
        while self.peek().isspace():
            self._at += 1


def _row(tokens: _Tokens, until: str) -> Iterator[str]:
    """Yield the rendered text before the token `until`, and consume that token."""
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
    """Return the rendered argument: a group in braces, or a single token."""
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
    """Return a function name, followed by a space if the argument would otherwise touch it."""
    following = tokens.peek()
    return name if following in {"", "^", "_", "(", "[", "{", "}", "\\left"} or following.isspace() else f"{name} "


def _raised(sign: str, text: str) -> str:
    small = SUPERSCRIPTS if sign == "^" else SUBSCRIPTS
    if text and all(letter in small for letter in text.replace(" ", "")):
        return "".join(small[letter] for letter in text.replace(" ", ""))
    return f"{sign}{text}" if text.isalnum() or len(text) == 1 else f"{sign}({text})"


def _grouped(text: str) -> str:
    """Parenthesize the text if it contains an operator outside of brackets."""
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth == 0 and letter in " +−·×/=":
            return f"({text})"
    return text


# Formulas inside Markdown; code and prices are left unchanged.
HELD_CHARACTERS_MAX = 2_000
_CLOSERS = {"$$": "$$", "$": "$", "\\[": "\\]", "\\(": "\\)"}
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_OPENER = re.compile(r"\$\$|\$(?=\S)|\\\[|\\\(|`+")
_TICKS = re.compile(r"`+")
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~])")


class FormulaText:
    """Render formulas in Markdown that arrives in chunks; incomplete formulas are held back."""

    def __init__(self, *, is_raw: bool = False) -> None:
        self._is_raw = is_raw
        self._held = ""
        self._fence = ""

    def feed(self, text: str) -> str:
        """Return the text that can be shown so far."""
        self._held += text
        return self._taken(is_final=len(self._held) > HELD_CHARACTERS_MAX)

    def finish(self) -> str:
        """Return the remaining text."""
        return self._taken(is_final=True)

    def _taken(self, *, is_final: bool) -> str:
        done = ""
        while self._held:
            line, end, rest = self._held.partition("\n")
            if self._fence or _FENCE.match(line):
                if not end and not is_final:
                    break
                self._note_fence(line)
                done, self._held = done + line + end, rest
                continue
            if not end and not is_final and line.strip(" ") in {"", "`", "``", "~", "~~"}:
                break
            shown, used = self._paragraph(is_final=is_final)
            done, self._held = done + shown, self._held[used:]
            if not used or (used and not shown.endswith("\n") and not is_final):
                break
        return done

    def _note_fence(self, line: str) -> None:
        found = _FENCE.match(line)
        if not self._fence and found:
            self._fence = found[1]
        elif found and found[1].startswith(self._fence) and not line[found.end() :].strip():
            self._fence = ""

    def _paragraph(self, *, is_final: bool) -> tuple[str, int]:
        """Return the rendered text up to the next newline outside a formula, and the number of characters consumed."""
        text, shown, at = self._held, "", 0
        while True:
            end_of_line = text.find("\n", at)
            stop = len(text) if end_of_line < 0 else end_of_line
            found = _OPENER.search(text, at, stop)
            if found is None:
                # The last character may be the first half of an opening delimiter.
                tail = text[at:stop]
                half = 0 if is_final or end_of_line >= 0 else len(tail) - len(tail.rstrip("$\\`"))
                last = stop - half + (end_of_line >= 0)
                return shown + text[at:last], last
            shown += text[at : found.start()]
            close = _closing(text, found)
            if close == 0:
                if not is_final and end_of_line < 0:
                    return shown, found.start()
                shown, at = shown + found[0], found.end()
            else:
                shown, at = shown + self._drawn(found[0], text[found.start() : close]), close

    def _drawn(self, opener: str, source: str) -> str:
        if opener.startswith("`"):
            return source
        closer = _CLOSERS[opener]
        drawn = None if self._is_raw else tex_to_unicode(source[len(opener) : -len(closer)])
        # Show raw TeX as code, because Markdown would remove the backslashes from plain text.
        return _as_code(source) if drawn is None else _MARKUP.sub(r"\\\1", drawn)


def _closing(text: str, found: re.Match[str]) -> int:
    """Return the end index of the formula or code that starts here; 0 if the text is unclosed or not a formula."""
    opener, start = found[0], found.end()
    if opener.startswith("`"):
        return next((ticks.end() for ticks in _TICKS.finditer(text, start) if ticks[0] == opener), 0)
    close = text.find(_CLOSERS[opener], start)
    paragraph_end = text.find("\n\n", start)
    if close < 0 or (0 <= paragraph_end < close):
        return 0
    end = close + len(_CLOSERS[opener])
    if opener == "$" and ("\n" in text[start:close] or text[close - 1].isspace() or text[end : end + 1].isdigit()):
        return 0
    return end


def _as_code(source: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(source)), default=0)
    ticks = "`" * (longest + 1)
    return f"{ticks}{' '.join(source.split())}{ticks}"


def render_formulas(markdown: str, *, is_raw: bool = False) -> str:
    """Return the Markdown with its formulas rendered, or as raw TeX."""
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    text = FormulaText(is_raw=is_raw)
    return text.feed(markdown) + text.finish()
