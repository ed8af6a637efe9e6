"""Keeps books and loans in a file."""

import json
import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from lending.models import Book, Loan


class Store:
    """One JSON file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def books(self) -> list[Book]:
        """All books, in the order of the file."""
        return [Book(each["id"], each["title"]) for each in self._content()["books"]]

    def loans(self) -> list[Loan]:
        """All loans, in the order of the file."""
        return [
            Loan(each["book"], each["reader"], date.fromisoformat(each["due"]))
            for each in self._content()["loans"]
        ]

    def save(self, books: Iterable[Book], loans: Iterable[Loan]) -> None:
        """Write both. A file that was begun never takes the place of a whole one."""
        content = {
            "books": [{"id": book.id, "title": book.title} for book in books],
            "loans": [
                {"book": loan.book, "reader": loan.reader, "due": loan.due.isoformat()}
                for loan in loans
            ],
        }
        begun = self.path.with_name(f"{self.path.name}.new")
        begun.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        os.replace(begun, self.path)

    def _content(self) -> dict[str, Any]:
        try:
            return json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"books": [], "loans": []}
