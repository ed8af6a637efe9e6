import contextlib
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path

from stockroom.__main__ import main

DATA = Path(__file__).parent.parent / "data"


class CommandLineTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "stock.json"
        shutil.copy(DATA / "stock.json", self.file)

    def run_main(self, *words: str) -> tuple[int, str]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = main(["--file", str(self.file), *words])
        return code, output.getvalue()

    def shelves(self, code: str) -> dict[str, int]:
        return json.loads(self.file.read_text(encoding="utf-8"))[code]["shelves"]

    def test_a_command_is_stored(self) -> None:
        self.assertEqual(self.run_main("add", "W6", "A2", "400"), (0, ""))
        self.assertEqual(self.shelves("W6"), {"A1": 320, "A2": 400})

    def test_a_command_that_fails(self) -> None:
        code, output = self.run_main("take", "P3", "C1", "13")
        self.assertEqual(code, 1)
        self.assertIn("there are 12 of P3 on C1", output)
        self.assertEqual(self.shelves("P3"), {"C1": 12})

    def test_a_file_that_is_no_stock(self) -> None:
        self.file.write_text("[]", encoding="utf-8")
        self.assertEqual(self.run_main("list")[0], 1)

    def test_commands_of_a_file(self) -> None:
        self.assertEqual(self.run_main("run", str(DATA / "morning.txt"))[0], 0)
        self.assertEqual(self.shelves("W6"), {"A1": 320, "A2": 400})
        self.assertEqual(self.shelves("P3"), {"C1": 10})
        self.assertEqual(self.shelves("M6"), {"A1": 190, "B2": 100})
