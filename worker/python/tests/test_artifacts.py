from __future__ import annotations

import asyncio
import datetime
import math
import tempfile
import unittest
from pathlib import Path
from typing import Any

from memory_bridge import MemoryBridge, page_error
from vitrine._artifact_files import ArtifactFiles
from vitrine._artifacts import ArtifactsNamespace
from vitrine._errors import ArtifactError, ArtifactNotFoundError, RPCTransportError


class Artifacts(unittest.TestCase):
    """The namespace ``artifacts`` over a page that keeps them in a dict."""

    def setUp(self) -> None:
        self.stored: dict[str, dict[str, Any]] = {}
        self.clock = 0
        self.bridge = MemoryBridge(
            artifacts__save=self.save,
            artifacts__load=lambda asked: self.found(asked, "artifacts.load"),
            artifacts__get=lambda asked: self.stored.get(asked["name"]),
            artifacts__list=lambda _: list(self.stored.values()),
            artifacts__exists=lambda asked: asked["name"] in self.stored,
            artifacts__delete=lambda asked: self.stored.pop(asked["name"], None) and None,
            artifacts__register=self.register,
        )
        self.addCleanup(self.bridge.close)
        self.directory = Path(self.enterContext(tempfile.TemporaryDirectory())) / "artifacts"
        files = ArtifactFiles(str(self.directory))
        self.artifacts: Any = ArtifactsNamespace(self.bridge, files)

    def save(self, asked: dict[str, Any]) -> object:
        """Keep what was sent."""
        self.clock += 1
        self.stored[asked["name"]] = {
            **asked,
            "path": f"/artifacts/{asked['name']}",
            "createdAt": datetime.datetime.fromtimestamp(self.clock, datetime.UTC),
            "size": len(asked["data"]),
        }
        return self.stored[asked["name"]]

    def register(self, asked: dict[str, Any]) -> object:
        """Describe what is there."""
        return self.save({**self.found(asked, "artifacts.register"), **asked})

    def found(self, asked: dict[str, Any], operation: str) -> dict[str, Any]:
        """What is kept, or the page's error."""
        name = asked["name"]
        if name not in self.stored:
            message = f"Artifact '{name}' not found"
            raise page_error("ArtifactNotFoundError", message, operation, artifact_name=name)
        return self.stored[name]

    def kinds(self) -> dict[str, str]:
        """How each artifact is kept."""
        return {name: artifact["kind"] for name, artifact in self.stored.items()}


class ArtifactValues(Artifacts):
    """What is saved comes back."""

    def test_the_kind_follows_the_value_and_not_the_name(self) -> None:
        values: dict[str, object] = {
            "plain": {"x": [1, None, True, 1.5]},
            "a.json": {"x": [1, None, True, 1.5]},
            "list": [1, 2],
            "t.txt": "hello",
            "s.json": "not json {",
            "s2.json": '{"a": 1}',
            "number": 5,
            "none": None,
            "false": False,
            "b.bin": b"\x89PNG\x00\xff",
            "empty": "",
        }
        for name, value in values.items():
            with self.subTest(name):
                self.artifacts.save(name, value)

                loaded = self.artifacts.load(name)

                self.assertEqual((loaded, type(loaded)), (value, type(value)))

    def test_json_has_its_say(self) -> None:
        self.artifacts.save("a", {1: "a", "t": (1, 2)})
        self.artifacts.save("nan", [math.nan, math.inf])

        self.assertEqual(self.artifacts.load("a"), {"1": "a", "t": [1, 2]})
        nan, infinity = self.artifacts.load("nan")
        self.assertEqual((math.isnan(nan), infinity), (True, math.inf))

    def test_json_is_readable_and_keeps_even_half_a_character(self) -> None:
        self.artifacts.save("a", {"x": "æ😀"})
        self.artifacts.save("b", ["\ud800"])

        self.assertEqual(self.stored["a"]["data"], '{"x": "æ😀"}')
        self.assertEqual(self.artifacts.load("b"), ["\ud800"])

    def test_every_kind_of_bytes_is_bytes(self) -> None:
        for value in (bytearray(b"ab"), memoryview(b"ab"), memoryview(b"axbx")[::2]):
            self.artifacts.save("b", value)

            self.assertEqual(self.artifacts.load("b"), b"ab")

    def test_what_cannot_be_kept_is_a_type_error_and_nothing_is_sent(self) -> None:
        for value in ({"f": lambda: 1}, print, datetime.datetime.now(), {1, 2}, "\ud800", object()):
            with self.subTest(value), self.assertRaises(TypeError) as raised:
                self.artifacts.save("x", value)
            self.assertIsInstance(raised.exception, ArtifactError)
        with self.assertRaises(TypeError):
            self.artifacts.save("x", 1, metadata={"f": print})
        with self.assertRaises(TypeError):
            self.artifacts.save("x", 1, metadata=[1])
        with self.assertRaises(TypeError):
            self.artifacts.save(5, 1)
        self.assertEqual(self.bridge.asked, [])

    def test_three_megabytes_of_text(self) -> None:
        self.artifacts.save("big", "x" * 3_000_000)

        self.assertEqual(len(self.artifacts.load("big")), 3_000_000)


