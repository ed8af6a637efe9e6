import unittest
from pathlib import Path

from stencil.environment import Environment
from stencil.loaders import DictLoader, FolderLoader
from stencil.mail import render_mail

EXAMPLES = Path(__file__).parent.parent / "examples"


class MailTest(unittest.TestCase):
    def test_both_bodies(self) -> None:
        loader = DictLoader({"hi.txt": "Hi {{ name }}", "hi.html": "<p>Hi {{ name }}</p>"})
        mail = render_mail(Environment(loader), "hi", name="Ada & Bo")
        self.assertEqual(mail.text, "Hi Ada & Bo")
        self.assertEqual(mail.html, "<p>Hi Ada &amp; Bo</p>")

    def test_an_order(self) -> None:
        items = [{"name": "Nuts", "price": 450}, {"name": "Bolts", "price": 1200}]
        mail = render_mail(
            Environment(FolderLoader(EXAMPLES)),
            "order",
            customer={"name": "ada berg"},
            number=17,
            items=items,
            shop="Nuts & Bolts",
        )
        self.assertIn("Dear Ada Berg,\nyour order 17:\n- Nuts: 4.50\n", mail.text)
        self.assertIn("<li>Bolts: 12.00</li>", mail.html)
        self.assertTrue(mail.text.strip().endswith("Yours, Nuts & Bolts"))
        self.assertIn("Yours, Nuts &amp; Bolts", mail.html)
