"""Formulas in Markdown, drawn in Unicode or shown raw; code stays code, prices stay prices, and no text is lost."""

from __future__ import annotations

import re

from interviewer.tui.latex import as_unicode

HELD_CHARACTERS_MAX = 2_000
_CLOSERS = {"$$": "$$", "$": "$", "\\[": "\\]", "\\(": "\\)"}
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_OPENER = re.compile(r"\$\$|\$(?=\S)|\\\[|\\\(|`+")
_TICKS = re.compile(r"`+")
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~])")


class FormulaText:
    """Turn Markdown that comes in pieces into Markdown with its formulas drawn; holds back what is not complete."""

    def __init__(self, *, is_raw: bool = False) -> None:
        self._is_raw = is_raw
        self._held = ""
        self._fence = ""

    def feed(self, text: str) -> str:
        """Return what can be drawn by now."""
        self._held += text
        return self._taken(is_final=len(self._held) > HELD_CHARACTERS_MAX)

    def finish(self) -> str:
        """Return the rest."""
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
        """Return the text up to the next line end outside of a formula, drawn, and how many characters that took."""
        text, shown, at = self._held, "", 0
        while True:
            end_of_line = text.find("\n", at)
            stop = len(text) if end_of_line < 0 else end_of_line
            found = _OPENER.search(text, at, stop)
            if found is None:
                # A sign at the very end may be the first half of an opener.
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
        drawn = None if self._is_raw else as_unicode(source[len(opener) : -len(closer)])
        # Raw TeX as code: as text, Markdown would eat its backslashes.
        return _as_code(source) if drawn is None else _MARKUP.sub(r"\\\1", drawn)


def _closing(text: str, found: re.Match[str]) -> int:
    """Return where the formula or code that begins here ends; 0 when it does not, or is none."""
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


def drawn(markdown: str, *, is_raw: bool = False) -> str:
    """Return the Markdown with its formulas drawn, or shown raw."""
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    text = FormulaText(is_raw=is_raw)
    return text.feed(markdown) + text.finish()
