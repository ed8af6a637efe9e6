"""Mistakes, as they are told."""

from reckon.errors import ReckonError
from reckon.source import Source


def message(error: ReckonError, source: Source) -> str:
    """Say what is wrong, and mark the place."""
    position = source.position(error.offset)
    line = source.line(position.line)
    # Tabs stay, so that the mark stands below what it means.
    indent = "".join("\t" if sign == "\t" else " " for sign in line[: position.column - 1])
    return "\n".join(
        [
            f"{source.name}, line {position.line}, column {position.column}: {error.reason}",
            f"  {line}",
            f"  {indent}^",
        ]
    )
