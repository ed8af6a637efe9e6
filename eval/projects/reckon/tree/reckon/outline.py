"""The names of a sheet."""

from reckon.parser import parse
from reckon.source import Position, Source


def outline(source: Source) -> list[tuple[str, Position]]:
    """List the names in their order, with the place at which each gets its value."""
    return [
        (line.name, source.position(line.offset)) for line in parse(source) if line.name is not None
    ]
