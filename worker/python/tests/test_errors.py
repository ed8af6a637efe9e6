from __future__ import annotations

import copy
import pickle
import traceback
import unittest

import vitrine
from vitrine import _errors
from vitrine._errors import (
    PUBLIC_ERRORS,
    ArtifactDataError,
    ArtifactError,
    ArtifactNameError,
    ArtifactNotFoundError,
    CorsError,
    DepsError,
    DepSpecError,
    NamespaceError,
    RPCError,
    RPCTransportError,
    SkillError,
    SkillNotFoundError,
    SkillSyntaxError,
    ToolArgumentError,
    ToolCallError,
    ToolError,
    ToolNotAllowedError,
    ToolNotFoundError,
    ToolTimeoutError,
    WorkflowError,
    install_errors,
)
from vitrine._wire_errors import error_from_wire


class ErrorClasses(unittest.TestCase):
    """The hierarchy that session code catches by."""

    def test_every_class_is_listed_once_and_exported_by_the_package(self) -> None:
        self.assertEqual(sorted(PUBLIC_ERRORS), sorted(_errors.__all__))
        for name, kind in PUBLIC_ERRORS.items():
            self.assertIs(getattr(vitrine, name), kind)
            self.assertIn(name, vitrine.__all__)
        self.assertEqual([name for name in vitrine.__all__ if name not in dir(vitrine)], [])

    def test_every_specific_class_is_caught_as_its_namespaces_class(self) -> None:
        expected: list[tuple[type[RPCError], type[RPCError]]] = [
            (ToolCallError, ToolError),
            (ToolTimeoutError, ToolError),
            (ToolNotAllowedError, ToolCallError),
            (CorsError, ToolCallError),
            (SkillSyntaxError, SkillError),
            (ArtifactNotFoundError, ArtifactError),
            (DepSpecError, DepsError),
            (ToolError, NamespaceError),
            (SkillError, NamespaceError),
            (ArtifactError, NamespaceError),
            (DepsError, NamespaceError),
            (NamespaceError, RPCError),
            (RPCTransportError, RPCError),
        ]
        for specific, general in expected:
            with self.subTest(specific.__name__):
                self.assertTrue(issubclass(specific, general))

    def test_specific_classes_are_the_builtin_ones_too(self) -> None:
        expected: list[tuple[type[RPCError], type[Exception]]] = [
            (ToolNotFoundError, AttributeError),
            (ToolArgumentError, TypeError),
            (ToolTimeoutError, TimeoutError),
            (SkillNotFoundError, ValueError),
            (SkillSyntaxError, SyntaxError),
            (ArtifactNameError, ValueError),
            (ArtifactDataError, TypeError),
            (DepSpecError, ValueError),
            (RPCError, RuntimeError),
        ]
        for specific, builtin in expected:
            with self.subTest(specific.__name__):
                self.assertTrue(issubclass(specific, builtin))

    def test_workflow_error_is_skill_error(self) -> None:
        self.assertIs(WorkflowError, SkillError)
        self.assertIs(PUBLIC_ERRORS["WorkflowError"], SkillError)

    def test_session_code_finds_them_by_the_name_that_tracebacks_show(self) -> None:
        text = "".join(traceback.format_exception_only(ToolTimeoutError("late")))

        install_errors()

        self.assertEqual(text, "ToolTimeoutError: late\n")
        self.assertIs(eval("ToolTimeoutError", {}), ToolTimeoutError)


