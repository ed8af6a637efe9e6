"""What a template is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from stencil.context import Context
from stencil.errors import TemplateError
from stencil.escaping import escape
from stencil.filters import Filter

if TYPE_CHECKING:
    from stencil.environment import Environment


class Node(Protocol):
    """A part that can be rendered."""

    def render(self, context: Context, environment: Environment) -> str: ...


def render_all(nodes: Sequence[Node], context: Context, environment: Environment) -> str:
    """Render parts one after the other."""
    return "".join(node.render(context, environment) for node in nodes)


@dataclass(frozen=True)
class Text:
    """Text that stays as it is."""

    text: str

    def render(self, context: Context, environment: Environment) -> str:
        return self.text


@dataclass(frozen=True)
class Value:
    """A value that is put in."""

    path: str
    filters: tuple[Filter, ...]
    escapes: bool

    def render(self, context: Context, environment: Environment) -> str:
        value = context.lookup(self.path)
        for change in self.filters:
            value = change(value)
        return escape(value) if self.escapes else str(value)


@dataclass(frozen=True)
class For:
    """A part for each of some values."""

    name: str
    path: str
    body: Sequence[Node]
    line: int

    def render(self, context: Context, environment: Environment) -> str:
        values = context.lookup(self.path) or ()
        if not isinstance(values, Iterable):
            raise TemplateError(f"{self.path} is no list", self.line)
        parts: list[str] = []
        for value in values:
            with context.scope(**{self.name: value}):
                parts.append(render_all(self.body, context, environment))
        return "".join(parts)


@dataclass(frozen=True)
class If:
    """A part that is left out unless there is a value."""

    path: str
    body: Sequence[Node]

    def render(self, context: Context, environment: Environment) -> str:
        return render_all(self.body, context, environment) if context.lookup(self.path) else ""


@dataclass(frozen=True)
class Include:
    """Another template, with the same values, escaped as the one around it."""

    name: str
    escapes: bool
    asked_by: str

    def render(self, context: Context, environment: Environment) -> str:
        template = environment.get(self.name, escapes=self.escapes, asked_by=self.asked_by)
        return render_all(template.nodes, context, environment)
