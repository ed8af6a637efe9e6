"""The desk, where books are lent and brought back."""

from datetime import date, timedelta

from lending.models import Book, LendingError, Loan
from lending.store import Store

DAYS = 28
MOST_LOANS = 3
FEE = 20


class Desk:
    """Lends the books of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, id: str, title: str) -> None:
        """Take a new book."""
        books = self.store.books()
        if any(book.id == id for book in books):
            raise LendingError(f"there is a book {id} already")
        self.store.save([*books, Book(id, title)], self.store.loans())

    def lend(self, id: str, reader: str, today: date) -> Loan:
        """Give a book to a reader."""
        books, loans = self.store.books(), self.store.loans()
        if all(book.id != id for book in books):
            raise LendingError(f"there is no book {id}")
        if any(loan.book == id for loan in loans):
            raise LendingError(f"the book {id} is lent")
        own = [loan for loan in loans if loan.reader == reader]
        if len(own) >= MOST_LOANS:
            raise LendingError(f"{reader} has {MOST_LOANS} books")
        if any(loan.due < today for loan in own):
            raise LendingError(f"{reader} has a book that is overdue")
        loan = Loan(id, reader, today + timedelta(days=DAYS))
        self.store.save(books, [*loans, loan])
        return loan

    def bring(self, id: str, today: date) -> int:
        """Take a book back, and return the fee in cents."""
        loans = self.store.loans()
        for loan in loans:
            if loan.book == id:
                self.store.save(self.store.books(), [each for each in loans if each != loan])
                return max((today - loan.due).days, 0) * FEE
        raise LendingError(f"the book {id} is not lent")

    def overdue(self, today: date) -> list[Loan]:
        """Return the loans whose day has passed, the oldest first."""
        titles = {book.id: book.title for book in self.store.books()}
        late = [loan for loan in self.store.loans() if loan.due < today]
        return sorted(late, key=lambda loan: (loan.due, titles[loan.book]))
