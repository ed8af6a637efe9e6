"""The values that a template sees."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

MISSING = ""


class Context:
    """Scopes of values, the innermost last."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._scopes: list[Mapping[str, object]] = [values]

    @contextmanager
    def scope(self, **values: object) -> Iterator[None]:
        """Add values for a while."""
        self._scopes.append(values)
        try:
            yield
        finally:
            self._scopes.pop()

    def lookup(self, path: str) -> object:
        """Find a value by a name such as ``customer.name``. What is missing is empty."""
        name, *parts = path.split(".")
        value = next((scope[name] for scope in reversed(self._scopes) if name in scope), MISSING)
        for part in parts:
            if isinstance(value, Mapping):
                value = value.get(part, MISSING)
            else:
                value = getattr(value, part, MISSING)
        return value
