"""What a command is."""

from collections.abc import Callable
from dataclasses import dataclass

from stockroom.stock import Stock


@dataclass(frozen=True)
class Command:
    """Something that can be done with a stock. ``run`` returns what there is to say."""

    name: str
    run: Callable[[Stock, list[str]], str]
    changes: bool = True
