from __future__ import annotations

import unittest

from vitrine._deps import folder_package, import_hint


class ImportHints(unittest.TestCase):
    """What the author of a failed import is told."""

    def hint(self, name: str, trust: str = "sandboxed") -> str | None:
        compiled = "cp314-cp314-pyemscripten_2026_0_wasm32.whl"
        lockfile = {
            "numpy": f"numpy-2.4.6-{compiled}",
            "PIL": f"pillow-12.2.0-{compiled}",
            "sqlite3": f"sqlite3-1.0.0-{compiled}",
            "attr": "attrs-25.4.0-py3-none-any.whl",
        }
        return import_hint(name, lockfile, trust)

    def test_a_package_of_the_lockfile_is_named(self) -> None:
        hint = str(self.hint("PIL.Image"))

        wheel_name = "pillow-12.2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
        self.assertIn(f"package pillow, which Pyodide's lockfile has as {wheel_name}", hint)
        self.assertIn('then deps.add("pillow") installs it', hint)
        self.assertIn("attrs-25.4.0-py3-none-any.whl", str(self.hint("attr")))

    def test_a_package_that_is_nowhere_is_told_how_to_come(self) -> None:
        hint = str(self.hint("rich"))

        self.assertIn("no package in Pyodide's lockfile provides it", hint)
        self.assertIn('deps.add("rich")', hint)

    def test_the_trust_level_says_what_it_forbids(self) -> None:
        self.assertIn("'sandboxed' forbids", str(self.hint("numpy")))
        self.assertIn("'local' lets code use the network", str(self.hint("numpy", "local")))

    def test_the_standard_library_cannot_be_added(self) -> None:
        self.assertIn("standard library", str(self.hint("tkinter")))
        self.assertIn("package sqlite3", str(self.hint("sqlite3")))

    def test_what_the_package_folder_may_have_is_named(self) -> None:
        lockfile = {
            "numpy": "numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
            "attr": "attrs-25.4.0-py3-none-any.whl",
        }
        wanted = {
            name: folder_package(name, lockfile)
            for name in ("attr.validators", "rich", "numpy", "tkinter", "os.nope", "a" * 200)
        }

        self.assertEqual(
            {name: package for name, package in wanted.items() if package is not None},
            {"attr.validators": "attrs", "rich": "rich", "numpy": "numpy"},
        )

    def test_a_missing_part_of_what_is_there_has_no_hint(self) -> None:
        self.assertIsNone(self.hint("os.nope"))


if __name__ == "__main__":
    unittest.main()
