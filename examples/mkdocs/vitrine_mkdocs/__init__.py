"""Fences of Markdown as runnable cells, for whatever renders with Python-Markdown."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

__all__ = ["CellFenceError", "VitrineExtension", "makeExtension"]

_CELL = (
    "session setup deps packages files tools readonly autorun timeout trust hidden expected label "
    "demo data-check id"
).split()
_ATTRIBUTES: Mapping[str, list[str]] = {
    "vitrine": _CELL,
    "vitrine-output": [],
    "vitrine-setup": [],
    "vitrine-check": ["wants", "label"],
    "vitrine-solution": ["label"],
}
_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>\w+)[ \t]+"
    r"(?P<role>vitrine(?:-[\w-]*)?)(?=\s|$)(?P<rest>.*)$"
)
_PART = re.compile(r"""[ \t]*([\w-]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?(?=[ \t]|$)""")


class CellFenceError(ValueError):
    """A fence cannot become a cell. The build of the site ends with it."""


class VitrineExtension(Extension):
    """Wraps fences that say ``python vitrine`` into ``<vitrine-cell>``.

    The site's highlighter still draws them.
    """

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- the name is Python-Markdown's
        """Comes before everything that reads fences."""
        for tag in ("vitrine-cell", "output"):
            md.block_level_elements.append(tag)
        # Fences of the superfences are read at 25, a document's white space is tidied at 30.
        md.preprocessors.register(_Cells(md), "vitrine-cells", 27)


def makeExtension(**options: Any) -> VitrineExtension:  # noqa: N802 -- the name is Python-Markdown's
    """What Python-Markdown looks for."""
    return VitrineExtension(**options)


class _Cells(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        written: list[str] = []
        is_open = False
        end: str | None = None
        after = ""
        for number, line in enumerate(lines, start=1):
            if end is not None:
                written.append(line)
                if line.strip() == end:
                    written += self._html(after)
                    end = None
                continue
            found = _FENCE.match(line)
            if found is None:
                if is_open and line.strip() != "":
                    written += self._html("</vitrine-cell>")
                    is_open = False
                plain = re.match(r"^\s*(`{3,}|~{3,})", line)
                if plain is not None:
                    end, after = plain[1], ""
                written.append(line)
                continue
            role = found["role"]
            attributes = _attributes(found["rest"], role, number)
            before, after = _around(role, attributes)
            if role == "vitrine":
                if is_open:
                    written += self._html("</vitrine-cell>")
                written += self._html(_tag("vitrine-cell", attributes))
                is_open = True
            elif not is_open:
                raise CellFenceError(f"Line {number}: {role} has no cell before it.")
            written += self._html(before)
            written.append(f"{found['mark']}{found['language']}")
            end = found["mark"]
        if is_open:
            written += self._html("</vitrine-cell>")
        return written

    def _html(self, html: str) -> list[str]:
        """Lines that come out as this HTML, apart from what is beside it."""
        return ["", self.md.htmlStash.store(html), ""] if html else []


def _around(role: str, attributes: Mapping[str, str]) -> tuple[str, str]:
    match role:
        case "vitrine-output":
            return "<output>", "</output>"
        case "vitrine-setup":
            return '<div hidden slot="setup">', "</div>"
        case "vitrine-check":
            data = {f"data-{name}": value for name, value in attributes.items()}
            return _tag("div", {"hidden": "", "slot": "check", **data}), "</div>"
        case "vitrine-solution":
            label = escape(attributes.get("label", "Solution"))
            opening = _tag("details", {"slot": "solution"})
            return f"{opening}<summary>{label}</summary>", "</details>"
        case _:
            return "", ""


def _tag(name: str, attributes: Mapping[str, str]) -> str:
    written = [
        f' {key}="{escape(value)}"' if value else f" {key}" for key, value in attributes.items()
    ]
    return f"<{name}{''.join(written)}>"


def _attributes(text: str, role: str, line: int) -> dict[str, str]:
    known = _ATTRIBUTES.get(role)
    if known is None:
        kinds = ", ".join(_ATTRIBUTES)
        raise CellFenceError(f"Line {line}: {role} is no kind of fence. There are {kinds}.")
    attributes: dict[str, str] = {}
    at = 0
    while text[at:].strip():
        part = _PART.match(text, at)
        if part is None:
            raise CellFenceError(f"Line {line}: “{text[at:].strip()}” cannot be read.")
        name = part[1]
        if name not in known:
            words = f"It takes {', '.join(known)}." if known else "It takes none."
            raise CellFenceError(f"Line {line}: {role} does not know “{name}”. {words}")
        attributes[name] = part[2] or part[3] or part[4] or ""
        at = part.end()
    return attributes
