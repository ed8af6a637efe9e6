import contextlib
import io
import json
import tempfile
import unittest
from datetime import date, timedelta
from pathlib import Path

from lending.cli import main
from lending.models import Book, LendingError, Loan
from lending.service import Desk
from lending.store import Store

TODAY = date(2026, 1, 31)
DUE = date(2026, 2, 28)


class HiddenTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "books.json")
        self.store = Store(str(self.path))
        self.desk = Desk(self.store)

    def fill(self):
        for id, title in [("1", "Zoo"), ("2", "Ähre"), ("3", "Ant"), ("4", "Bee")]:
            self.desk.add(id, title)

    def test_models_are_frozen(self):
        with self.assertRaises(AttributeError):
            Book("1", "Zoo").title = "Ant"
        self.assertEqual(Loan("1", "Ada", DUE), Loan(book="1", reader="Ada", due=DUE))

    def test_store_begins_empty_and_keeps_the_form(self):
        self.assertEqual((self.store.books(), self.store.loans()), ([], []))
        self.store.save([Book("1", "Ähre")], [Loan("1", "Ada", DUE)])
        content = json.loads(self.path.read_text(encoding="utf-8"))
        loans = [{"book": "1", "reader": "Ada", "due": "2026-02-28"}]
        self.assertEqual(content, {"books": [{"id": "1", "title": "Ähre"}], "loans": loans})
        self.assertEqual(Store(str(self.path)).loans(), [Loan("1", "Ada", DUE)])
        self.assertEqual([path.name for path in self.path.parent.iterdir()], ["books.json"])

    def test_lend_and_bring(self):
        self.fill()
        self.assertEqual(self.desk.lend("1", "Ada", TODAY), Loan("1", "Ada", DUE))
        self.assertEqual(Desk(Store(str(self.path))).bring("1", DUE + timedelta(days=3)), 60)
        self.assertEqual(self.store.loans(), [])
        self.assertEqual(len(self.store.books()), 4)

    def test_what_is_refused(self):
        self.fill()
        self.desk.lend("1", "Ada", TODAY)
        tried = [
            lambda: self.desk.add("1", "Zoo"),
            lambda: self.desk.lend("9", "Ada", TODAY),
            lambda: self.desk.lend("1", "Ben", TODAY),
            lambda: self.desk.bring("2", TODAY),
            lambda: self.desk.lend("2", "Ada", DUE + timedelta(days=1)),
        ]
        for place, call in enumerate(tried):
            with self.subTest(place), self.assertRaises(LendingError):
                call()
        self.assertEqual(self.desk.lend("2", "Ada", DUE).book, "2")
        self.desk.lend("3", "Ada", DUE)
        with self.assertRaises(LendingError):
            self.desk.lend("4", "Ada", DUE)

    def test_fee(self):
        self.fill()
        for days, fee in [(-27, 0), (0, 0), (1, 20), (24, 480), (25, 500), (26, 500)]:
            with self.subTest(days):
                self.desk.lend("1", "Ada", TODAY)
                self.assertEqual(self.desk.bring("1", DUE + timedelta(days=days)), fee)

    def test_overdue(self):
        self.fill()
        self.desk.lend("1", "Ada", TODAY)
        self.desk.lend("3", "Ben", TODAY)
        self.desk.lend("4", "Ben", TODAY - timedelta(days=2))
        self.assertEqual([loan.book for loan in self.desk.overdue(DUE)], ["4"])
        self.assertEqual(
            [loan.book for loan in self.desk.overdue(DUE + timedelta(days=1))], ["4", "3", "1"]
        )

    def run_command(self, *arguments, today=TODAY):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = main([str(self.path), *arguments], today)
        return code, printed.getvalue()

    def test_commands(self):
        self.assertEqual(self.run_command("add", "1", "Zoo"), (0, "added 1\n"))
        self.assertEqual(self.run_command("lend", "1", "Ada"), (0, "due 2026-02-28\n"))
        late = DUE + timedelta(days=2)
        self.assertEqual(self.run_command("overdue", today=late), (0, "2026-02-28 Zoo (Ada)\n"))
        self.assertEqual(self.run_command("bring", "1", today=late), (0, "fee 0.40\n"))
        code, text = self.run_command("bring", "1")
        self.assertEqual(code, 1)
        self.assertTrue(text.startswith("error: "))
