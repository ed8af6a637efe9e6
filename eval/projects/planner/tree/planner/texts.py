"""The agenda as text."""

from collections.abc import Sequence
from itertools import groupby

from planner.appointments import Occurrence
from planner.durations import duration_text


def agenda_text(
    occurrences: Sequence[Occurrence], found: Sequence[tuple[Occurrence, Occurrence]] = ()
) -> str:
    """Write a line for each day and each occurrence; what collides comes last."""
    lines = []
    for day, of_day in groupby(occurrences, key=lambda each: each.span.start.date()):
        lines.append(f"{day:%a %d %b %Y}")
        for each in of_day:
            length = duration_text(each.span.length)
            lines.append(f"  {each.span.start:%H:%M} {each.title} ({length})")
    lines += [f"! {first.title} and {second.title} collide" for first, second in found]
    return "\n".join(lines)
