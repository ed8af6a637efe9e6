"""The stock as a file of JSON."""

import json
from pathlib import Path

from stockroom.errors import StockError
from stockroom.items import Item
from stockroom.stock import Stock


def load(path: Path) -> Stock:
    """Read a stock. What is not there yet is an empty one."""
    if not path.exists():
        return Stock()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Stock({code: Item(code, **fields) for code, fields in data.items()})
    except (ValueError, TypeError, AttributeError) as error:
        raise StockError(f"{path} is no stock: {error}") from error


def store(stock: Stock, path: Path) -> None:
    """Write a stock, all of it or nothing."""
    data = {
        item.code: {"title": item.title, "least": item.least, "shelves": item.shelves}
        for item in stock
    }
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    beside.replace(path)
