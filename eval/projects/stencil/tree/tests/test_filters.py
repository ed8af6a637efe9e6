import unittest

from stencil import DictLoader, Environment
from stencil.filters import join, money, title


class FiltersTest(unittest.TestCase):
    def test_money(self) -> None:
        self.assertEqual(money(123450), "1,234.50")

    def test_join(self) -> None:
        self.assertEqual(join([1, "b"]), "1, b")

    def test_title_keeps_capitals(self) -> None:
        self.assertEqual(title("ada McKay"), "Ada McKay")

    def test_own_filters(self) -> None:
        environment = Environment(
            DictLoader({"a": "{{ x | twice | upper }}"}), filters={"twice": lambda x: x * 2}
        )
        self.assertEqual(environment.render("a", x="ab"), "ABAB")