class ErrorsFromWire(unittest.TestCase):
    """What becomes of an error that the page reported."""

    def test_every_public_class_is_made_by_its_name_with_the_message_as_it_is(self) -> None:
        for name, expected in PUBLIC_ERRORS.items():
            with self.subTest(name):
                error = error_from_wire(name, "CODE", "it failed", {}, "tools", "call")

                self.assertIs(type(error), expected)
                self.assertEqual(str(error), "it failed")

    def test_other_classes_say_where_they_were_raised(self) -> None:
        for operation, said in (("call", "tools.call: [Odd] m"), ("", "tools(): [Odd] m")):
            error = error_from_wire("Odd", "C", "m", {}, "tools", operation)

            self.assertEqual(str(error), said)

    def test_details_become_attributes(self) -> None:
        details = {"tool_name": "sleepy", "timeout_seconds": 1}

        error = error_from_wire(
            "ToolTimeoutError",
            "TOOL_TIMEOUT",
            "Tool 'sleepy' timed out after 1s",
            details,
            "tools",
            "call",
        )

        assert isinstance(error, ToolTimeoutError)
        self.assertEqual((error.tool_name, error.timeout_seconds), ("sleepy", 1))
        self.assertEqual((error.namespace, error.operation), ("tools", "call"))
        self.assertEqual(error.original_type, "ToolTimeoutError")
        self.assertEqual((error.code, error.details), ("TOOL_TIMEOUT", details))

    def test_attributes_that_the_page_did_not_send_are_there_all_the_same(self) -> None:
        error = error_from_wire("ToolCallError", "C", "m", None, "tools", "call")

        assert isinstance(error, ToolCallError)
        self.assertEqual((error.tool_name, error.tool_args, error.cause), ("", {}, None))
        self.assertEqual((error.status, error.exit_code, error.stdout), (None, None, ""))

    def test_details_cannot_replace_what_exceptions_rely_on(self) -> None:
        details = {"args": 1, "with_traceback": 2, "__class__": 3, "not an identifier": 4}

        error = error_from_wire("ToolCallError", "C", "m", details, "tools", "call")

        self.assertEqual(error.args, ("m",))
        self.assertIs(type(error), ToolCallError)
        self.assertIsNone(error.with_traceback(None).__traceback__)

    def test_a_class_of_nobody_becomes_the_namespaces_class_with_its_name_in_front(self) -> None:
        error = error_from_wire("QuotaError", "C", "no more", None, "artifacts", "load")

        assert isinstance(error, ArtifactError)
        self.assertIs(type(error), ArtifactError)
        self.assertEqual(str(error), "artifacts.load: [QuotaError] no more")
        self.assertEqual(error.original_type, "QuotaError")

    def test_a_builtin_class_stays_what_it_is(self) -> None:
        error = error_from_wire("ValueError", "C", "bad", None, "skills", "create")

        self.assertIs(type(error), ValueError)
        self.assertEqual(str(error), "bad")

    def test_classes_that_steer_the_interpreter_are_never_raised(self) -> None:
        for name in ("StopIteration", "SystemExit", "KeyboardInterrupt", "GeneratorExit"):
            with self.subTest(name):
                error = error_from_wire(name, "C", "m", None, "tools", "call")

                self.assertIs(type(error), ToolError)

    def test_a_malformed_error_is_a_transport_error(self) -> None:
        malformed: list[tuple[object, object, object]] = [
            (None, "m", {}),
            ("ToolError", 5, {}),
            ("ToolError", "m", [1]),
            ("", "m", {}),
        ]
        for name, message, details in malformed:
            with self.subTest(name=name, message=message, details=details):
                error = error_from_wire(name, "C", message, details, "tools", "call")

                self.assertIs(type(error), RPCTransportError)

    def test_a_syntax_error_shows_the_line_and_survives_nonsense(self) -> None:
        details = {"line": 3, "offset": "x", "text": None, "skill_name": "s"}

        error = error_from_wire(
            "SkillSyntaxError", "C", "Syntax error", details, "skills", "create"
        )

        assert isinstance(error, SkillSyntaxError)
        self.assertEqual((error.lineno, error.offset), (3, None))
        self.assertEqual(str(error), "Syntax error")
        self.assertIn("line 3", "".join(traceback.format_exception_only(error)))

    def test_errors_can_be_copied_and_pickled(self) -> None:
        details = {"tool_name": "t"}
        error = error_from_wire("ToolCallError", "C", "m", details, "tools", "call")

        install_errors()
        for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            with self.subTest(type(twin).__name__):
                self.assertEqual((str(twin), vars(twin)["tool_name"]), ("m", "t"))


if __name__ == "__main__":
    unittest.main()
