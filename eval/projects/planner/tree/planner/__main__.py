"""The command line: what happens between two days."""

import argparse
from datetime import datetime
from pathlib import Path

from planner.agenda import agenda, collisions
from planner.calendar_file import read_calendar
from planner.spans import Span
from planner.texts import agenda_text


def main(arguments: list[str] | None = None) -> int:
    """Print the agenda; the exit code is 1 if appointments collide."""
    parser = argparse.ArgumentParser(prog="planner", description=__doc__)
    parser.add_argument("calendar", type=Path)
    parser.add_argument("--from", dest="start", type=datetime.fromisoformat, required=True)
    parser.add_argument("--until", dest="end", type=datetime.fromisoformat, required=True)
    options = parser.parse_args(arguments)

    appointments = read_calendar(options.calendar.read_text(encoding="utf-8"))
    occurrences = agenda(appointments, Span(options.start, options.end))
    found = collisions(occurrences)
    print(agenda_text(occurrences, found))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
