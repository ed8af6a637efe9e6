from __future__ import annotations

import asyncio
import datetime
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from memory_bridge import MemoryBridge
from vitrine._codegen._header import Header, OutputFolder
from vitrine._codegen._progress import Progress
from vitrine._codegen._values import plain_json


class ProgressCalls(unittest.TestCase):
    """``set_progress``, ``done`` and ``fail``."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "result.json"
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.progress = Progress(
            lambda kind, content: self.told.append((kind, content)), self.file, {"a": {}}
        )

    def made(self) -> dict[str, Any]:
        return self.progress.state["out_dyn"]

    def test_g34_both_forms_of_an_artifact_are_stored_alike(self) -> None:
        payload = {"type": "inline", "format": "text", "value": "x"}
        self.progress.set_progress(artifact={"name": "a", **payload})
        self.progress.set_progress(artifact={"artifact_id": "b", **payload})
        self.progress.set_progress(artifact={"c": payload, "d": payload})
        self.assertEqual(self.made(), dict.fromkeys("abcd", payload))

    def test_g35_a_list_is_no_artifact(self) -> None:
        with self.assertRaisesRegex(TypeError, "^artifact must be a dict$"):
            self.progress.set_progress(artifact=["a"])

    def test_g36_what_lacks_a_type_is_refused_by_its_name(self) -> None:
        for artifact in ({"report": "text"}, {"name": "report", "value": 1}, {"report": {"v": 1}}):
            with self.subTest(artifact), self.assertRaisesRegex(TypeError, "'report'"):
                self.progress.set_progress(artifact=artifact)
        self.assertEqual(self.made(), {})

    def test_g37_a_path_is_stored_as_text(self) -> None:
        self.progress.set_progress(artifact={"f": {"type": "file", "path": Path("a/b.csv")}})
        self.assertEqual(self.made()["f"]["path"], "a/b.csv")

    def test_g44_values_are_made_plain_or_refused_by_their_place(self) -> None:
        day = datetime.date(2026, 11, 22)
        value = {"day": day, "tags": {"b", "a"}, 3: (1, 2)}
        self.progress.set_progress(artifact={"a": {"type": "inline", "value": value}})
        self.assertEqual(
            self.made()["a"]["value"], {"day": "2026-11-22", "tags": ["a", "b"], "3": [1, 2]}
        )
        numbers = [2**53 - 1, 1 - 2**53, 2**53, -(2**53) - 1, True]
        self.progress.set_progress(artifact={"b": {"type": "inline", "value": numbers}})
        self.assertEqual(
            self.made()["b"]["value"],
            [9007199254740991, -9007199254740991, "9007199254740992", "-9007199254740993", True],
        )
        with self.assertRaisesRegex(TypeError, r"'a'\['value'\]\[0\] is of type object"):
            self.progress.set_progress(artifact={"a": {"type": "inline", "value": [object()]}})
        with self.assertRaisesRegex(TypeError, "OUTPUT_DIR"):
            self.progress.set_progress(artifact={"a": {"type": "inline", "value": b"x"}})
        with self.assertRaisesRegex(TypeError, "JSON cannot hold"):
            plain_json(float("nan"), "x")
        loop: list[Any] = []
        loop.append(loop)
        with self.assertRaisesRegex(TypeError, "holds itself"):
            plain_json(loop, "x")

    def test_g30_after_done_nothing_changes(self) -> None:
        self.progress.set_progress(artifact={"a": {"type": "inline", "value": 1}})
        self.progress.done()
        written = self.file.read_text()
        self.progress.set_progress(artifact={"a": {"type": "inline", "value": 2}}, flush=True)
        self.progress.fail("too late")
        self.assertEqual(self.file.read_text(), written)
        kinds = ["progress", "finished", "finished_again"]
        self.assertEqual([kind for kind, _ in self.told], kinds)
        self.assertEqual(json.loads(written)["out_dyn"]["a"]["value"], 1)
        self.assertIs(json.loads(written)["ok"], True)

    def test_g27_fail_tells_its_fields_and_keeps_artifacts(self) -> None:
        self.progress.set_progress(artifact={"a": {"type": "inline", "value": 1}})
        self.progress.fail("no data", where="load", error="empty", details={"rows": 0})
        written = json.loads(self.file.read_text())
        self.assertIs(written["ok"], False)
        self.assertEqual(
            written["error"],
            {
                "where": "load",
                "error": "empty",
                "description": "no data",
                "details": '{"rows": 0}',
                "managed": True,
            },
        )
        self.assertIn("a", written["out_dyn"])

    def test_g48_the_story_takes_one_sentence_or_several(self) -> None:
        self.progress.set_progress(story_append="Read.")
        self.progress.set_progress(story_append=["Counted.", "Wrote."])
        self.assertEqual(self.progress.state["story"], ["Read.", "Counted.", "Wrote."])

    def test_g50_plain_and_awaited_calls_do_the_same(self) -> None:
        async def program() -> None:
            await self.progress.set_progress(status="one")
            self.progress.set_progress(status="two")
            await self.progress.done()

        asyncio.new_event_loop().run_until_complete(program())
        self.assertEqual([kind for kind, _ in self.told], ["progress", "progress", "finished"])

    def test_g89_other_names_of_parameters_are_taken(self) -> None:
        payload = {"type": "inline", "value": 1}
        self.progress.set_progress(out_dyn_patch={"a": payload})
        self.progress.fail("no", out_dyn={"b": payload})
        self.assertEqual(list(self.made()), ["a", "b"])

    def test_a_lone_surrogate_is_no_reason_to_lose_the_result(self) -> None:
        self.progress.set_progress(artifact={"a": {"type": "inline", "value": "x\ud800"}})
        self.progress.done()
        self.assertEqual(json.loads(self.file.read_text())["out_dyn"]["a"]["value"], "x?")


class HeaderNames(unittest.TestCase):
    """What a program finds beside the namespaces of the session."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "out"
        self.bridge = MemoryBridge(
            tools__get=lambda asked: _tool() if asked["name"] in ("web", "my web") else None,
            tools__names=lambda _asked: ["web"],
            tools__call=lambda asked: [asked["tool"], asked["callable"], asked["arguments"]],
            helpers__call=lambda asked: {"ret": asked["content"], "err": None},
        )
        from vitrine._namespaces import build_namespaces

        self.names = Header(
            self.bridge,
            build_namespaces(self.bridge).tools,
            {
                "outputDir": str(self.folder),
                "resultFilename": "r.json",
                "executionId": "e1",
                "contract": {"a": {}},
                "aliases": {"web": "my web", "Path": "my web", "sum": "my web"},
            },
        ).names

    def test_g88_the_folder_is_a_text_and_joins_like_a_path(self) -> None:
        output = self.names["OUTPUT_DIR"]
        self.assertIsInstance(output, str)
        self.assertIsInstance(output, OutputFolder)
        self.assertEqual(output / "a.pdf", self.names["OUTPUT"] / "a.pdf")
        self.assertTrue(self.folder.is_dir())

    def test_the_names_of_the_header_are_there_and_no_tool_takes_their_place(self) -> None:
        wanted = "OUT OUT_DIR logger agent_io_tools ctx_tools io_tools asyncio os sys CONTRACT"
        self.assertLessEqual(set(wanted.split()), set(self.names))
        self.assertIs(self.names["Path"], Path)
        self.assertEqual(self.names["EXECUTION_MODE"], "TOOL")
        self.assertIs(self.names["null"], None)

    def test_a_tool_named_like_a_builtin_leaves_the_builtin_alone(self) -> None:
        self.assertNotIn("sum", self.names)
        self.assertEqual(self.names["TOOL_ALIAS_MAP"]["sum"], "my web")

    def test_g51_arguments_may_be_a_dict_or_json(self) -> None:
        call = self.names["agent_io_tools"].tool_call
        wanted = ["my web", "find", {"q": "x"}]
        find = self.names["web"].find
        self.assertEqual(call(fn=find, params={"q": "x"}, call_reason="To know"), wanted)
        self.assertEqual(call(fn=find, params='{"q": "x"}'), wanted)
        self.assertEqual(call(fn=find, params_json='{"q": "x"}'), wanted)
        self.assertEqual(call(tool_id="web.find", params={"q": "x"}), wanted)
        self.assertEqual(call(fn=None, tool_id="mcp.web.find", params={"q": "x"}), wanted)

    def test_g52_text_that_is_no_json_of_a_dict_is_refused(self) -> None:
        for params in ("abc", "[1]", 3, ["q"]):
            with self.subTest(params), self.assertRaisesRegex(TypeError, "params"):
                self.names["agent_io_tools"].tool_call(tool_id="web.find", params=params)

    def test_a_call_of_nothing_is_refused(self) -> None:
        message = "tool_call: tool_id is required when fn is None"
        with self.assertRaisesRegex(ValueError, message):
            self.names["agent_io_tools"].tool_call(fn=None, params={})

    def test_the_context_never_raises(self) -> None:
        fetch = self.names["ctx_tools"].fetch_ctx
        self.assertEqual(fetch("turn_1.user")["ret"], {"path": "turn_1.user"})
        self.assertEqual(fetch(3)["err"]["code"], "invalid_path_literal")

    def test_a_result_can_be_saved_by_hand(self) -> None:
        path = self.names["io_tools"].save_ret({"out_dyn": {"a": 1}}, filename="r.json")
        written = json.loads(Path(path).read_text())
        self.assertEqual(written["out_dyn"], {"a": 1})
        self.assertIs(written["ok"], True)


def _tool() -> dict[str, Any]:
    parameter = {
        "name": "q",
        "alias": "q",
        "type": "string",
        "python_type": "str",
        "required": True,
        "description": "",
    }
    return {
        "name": "my web",
        "alias": "web",
        "description": "",
        "tags": [],
        "callables": [
            {
                "name": "find",
                "alias": "find",
                "description": "",
                "signature": "find(*, q: str)",
                "parameters": [parameter],
            }
        ],
    }


if __name__ == "__main__":
    unittest.main()
