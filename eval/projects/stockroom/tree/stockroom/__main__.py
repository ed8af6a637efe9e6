"""The command line."""

import argparse
import sys
from pathlib import Path

from stockroom.errors import StockError
from stockroom.files import load, store
from stockroom.session import Session


def main(arguments: list[str] | None = None) -> int:
    """Do one command, or those of a file, and store the stock."""
    parser = argparse.ArgumentParser(prog="stockroom", description=__doc__)
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("command", nargs="+", help="a command with its words, or: run FILE")
    options = parser.parse_args(arguments)

    try:
        session = Session(load(options.file))
        for line in _lines(options.command):
            text = session.do(line)
            if text:
                print(text)
    except StockError as error:
        print(f"stockroom: {error}", file=sys.stderr)
        return 1
    store(session.stock, options.file)
    return 0


def _lines(command: list[str]) -> list[str]:
    if command[0] != "run":
        return [" ".join(command)]
    if len(command) != 2:
        raise StockError("run takes the name of a file")
    lines = Path(command[1]).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    raise SystemExit(main())
