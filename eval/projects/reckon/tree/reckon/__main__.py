"""The command line: the values of a sheet, or its outline."""

import argparse
import sys
from pathlib import Path

from reckon.errors import ReckonError
from reckon.evaluator import evaluate
from reckon.messages import message
from reckon.numbers import number_text
from reckon.outline import outline
from reckon.source import Source


def main(arguments: list[str] | None = None) -> int:
    """Print what a sheet asks for and return the exit code."""
    parser = argparse.ArgumentParser(prog="reckon", description=__doc__)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--outline", action="store_true")
    options = parser.parse_args(arguments)

    source = Source(options.sheet.read_text(encoding="utf-8"), options.sheet.name)
    try:
        if options.outline:
            for name, position in outline(source):
                print(f"{name}: line {position.line}, column {position.column}")
        else:
            for value in evaluate(source):
                print(number_text(value))
    except ReckonError as error:
        print(message(error, source), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
