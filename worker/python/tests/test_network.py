from __future__ import annotations

import ast
import unittest
from unittest import mock

from vitrine import _hints
from vitrine._check._network_calls import network_calls
from vitrine._errors import ImportNotAllowedError
from vitrine._network import Network


def network(trust: str = "sandboxed", call: str | None = None) -> Network:
    """The network of a session with such a tool."""
    found = Network()
    found.connect(trust, lambda: call)
    return found


def hint(error: BaseException, here: Network) -> str | None:
    """What is said of an error."""
    with (
        mock.patch.object(_hints, "NETWORK", here),
        mock.patch.object(_hints, "NETWORK_PACKAGES", frozenset({"probe_web"})),
    ):
        return _hints.hint_for(error, {}, "local" if here.is_there else "sandboxed")


class ProbeError(Exception):
    """As a package that makes requests would raise it."""


ProbeError.__module__ = "probe_web.errors"


class AdviceTests(unittest.TestCase):
    """What to use in place of a network."""

    def test_names_the_tool_that_fetches_addresses(self) -> None:
        advice = network(call="tools.curl.get(url=…)").advice()

        self.assertEqual(
            advice,
            "At trust level 'sandboxed' code has no network: call a tool, "
            "`tools.curl.get(url=…)` for instance.",
        )

    def test_says_what_to_do_where_there_is_none(self) -> None:
        advice = network("isolated").advice()

        self.assertIn("'isolated' code has no network: call a tool, `tools.search(", advice)
        self.assertIn("the page has to register one", advice)

    def test_says_at_local_what_pyodide_can(self) -> None:
        self.assertEqual(
            network("local").advice(), "Use `await pyodide.http.pyfetch(url)`, or a tool."
        )
        self.assertIn("tools.curl(url=…)", network("local", "tools.curl(url=…)").advice())

    def test_a_page_that_does_not_answer_costs_the_name_alone(self) -> None:
        def fails() -> str:
            raise OSError

        found = Network()
        found.connect("sandboxed", fails)

        self.assertIn("tools.search", found.advice())


class HintTests(unittest.TestCase):
    """Errors that come of there being no network."""

    def test_a_package_that_makes_requests_is_of_no_use(self) -> None:
        refused = ImportNotAllowedError("Import 'probe_web' not allowed")
        refused.module = "probe_web"
        for error in (
            ModuleNotFoundError("No module named 'probe_web'", name="probe_web"),
            refused,
            ProbeError("connection refused"),
        ):
            self.assertRegex(str(hint(error, network())), "^At trust level 'sandboxed' code has no")

    def test_at_local_it_may_be_installed_or_done_without(self) -> None:
        missing = ModuleNotFoundError("No module named 'probe_web'", name="probe_web")

        said = str(hint(missing, network("local")))

        self.assertIn('deps.add("probe_web")', said)
        self.assertIn("pyodide.http.pyfetch", said)
        self.assertIsNone(hint(ProbeError("404"), network("local")))

    def test_what_the_error_says_itself_is_not_said_again(self) -> None:
        error = ProbeError("[Errno 40] A browser gives Python no sockets. At trust level …")

        self.assertIsNone(hint(error, network()))

    def test_other_errors_have_nothing_to_do_with_it(self) -> None:
        for error in (ValueError("x"), ModuleNotFoundError("x", name="probe_other")):
            self.assertNotIn("no network", str(hint(error, network())))


class NetworkCallTests(unittest.TestCase):
    """Calls that need a network, found in code."""

    def found(self, code: str) -> list[str]:
        """The names of what is called."""
        return [name for _, name in network_calls(ast.parse(code), code)]

    def test_are_known_by_whatever_name_they_were_imported(self) -> None:
        for code, name in (
            ("import urllib.request\nurllib.request.urlopen(u)", "urllib.request.urlopen"),
            ("import urllib.request as r\nr.urlopen(u)", "urllib.request.urlopen"),
            ("from urllib.request import urlopen as o\no(u)", "urllib.request.urlopen"),
            ("from urllib import request\nrequest.urlopen(u)", "urllib.request.urlopen"),
            ("import http.client\nhttp.client.HTTPSConnection('h')", "http.client.HTTPSConnection"),
            (
                "import socket\ndef f():\n    socket.create_connection(a)",
                "socket.create_connection",
            ),
            ("import httpx\nasync def f():\n    httpx.AsyncClient()", "httpx.AsyncClient"),
            ("import json, js\njson.loads(js.fetch(u))", "js.fetch"),
            (
                "x = [f(u) for u in v if u] if (f := 1) else {}\nfrom js import fetch\nfetch(u)",
                "js.fetch",
            ),
        ):
            self.assertEqual(self.found(code), [name])

    def test_nothing_else_is_one(self) -> None:
        for code in (
            "import urllib.parse\nurllib.parse.quote('a')",
            "import urllib.request\nurllib.request.urlopen('data:,x')",
            "import socket\nsocket.gethostname()",
            "import httpx\nhttpx.URL('x')",
            "def urlopen(u): pass\nurlopen('x')",
            "from urllib.request import urlopen\nurlopen = print\nurlopen('x')",
            "requests.get('x')",
            "import json, jsonschema\njson.loads(jsonschema.fetch(u))",
        ):
            self.assertEqual(self.found(code), [])
