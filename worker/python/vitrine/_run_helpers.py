"""What a run may find beside the namespaces: names for one purpose, and what they gathered."""

from __future__ import annotations

from typing import Any, Protocol


class RunHelpers(Protocol):
    """Names that the runs of one kind find, an agent's for instance."""

    @property
    def names(self) -> dict[str, object]:
        """The names. They are put back before every run, whatever code made of them."""
        ...

    def begin(self, options: dict[str, Any]) -> None:
        """Begin a run. ``options`` are those of the page's ``RunHelpers`` of this kind."""
        ...

    def report(self) -> dict[str, Any]:
        """Tell what the run left with the helpers, as JSON can hold it."""
        ...
