"""Read a CSV file into a list of rows, each a dict by column name."""

import csv


def run(path: str, delimiter: str = ",", comment: str = "#") -> list:
    """Read a CSV file into a list of rows, each a dict by column name.

    All values are text without white space around it. Empty lines are left out.

    Args:
        path: Where the file lies, /workspace/sales.csv for instance.
        delimiter: What stands between two columns.
        comment: Lines that start with it are left out; "" for none.
    """
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [line for line in file if line.strip() and not (comment and line.startswith(comment))]
    return [
        {name.strip(): (value or "").strip() for name, value in row.items() if name is not None}
        for row in csv.DictReader(lines, delimiter=delimiter)
    ]
