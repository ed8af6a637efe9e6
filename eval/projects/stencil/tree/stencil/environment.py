"""Templates with all that they need: where they come from, filters, and a cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stencil.cache import TemplateCache, TemplateKey
from stencil.context import Context
from stencil.errors import TemplateNotFoundError
from stencil.filters import FILTERS, Filter
from stencil.loaders import Loader
from stencil.nodes import Node, render_all
from stencil.parser import Parser


@dataclass(frozen=True)
class Template:
    """A template that was parsed."""

    name: str
    nodes: Sequence[Node]


class Environment:
    """Renders the templates of a loader."""

    def __init__(
        self,
        loader: Loader,
        *,
        filters: Mapping[str, Filter] | None = None,
        cache_size: int = 100,
    ) -> None:
        self._loader = loader
        self._filters = {**FILTERS, **(filters or {})}
        self.cache: TemplateCache[Template] = TemplateCache(cache_size)

    def render(self, name: str, /, **values: object) -> str:
        """Render a template with these values."""
        return render_all(self.get(name).nodes, Context(values), self)

    def get(
        self, name: str, *, escapes: bool | None = None, asked_by: str | None = None
    ) -> Template:
        """Find a template. Unless it is said, its name tells whether it escapes."""
        if escapes is None:
            escapes = name.endswith(".html")
        return self.cache.fetch(TemplateKey(name, escapes, asked_by), self._parse)

    def _parse(self, key: TemplateKey) -> Template:
        source = self._loader.load(key.name)
        if source is None:
            raise TemplateNotFoundError(key.name, key.asked_by)
        parser = Parser(key.name, self._filters, escapes=key.escapes)
        return Template(key.name, parser.parse(source))