class ArtifactListings(Artifacts):
    """What is known of artifacts."""

    def test_save_returns_what_is_known(self) -> None:
        saved = self.artifacts.save("a.json", [1], "numbers", {"src": "t", "n": 2})

        self.assertEqual((saved.name, saved["path"]), ("a.json", "/artifacts/a.json"))
        self.assertEqual((saved.description, saved.metadata), ("numbers", {"src": "t", "n": 2}))
        self.assertEqual(saved.created_at.utcoffset(), datetime.timedelta(0))
        self.assertEqual(saved, self.artifacts.get("a.json"))
        self.assertEqual(self.artifacts.list(), [saved])

    def test_what_is_missing(self) -> None:
        with self.assertRaises(ArtifactNotFoundError) as raised:
            self.artifacts.load("missing")

        self.assertEqual(str(raised.exception), "Artifact 'missing' not found")
        self.assertEqual(raised.exception.artifact_name, "missing")
        self.assertEqual(self.artifacts.load("missing", default={}), {})
        self.assertIsNone(self.artifacts.load("missing", None))
        self.assertIsNone(self.artifacts.get("missing"))
        self.assertIs(self.artifacts.exists("missing"), False)
        self.assertIsNone(self.artifacts.delete("missing"))

    def test_a_default_hides_no_other_error(self) -> None:
        def refuse(_: object) -> object:
            raise page_error(
                "ArtifactNameError", "Path traversal attempt detected", "artifacts.load"
            )

        self.bridge.handlers["artifacts.load"] = refuse

        with self.assertRaisesRegex(ValueError, "^Path traversal attempt detected$"):
            self.artifacts.load("../x", default=1)

    def test_delete_and_exists(self) -> None:
        self.artifacts.save("a", 1)
        self.assertIs(self.artifacts.exists("a"), True)

        self.artifacts.delete("a")

        self.assertIs(self.artifacts.exists("a"), False)

    def test_every_call_can_be_awaited_and_gathered(self) -> None:
        async def main() -> list[Any]:
            await self.artifacts.save("a", 1)
            await self.artifacts.save.call_async("b", 2)
            loads = (self.artifacts.load.call_async(name) for name in "ab")
            return await asyncio.gather(*loads)

        self.assertEqual(self.bridge.run_coroutine(main()), [1, 2])
        self.assertEqual(self.bridge.most_open, 2)

    def test_a_malformed_answer_is_a_transport_error(self) -> None:
        for answer in (None, {"kind": "pickle", "data": b""}, {"kind": "json", "data": 5}):
            self.bridge.handlers["artifacts.load"] = lambda _, answer=answer: answer

            with self.subTest(answer), self.assertRaises(RPCTransportError):
                self.artifacts.load("a")


