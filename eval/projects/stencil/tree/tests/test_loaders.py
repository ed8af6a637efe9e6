import tempfile
import unittest
from pathlib import Path

from stencil import Environment, FolderLoader, TemplateNotFoundError


class FolderLoaderTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_files(self) -> None:
        (self.folder / "mails").mkdir()
        (self.folder / "mails" / "hello.txt").write_text("Grüße, {{ name }}", encoding="utf-8")
        environment = Environment(FolderLoader(self.folder))
        self.assertEqual(environment.render("mails/hello.txt", name="Ada"), "Grüße, Ada")

    def test_nothing_outside_of_the_folder(self) -> None:
        (self.folder / "inner").mkdir()
        (self.folder / "secret.txt").write_text("x", encoding="utf-8")
        self.assertIsNone(FolderLoader(self.folder / "inner").load("../secret.txt"))

    def test_the_name_of_what_is_missing(self) -> None:
        (self.folder / "a.txt").write_text('{% include "b" %}', encoding="utf-8")
        with self.assertRaisesRegex(TemplateNotFoundError, "'b', which a.txt includes"):
            Environment(FolderLoader(self.folder)).render("a.txt")
