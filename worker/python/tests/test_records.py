from __future__ import annotations

import copy
import datetime
import json
import unittest

from memory_bridge import parameter, recipe, tool
from vitrine._errors import RPCTransportError
from vitrine._records import Artifact, Skill, SyncResult, Tool, ToolCallable

ECHO = tool(
    "echo",
    recipe(
        "echo",
        parameter("text", required=True, description="what to say"),
        signature="echo(*, text: str)",
        description="Echo text",
    ),
    recipe("shout", signature="shout()"),
    description="Says things",
    tags=("util", "a"),
)
ARTIFACT = {
    "name": "a.json",
    "path": "/artifacts/a.json",
    "description": "An artifact",
    "metadata": {"src": "t", "_data_type": "json"},
    "createdAt": datetime.datetime(
        2026, 1, 2, 3, tzinfo=datetime.timezone(datetime.timedelta(hours=1))
    ),
    "size": 12,
    "kind": "json",
}
TRIPLE: dict[str, object] = {
    "name": "triple",
    "description": "Triple",
    "source": "def run(n, m): ...",
    "score": 0.5,
    "parameters": [
        {"name": "n", "type": "integer", "description": "", "required": True},
        {
            "name": "m",
            "type": "string",
            "description": "how",
            "required": False,
            "default": "x",
        },
    ],
}


class Records(unittest.TestCase):
    """Objects that are dicts as well."""

    def test_a_field_reads_as_attribute_and_as_item(self) -> None:
        skill = Skill(name="triple", description="Triple", params={"n": "integer"})

        self.assertEqual((skill.name, skill["name"]), ("triple", "triple"))
        self.assertEqual(
            skill, {"name": "triple", "description": "Triple", "params": {"n": "integer"}}
        )
        self.assertEqual(list(skill), ["name", "description", "params"])
        self.assertEqual(skill.get("nope", 1), 1)

    def test_repr_names_class_and_fields(self) -> None:
        skill = Skill(name="triple", params={"n": "integer"})

        self.assertEqual(repr(skill), "Skill(name='triple', params={'n': 'integer'})")

    def test_an_unknown_field_says_which_there_are(self) -> None:
        with self.assertRaisesRegex(AttributeError, "Skill has no field 'nope'. It has: name"):
            _ = Skill(name="triple").nope

    def test_a_record_cannot_be_assigned_to(self) -> None:
        with self.assertRaisesRegex(AttributeError, "read-only"):
            Skill(name="triple").name = "other"

    def test_a_record_can_be_copied(self) -> None:
        callables = Tool.from_wire(ECHO).callables

        twin = copy.deepcopy(callables[0])

        self.assertEqual((twin, twin.signature()), (callables[0], "echo(*, text: str)"))


class ToolRecords(unittest.TestCase):
    """Tools as ``tools.list()`` shows them."""

    def test_repr_of_a_tool_is_the_listing_that_a_model_reads(self) -> None:
        listing = "echo: Says things\n  echo(*, text: str): Echo text\n  shout()"

        self.assertEqual(repr(Tool.from_wire(ECHO)), listing)

    def test_to_dict_has_the_fields_of_the_reference_and_nothing_else(self) -> None:
        described = Tool.from_wire(ECHO).to_dict()

        self.assertEqual(list(described), ["name", "description", "tags", "callables"])
        self.assertEqual(list(described["callables"][0]), ["name", "description", "parameters"])
        self.assertEqual(
            described["callables"][0]["parameters"],
            [
                {
                    "name": "text",
                    "type": "string",
                    "required": True,
                    "default": None,
                    "description": "what to say",
                }
            ],
        )

    def test_attributes_are_sets_and_tuples_where_items_are_lists(self) -> None:
        described = Tool.from_wire(ECHO)

        self.assertEqual(
            (described.tags, described["tags"]), (frozenset({"a", "util"}), ["a", "util"])
        )
        self.assertIsInstance(described.callables, tuple)
        self.assertEqual(json.loads(json.dumps(described)), described.to_dict())

    def test_signatures_are_those_of_the_page(self) -> None:
        self.assertEqual(Tool.from_wire(ECHO).signatures(), ["echo(*, text: str)", "shout()"])

    def test_a_malformed_tool_is_a_transport_error(self) -> None:
        malformed: list[object] = [
            None,
            [],
            {"name": "x"},
            {**ECHO, "callables": "x"},
            {**ECHO, "name": 5},
        ]
        for wire in malformed:
            with self.subTest(wire), self.assertRaises(RPCTransportError):
                Tool.from_wire(wire)
        with self.assertRaises(RPCTransportError):
            ToolCallable.from_wire({"name": "x"})


class SkillRecords(unittest.TestCase):
    """Skills as ``skills.list()`` and ``skills.get()`` show them."""

    def test_params_show_the_description_or_else_the_type(self) -> None:
        skill = Skill.from_wire(TRIPLE)

        self.assertEqual(skill.params, {"n": "integer", "m": "how"})
        self.assertEqual(skill.score, 0.5)

    def test_get_adds_source_and_parameters(self) -> None:
        skill = Skill.with_source(TRIPLE)

        self.assertEqual(skill["source"], skill.source)
        self.assertEqual(skill.parameters[1].default, "x")
        self.assertNotIn("score", skill)


class ArtifactRecords(unittest.TestCase):
    """Artifacts as ``artifacts.list()`` shows them."""

    def test_created_at_is_an_aware_datetime_in_utc_and_text_as_an_item(self) -> None:
        artifact = Artifact.from_wire(ARTIFACT)

        self.assertEqual(artifact.created_at, datetime.datetime(2026, 1, 2, 2, tzinfo=datetime.UTC))
        self.assertEqual(artifact.created_at.utcoffset(), datetime.timedelta(0))
        self.assertEqual(artifact["created_at"], "2026-01-02T02:00:00+00:00")

    def test_the_kind_that_a_store_keeps_in_the_metadata_is_hidden(self) -> None:
        self.assertEqual(Artifact.from_wire(ARTIFACT).metadata, {"src": "t"})

    def test_an_artifact_without_a_time_is_a_transport_error(self) -> None:
        with self.assertRaises(RPCTransportError):
            Artifact.from_wire({**ARTIFACT, "createdAt": "yesterday"})


class SyncResults(unittest.TestCase):
    """What ``deps.add()`` and ``deps.sync()`` return."""

    def test_attributes_are_sets_and_items_are_lists(self) -> None:
        result = SyncResult(["b", "a"], [], {"c": "no wheel"})

        self.assertEqual((result.installed, result["installed"]), ({"a", "b"}, ["a", "b"]))
        self.assertEqual((result.already_present, result.failed), (set(), {"c"}))
        self.assertEqual(result.reasons, {"c": "no wheel"})


if __name__ == "__main__":
    unittest.main()
