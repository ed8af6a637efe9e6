"""The desk on the command line."""

from collections.abc import Sequence
from datetime import date

from lending.models import LendingError
from lending.service import Desk
from lending.store import Store


def main(arguments: Sequence[str], today: date) -> int:
    """Do what the arguments say. 0 is well, 1 is an error."""
    file, command, *rest = arguments
    store = Store(file)
    desk = Desk(store)
    try:
        match command, rest:
            case "add", [id, title]:
                desk.add(id, title)
                print(f"added {id}")
            case "lend", [id, reader]:
                print(f"due {desk.lend(id, reader, today).due.isoformat()}")
            case "bring", [id]:
                print(f"fee {desk.bring(id, today) / 100:.2f}")
            case "overdue", []:
                titles = {book.id: book.title for book in store.books()}
                for loan in desk.overdue(today):
                    print(f"{loan.due.isoformat()} {titles[loan.book]} ({loan.reader})")
            case _:
                raise LendingError(f"{command} is no command, or has other arguments")
    except LendingError as error:
        print(f"error: {error}")
        return 1
    return 0
