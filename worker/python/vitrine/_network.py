"""What code that wants the network does here instead.

Code of a sealed session reaches tools only. This is advice for its author; what holds the
code is the browser.
"""

from __future__ import annotations

from collections.abc import Callable

NETWORK_PACKAGES = frozenset(
    {
        "aiohttp",
        "httpcore",
        "httplib2",
        "httpx",
        "pycurl",
        "pyodide_http",
        "requests",
        "urllib3",
        "websocket",
        "websockets",
    }
)
"""Packages, by their modules, that are of no use without a network."""

SOCKETS = "A browser gives Python no sockets."

_LOCAL = "`await pyodide.http.pyfetch(url)`"
_FIND_ONE = '`tools.search("words")` finds one'
_NONE_FITS = "If none fits, the page has to register one, or to put the data into /workspace."


class Network:
    """What is there of a network in this session."""

    def __init__(self) -> None:
        self._trust = "sandboxed"
        self._find_call: Callable[[], str | None] = lambda: None

    def connect(self, trust: str, find_call: Callable[[], str | None]) -> None:
        """Belong to a session.

        Args:
            trust: Its trust level.
            find_call: Finds how code calls a tool that fetches an address,
                ``tools.curl.get(url=…)``; None where the session has none.
        """
        self._trust, self._find_call = trust, find_call

    @property
    def is_there(self) -> bool:
        """Whether code may use the network itself."""
        return self._trust == "local"

    def advice(self) -> str:
        """How code gets at the network here: by which tool, or by what of Pyodide."""
        call = self._known_call()
        if self.is_there:
            tool = "a tool" if call is None else f"a tool, `{call}` for instance"
            return f"Use {_LOCAL}, or {tool}."
        sealed = f"At trust level {self._trust!r} code has no network: call a tool"
        if call is None:
            return f"{sealed}, {_FIND_ONE}. {_NONE_FITS}"
        return f"{sealed}, `{call}` for instance."

    def _known_call(self) -> str | None:
        try:
            return self._find_call()
        except Exception:  # noqa: BLE001 - advice is not worth an error of its own
            return None


NETWORK = Network()
"""The network of this interpreter's session."""

__all__ = ["NETWORK", "NETWORK_PACKAGES", "SOCKETS", "Network"]
