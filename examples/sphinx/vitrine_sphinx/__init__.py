"""The directive ``vitrine-cell``, for Sphinx: runnable Python in a page.

::

    .. vitrine-cell::
       :session: tour
       :expected:

       print(6 * 7)

    .. vitrine-output::

       42

With MyST the same is a fence: ```` ```{vitrine-cell} ````. Other builders than HTML have the code
and the result.
"""

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

__all__ = ["setup"]

_TEXTS = "session setup deps packages files tools timeout trust label demo data-check id".split()
_FLAGS = "readonly autorun hidden expected".split()


class _Wrapped(nodes.General, nodes.Element):
    """Elements of HTML around others."""


class _Cell(SphinxDirective):
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        **dict.fromkeys(_TEXTS, directives.unchanged_required),
        **dict.fromkeys(_FLAGS, directives.flag),
    }

    def run(self) -> list[nodes.Node]:
        """The code as a literal block, which the theme's highlighter draws."""
        attributes = {name: str(value or "") for name, value in self.options.items()}
        cell = _Wrapped("", tag="vitrine-cell", attributes=attributes)
        cell += _block("\n".join(self.content), "python3")
        return [cell]


class _Part(SphinxDirective):
    """A part of the cell before it, in whose element it is put once the document is read."""

    has_content = True
    tag: ClassVar[str]
    attributes: ClassVar[dict[str, str]] = {}
    language: ClassVar[str] = "python3"

    def run(self) -> list[nodes.Node]:
        """A wrapped literal block."""
        given = {f"data-{name}": str(value) for name, value in self.options.items()}
        part = _Wrapped("", tag=self.tag, attributes={**self.attributes, **given}, part=True)
        part += _block("\n".join(self.content), self.language)
        return [part]


class _Output(_Part):
    tag = "output"
    language = "text"


class _Check(_Part):
    option_spec: ClassVar[dict[str, Any]] = {
        "wants": directives.unchanged_required,
        "label": directives.unchanged_required,
    }
    tag = "div"
    attributes: ClassVar[dict[str, str]] = {"hidden": "", "slot": "check"}


class _Setup(_Part):
    tag = "div"
    attributes: ClassVar[dict[str, str]] = {"hidden": "", "slot": "setup"}


class _Solution(_Part):
    option_spec: ClassVar[dict[str, Any]] = {"label": directives.unchanged_required}
    tag = "details"
    attributes: ClassVar[dict[str, str]] = {"slot": "solution"}

    def run(self) -> list[nodes.Node]:
        """The label is what the reader opens."""
        label = str(self.options.pop("label", "Solution"))
        [part] = super().run()
        part.insert(0, _Wrapped("", nodes.Text(label), tag="summary", attributes={}))
        return [part]


def _block(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language)


def _join(_app: Sphinx, document: nodes.document) -> None:
    for part in list(document.findall(_Wrapped)):
        if not part.get("part"):
            continue
        siblings = part.parent.children
        before = siblings[siblings.index(part) - 1] if siblings.index(part) > 0 else None
        if not isinstance(before, _Wrapped) or before["tag"] != "vitrine-cell":
            raise ValueError(f"{document['source']}: a part of a cell has no cell before it.")
        part.parent.remove(part)
        before += part


def _visit(translator: Any, node: _Wrapped) -> None:
    attributes = {name: value or None for name, value in node["attributes"].items()}
    written = "".join(
        f" {name}" if value is None else f' {name}="{translator.attval(value)}"'
        for name, value in attributes.items()
    )
    translator.body.append(f"<{node['tag']}{written}>\n")


def _depart(translator: Any, node: _Wrapped) -> None:
    translator.body.append(f"</{node['tag']}>\n")


def _nothing(_translator: Any, _node: _Wrapped) -> None:
    """Other builders have what is within."""


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx looks for."""
    others = {name: (_nothing, _nothing) for name in ("latex", "text", "man", "texinfo")}
    app.add_node(_Wrapped, html=(_visit, _depart), **others)
    app.add_directive("vitrine-cell", _Cell)
    app.add_directive("vitrine-output", _Output)
    app.add_directive("vitrine-check", _Check)
    app.add_directive("vitrine-setup", _Setup)
    app.add_directive("vitrine-solution", _Solution)
    app.connect("doctree-read", _join)
    app.add_js_file("vitrine/widget.js", type="module")
    return {"version": "0.1.0", "parallel_read_safe": True, "parallel_write_safe": True}
