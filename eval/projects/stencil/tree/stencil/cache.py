"""Templates that were parsed already."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class TemplateKey:
    """What was asked for. Equal keys get the same template."""

    name: str
    escapes: bool = field(default=False, compare=False)
    asked_by: str | None = field(default=None, compare=False)


class TemplateCache(Generic[T]):
    """Keeps the templates that were used last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[TemplateKey, T] = OrderedDict()

    def fetch(self, key: TemplateKey, make: Callable[[TemplateKey], T]) -> T:
        """Return what is kept under a key, or make it and keep it."""
        if key not in self._kept:
            self._kept[key] = make(key)
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def clear(self) -> None:
        """Forget all templates."""
        self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)
