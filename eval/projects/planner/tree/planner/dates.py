"""Counting in days, weeks, months and years."""

import calendar
from datetime import datetime, timedelta
from typing import Literal

Unit = Literal["day", "week", "month", "year"]
UNITS: tuple[Unit, ...] = ("day", "week", "month", "year")


def add(moment: datetime, number: int, unit: Unit) -> datetime:
    """Go on by a number of units, at the same time of day."""
    match unit:
        case "day":
            return moment + timedelta(days=number)
        case "week":
            return moment + timedelta(weeks=number)
        case "month":
            return add_months(moment, number)
        case "year":
            return add_months(moment, 12 * number)


def add_months(moment: datetime, number: int) -> datetime:
    """Go on by months. Where the day is missing, it is the last one of the month."""
    years, month = divmod(moment.month - 1 + number, 12)
    year = moment.year + years
    _, days = calendar.monthrange(year, month + 1)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, days))
