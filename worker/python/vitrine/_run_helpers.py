"""What a run may find beside the namespaces: names for one purpose, and what they gathered."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple, Protocol


class Answer(NamedTuple):
    """What a run handed in as the answer of its task."""

    value: object
    text: str
    verified_by: str | None


class RunHelpers(Protocol):
    """Names that the runs of one kind find, an agent's for instance."""

    @property
    def names(self) -> dict[str, object]:
        """The names. They are put back before every run, whatever code made of them."""
        ...

    @property
    def offered(self) -> dict[str, object]:
        """Names that give way to variables and builtins of the same name."""
        ...

    def begin(self, options: dict[str, Any]) -> None:
        """Begin a run. ``options`` are those of the page's ``RunHelpers`` of this kind."""
        ...

    def prepare(self, tree: ast.Module) -> ast.Module:
        """Make the code what runs of this kind execute. Lines stay where they are."""
        ...

    def answer(self) -> Answer | None:
        """What the run handed in. May fail or not end: its value is asked for its text."""
        ...

    def memory(self) -> dict[str, Any] | None:
        """What its task has noted so far, as JSON can hold it."""
        ...
