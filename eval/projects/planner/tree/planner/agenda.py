"""What happens in a span of time, and what is left of it."""

from collections.abc import Iterable, Sequence

from planner.appointments import Appointment, Occurrence
from planner.spans import Span, gaps


def agenda(appointments: Iterable[Appointment], within: Span) -> list[Occurrence]:
    """Collect all that happens, in the order of time."""
    found = [each for appointment in appointments for each in appointment.occurrences(within)]
    return sorted(found, key=lambda each: (each.span, each.title))


def collisions(occurrences: Sequence[Occurrence]) -> list[tuple[Occurrence, Occurrence]]:
    """Find the pairs that overlap, of occurrences in the order of time."""
    pairs = []
    for index, earlier in enumerate(occurrences):
        for later in occurrences[index + 1 :]:
            if later.span.start >= earlier.span.end:
                break
            if earlier.span.overlaps(later.span):
                pairs.append((earlier, later))
    return pairs


def free_time(occurrences: Iterable[Occurrence], within: Span) -> list[Span]:
    """Find what is left of a span."""
    return list(gaps((each.span for each in occurrences), within))
