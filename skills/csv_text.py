"""Write rows (dicts) as the text of a CSV file."""

import csv
import io


def run(rows: list) -> str:
    """Write rows as the text of a CSV file, with a header line.

    Args:
        rows: Dicts with the same keys; the keys of the first one are the columns.
    """
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
