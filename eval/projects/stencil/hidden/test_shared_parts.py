import unittest

from stencil.environment import Environment
from stencil.mail import render_mail
from tests.counting_loader import CountingLoader

SOURCES = {
    "page.html": 'H {% include "part" %}',
    "other.html": 'O {% include "part" %}',
    "note.txt": 'N {% include "part" %}',
    "part": '{{ x }}{% if y %} {% include "inner" %}{% end %}',
    "inner": "{{ y }}",
}


class SharedPartsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.loader = CountingLoader(SOURCES)
        self.environment = Environment(self.loader)

    def test_text_before_html(self) -> None:
        self.assertEqual(self.environment.render("note.txt", x="<"), "N <")
        self.assertEqual(self.environment.render("page.html", x="<"), "H &lt;")

    def test_html_before_text(self) -> None:
        self.assertEqual(self.environment.render("page.html", x="<"), "H &lt;")
        self.assertEqual(self.environment.render("note.txt", x="<"), "N <")

    def test_parts_of_parts(self) -> None:
        for _ in range(2):
            self.assertEqual(self.environment.render("note.txt", x="a", y="'"), "N a '")
            self.assertEqual(self.environment.render("page.html", x="a", y="'"), "H a &#x27;")

    def test_a_part_by_itself(self) -> None:
        self.assertEqual(self.environment.render("page.html", x="&"), "H &amp;")
        self.assertEqual(self.environment.render("part", x="&"), "&")

    def test_an_html_template_in_a_text(self) -> None:
        self.loader = CountingLoader({"a.txt": '{% include "b.html" %}', "b.html": "{{ x }}"})
        environment = Environment(self.loader)
        self.assertEqual(environment.render("b.html", x="&"), "&amp;")
        self.assertEqual(environment.render("a.txt", x="&"), "&")

    def test_a_part_is_loaded_once_for_all_that_include_it(self) -> None:
        for _ in range(2):
            for name in ("page.html", "other.html", "note.txt"):
                self.environment.render(name, x="<")
        self.assertEqual(self.loader.loaded["page.html"], 1)
        self.assertLessEqual(self.loader.loaded["part"], 2)

    def test_mails_one_after_the_other(self) -> None:
        loader = CountingLoader(
            {"m.txt": '{% include "sign" %}', "m.html": '{% include "sign" %}', "sign": "{{ by }}"}
        )
        environment = Environment(loader)
        for _ in range(3):
            mail = render_mail(environment, "m", by="A & B")
            self.assertEqual((mail.text, mail.html), ("A & B", "A &amp; B"))
        self.assertEqual(loader.loaded["m.html"], 1)
        self.assertLessEqual(loader.loaded["sign"], 2)
