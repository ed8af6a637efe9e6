"""All that is kept."""

from __future__ import annotations

from collections.abc import Iterator

from stockroom.errors import StockError
from stockroom.items import Item


class Stock:
    """The items, by their codes."""

    def __init__(self, items: dict[str, Item] | None = None) -> None:
        self._items = {} if items is None else items

    def __iter__(self) -> Iterator[Item]:
        return iter(sorted(self._items.values(), key=lambda item: item.code))

    def __len__(self) -> int:
        return len(self._items)

    def item(self, code: str) -> Item:
        """Find an item."""
        if code not in self._items:
            raise StockError(f"there is no {code}")
        return self._items[code]

    def register(self, item: Item) -> None:
        """Add a new kind of thing."""
        if item.code in self._items:
            raise StockError(f"there is {item.code} already")
        self._items[item.code] = item

    def drop(self, code: str) -> None:
        """Forget a thing of which nothing is left."""
        if self.item(code).total > 0:
            raise StockError(f"there is some of {code} left")
        del self._items[code]

    def snapshot(self) -> Stock:
        """The stock as it is now, whatever comes."""
        return Stock(dict(self._items))