class ArtifactDirectory(Artifacts):
    """``artifacts.path``: artifacts as files."""

    def test_no_directory_is_made_before_it_is_asked_for(self) -> None:
        self.artifacts.save("a", "x")
        self.artifacts.load("a")

        self.assertFalse(self.directory.exists())

    def test_artifacts_lie_there_as_files(self) -> None:
        self.artifacts.save("sub/a.json", {"a": 1})
        self.artifacts.save("b.bin", b"\xff")

        path = Path(self.artifacts.path)

        self.assertEqual((path / "sub/a.json").read_text(), '{"a": 1}')
        self.assertEqual((path / "b.bin").read_bytes(), b"\xff")

    def test_later_changes_are_followed(self) -> None:
        path = Path(self.artifacts.path)
        self.artifacts.save("a", "one")
        self.artifacts.save("b", "two")
        self.artifacts.delete("b")
        self.assertEqual(((path / "a").read_text(), (path / "b").exists()), ("one", False))

        self.save({"name": "a", "kind": "text", "data": "page", "description": "", "metadata": {}})
        del self.stored["a"]["data"]
        self.stored["a"]["data"] = "by the page"

        self.assertEqual((Path(self.artifacts.path) / "a").read_text(), "by the page")
        self.stored.clear()
        self.assertEqual(list(Path(self.artifacts.path).iterdir()), [])

    def test_what_did_not_change_is_not_loaded_again(self) -> None:
        self.artifacts.save("a", "one")
        _ = self.artifacts.path
        self.bridge.asked.clear()

        _ = self.artifacts.path

        self.assertEqual(self.bridge.methods(), ["artifacts.list"])

    def test_a_file_written_there_is_loaded_but_not_listed(self) -> None:
        path = Path(self.artifacts.path)
        (path / "raw.json").write_text('{"a": 1}')
        (path / "odd.json").write_text("{")
        (path / "raw.bin").write_bytes(b"\xff\xfe")

        self.assertEqual(self.artifacts.load("raw.json"), {"a": 1})
        self.assertEqual(self.artifacts.load("odd.json"), "{")
        self.assertEqual(self.artifacts.load("raw.bin"), b"\xff\xfe")
        self.assertEqual(self.artifacts.list(), [])

    def test_a_changed_file_is_what_loads_and_outlives_a_refresh(self) -> None:
        self.artifacts.save("log.txt", "one")
        with (Path(self.artifacts.path) / "log.txt").open("a") as file:
            file.write(" two")

        self.assertEqual(self.artifacts.load("log.txt"), "one two")
        self.save(
            {"name": "log.txt", "kind": "text", "data": "x", "description": "", "metadata": {}}
        )
        self.assertEqual((Path(self.artifacts.path) / "log.txt").read_text(), "one two")

    def test_register_makes_a_file_an_artifact(self) -> None:
        (Path(self.artifacts.path) / "raw.txt").write_text("mine")

        registered = self.artifacts.register("raw.txt", "By hand", {"n": 1})

        self.assertEqual((registered.description, registered.metadata), ("By hand", {"n": 1}))
        self.assertEqual(
            (self.stored["raw.txt"]["data"], self.kinds()), ("mine", {"raw.txt": "text"})
        )

    def test_register_describes_an_artifact_anew_and_needs_one(self) -> None:
        self.artifacts.save("a", 1)

        self.assertEqual(self.artifacts.register("a", "One").description, "One")
        with self.assertRaises(ArtifactNotFoundError):
            self.artifacts.register("missing", "x")

    def test_no_name_leads_out_of_the_directory(self) -> None:
        outside = self.directory.parent / "outside.txt"
        outside.write_text("secret")
        _ = self.artifacts.path

        for name in ("../outside.txt", str(outside), "", ".", "x/../../outside.txt"):
            with self.subTest(name), self.assertRaises(ArtifactNotFoundError):
                self.artifacts.load(name)

        self.artifacts.delete("../outside.txt")
        self.assertEqual(outside.read_text(), "secret")


if __name__ == "__main__":
    unittest.main()
