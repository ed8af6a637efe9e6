"""``micropip``, as far as code asks it for packages: the session's ``deps`` answers.

It is no copy of Pyodide's package of that name, which would fetch from the network by itself: the
signatures are those of its documentation, and one resolution serves both names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, cast, override

from vitrine._deps import DepsNamespace
from vitrine._errors import DepsError, DepSpecError

if TYPE_CHECKING:
    from importlib.abc import Loader

_SOURCES = "packages come from the sources of the session: the page names them in `packages`"


class PackageMetadata(NamedTuple):
    """An installed package."""

    name: str
    version: str
    source: str


class Micropip(ModuleType):
    """The module that ``import micropip`` finds."""

    def __init__(self, deps: DepsNamespace) -> None:
        super().__init__("micropip", __doc__)
        self._deps = deps
        self.__version__ = "0"
        self.__all__ = ["freeze", "install", "list", "uninstall"]

    async def install(
        self,
        requirements: str | Sequence[str],
        keep_going: bool = False,
        deps: bool = True,
        index_urls: Sequence[str] | str | None = None,
        **_options: Any,
    ) -> None:
        """Install packages with what they need, and remember them for the session.

        Args:
            requirements: One or more, such as ``"rich>=13"``. Addresses are not accepted.
            keep_going: Try all of them before an error is raised.
            deps: Always on: what a package needs comes with it.
            index_urls: Refused: the page decides where packages come from.
            **_options: ``pre``, ``verbose``, ``reinstall`` and others say how; here is one way.

        Raises:
            ValueError: A requirement cannot be read, or none can be had, with the reason.
        """
        if index_urls is not None:
            raise ValueError(f"micropip takes no index_urls here: {_SOURCES}.")
        if not deps:
            raise ValueError(
                "micropip installs what a package needs along with it: leave out deps=False."
            )
        wanted = [requirements] if isinstance(requirements, str) else list(requirements)
        failed: list[str] = []
        for requirement in wanted:
            try:
                await self._deps.add.call_async(requirement)
            except (DepsError, DepSpecError) as error:
                if not keep_going:
                    raise ValueError(str(error)) from error
                failed.append(str(error))
        if failed:
            raise ValueError("\n".join(failed))

    def uninstall(self, packages: str | Sequence[str], **_options: Any) -> None:
        """Forget packages; what was imported of them stays."""
        for package in [packages] if isinstance(packages, str) else packages:
            self._deps.remove.call_sync(package)

    def list(self) -> dict[str, PackageMetadata]:
        """What is installed, by name."""
        from importlib import metadata

        found = [
            PackageMetadata(one.name, one.version, "session") for one in metadata.distributions()
        ]
        return {one.name: one for one in sorted(found)}

    def freeze(self) -> str:
        """Refused: the page has the list of files, with their hashes.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("The page has that list: `session.deps.lock()` in JavaScript.")

    @override
    def __getattr__(self, name: str) -> object:
        if name in {"set_index_urls", "add_mock_package", "transaction", "set_constraints"}:
            raise AttributeError(f"micropip has no {name} here: {_SOURCES}.")
        raise AttributeError(f"module 'micropip' has no attribute {name!r}")


class MicropipFinder:
    """Stands first on ``sys.meta_path``: a package of that name would answer otherwise."""

    def __init__(self, deps: DepsNamespace) -> None:
        self._deps = deps

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find ``micropip``, and nothing else."""
        return ModuleSpec(name, cast("Loader", self)) if name == "micropip" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module."""
        return Micropip(self._deps)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do."""


def install_micropip(deps: DepsNamespace) -> None:
    """Have ``import micropip`` find ours."""
    sys.meta_path.insert(0, MicropipFinder(deps))  # pyright: ignore[reportArgumentType]


__all__ = ["install_micropip"]
