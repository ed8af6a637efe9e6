"""How deep code is nested, guessed before Python's parser sees it.

The parser and the compiler recurse on the browser's own stack, whose end is the
interpreter's end too. So what is nested deeper than anyone writes is not parsed.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
      (?P<text>[A-Za-z]{0,2}(?:
          \"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z)
        | '''(?:\\.|[^\\])*?(?:'''|\Z)
        | "(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z)
        | '(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z)))
    | (?P<comment>\#[^\n]*)
    | (?P<join>\\\r?\n)
    | (?P<line>[\r\n]+[ \t]*)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<part>[,;])
    | (?P<heavy>\*\*|~|(?<![\w)\]}\s"'])\s*[-+]|\b(?:not|lambda|else|await)\b)
    | (?P<loop>\bfor\b)
    | (?P<light>[-+*/%@&|^<>.=]|\b(?:and|or|in|is|if)\b)
    | \w+
    """,
    re.VERBOSE | re.DOTALL,
)
# Measured with 480 KB of stack in Node, less than any browser gives a worker: see
# test_check_depth.py. What the weights let through stays well within that.
_BRACKET, _HEAVY, _LIGHT, _INDENT, _COMPREHENSION = 10, 3, 1, 2, 45
_DEEPEST = 600
_MOST_BRANCHES = 500


def is_too_deep(code: str) -> bool:
    """Whether parsing ``code`` could take the interpreter down."""
    return _weigh(code) > _DEEPEST or len(re.findall(r"\belif\b", code)) > _MOST_BRANCHES


class _Level:
    """What is nested at one open bracket."""

    __slots__ = ("comprehensions", "weight")

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.comprehensions = 0


def _weigh(code: str) -> int:
    heaviest = indent = total = 0
    levels = [_Level(0)]
    for match in _TOKEN.finditer(code):
        level = levels[-1]
        match match.lastgroup:
            case "line":
                if len(levels) == 1:
                    total -= level.weight
                    level.weight = level.comprehensions = 0
                    indent = len(match.group().lstrip("\r\n").expandtabs())
            case "text":
                heaviest = max(heaviest, _weigh_text(match.group()) + total)
            case "open":
                level.weight += _LIGHT
                total += _LIGHT
                levels.append(_Level(_BRACKET))
                total += _BRACKET
            case "close" if len(levels) > 1:
                total -= levels.pop().weight
                outer = levels[-1]
                outer.comprehensions = max(outer.comprehensions, level.comprehensions)
            case "part":
                base = 0 if len(levels) == 1 else _BRACKET
                total += base - level.weight
                level.weight = base
            case "loop" if len(levels) > 1:
                level.comprehensions += 1
                # They are all in one another, and so is the code that the compiler makes of them.
                heaviest = max(heaviest, level.comprehensions * _COMPREHENSION)
            case "heavy" | "light" as kind:
                added = _HEAVY if kind == "heavy" else _LIGHT
                level.weight += added
                total += added
            case _:
                continue
        heaviest = max(heaviest, total + _INDENT * indent)
        if heaviest > _DEEPEST:
            break
    return heaviest


def _weigh_text(text: str) -> int:
    """A formatted string holds code of its own."""
    if "{" not in text:
        return 0
    prefix = text[: len(text) - len(text.lstrip("fFtTrRbBuU"))].lower()
    if "f" not in prefix and "t" not in prefix:
        return 0
    return _weigh(text[len(prefix) :].strip("\"'"))
