"""How the statements of different banks are written."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StatementFormat:
    """The columns of a statement, and how its days and amounts are written."""

    delimiter: str
    day: str
    text: str
    amount: str
    day_format: str
    decimal_comma: bool


FORMATS = {
    "semicolon": StatementFormat(
        delimiter=";",
        day="Date",
        text="Text",
        amount="Amount",
        day_format="%d.%m.%Y",
        decimal_comma=True,
    ),
    "comma": StatementFormat(
        delimiter=",",
        day="booked",
        text="description",
        amount="value",
        day_format="%Y-%m-%d",
        decimal_comma=False,
    ),
}
