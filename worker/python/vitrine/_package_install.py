"""Installs the packages that the page sends."""

from __future__ import annotations

import importlib
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from vitrine._errors import DepsError
from vitrine._package_names import package_of
from vitrine._records import SyncResult, wire_fields, wire_items, wire_text

if TYPE_CHECKING:
    from vitrine._wheels import Package


class Arrivals:
    """The files of packages that the page sends while others are on their way to it.

    Each is read and unpacked when it comes. Nothing of it is in its place before all that is to
    be installed with it has come and was found good.
    """

    def __init__(self, site_packages: str | None = None) -> None:
        self._folder = Path(site_packages or sysconfig.get_path("purelib"))
        self._read: dict[str, Package | DepsError] = {}

    def hear(self, part: object) -> None:
        """Take a file that the page sent."""
        fields = wire_fields(part, "a package's file")
        content = fields.get("bytes")
        if not isinstance(content, bytes):
            raise DepsError("The page sent a package without its bytes.")
        filename = wire_text(fields, "filename")
        self._read[filename] = _read(filename, content, verified=fields.get("verified") is True)

    def install_added(self, reply: object) -> SyncResult:
        """Install one package and what it needs: all of it, or nothing.

        Raises:
            DepsError: A file is not what it should be, or cannot be written.
        """
        fields = wire_fields(reply, "a package")
        return self._install(wire_text(fields, "spec"), wire_items(fields.get("files")))

    def install_found(self, reply: object) -> SyncResult:
        """Install several packages; one that fails does not keep the others out."""
        fields = wire_fields(reply, "the packages")
        results: list[SyncResult] = []
        for item in wire_items(fields.get("packages")):
            package = wire_fields(item, "a package")
            spec, reason = wire_text(package, "spec"), package.get("reason")
            if not isinstance(reason, str):
                try:
                    results.append(self._install(spec, wire_items(package.get("files"))))
                    continue
                except DepsError as error:
                    reason = str(error)
            results.append(SyncResult(reasons={spec: reason}))
        return _joined(results)

    def _install(self, spec: str, filenames: Iterable[object]) -> SyncResult:
        # All of them before any is installed.
        packages = [self._found(str(name)) for name in filenames]
        if package_of(spec) not in {package.name for package in packages}:
            raise DepsError(f"The page found no file of {spec}.")
        changed = {package.name for package in packages if package.install(self._folder)}
        importlib.invalidate_caches()
        return SyncResult([spec]) if changed else SyncResult([], [spec])

    def _found(self, filename: str) -> Package:
        read = self._read.get(filename)
        if read is None:
            raise DepsError(f"The page did not send {filename}.")
        if isinstance(read, DepsError):
            raise read
        return read


def _read(filename: str, content: bytes, *, verified: bool) -> Package | DepsError:
    from vitrine._wheels import read_package

    try:
        return read_package(filename, content, verified=verified)
    except DepsError as error:
        # It is for those that need the file: others may be good without it.
        return error


def _joined(results: Iterable[SyncResult]) -> SyncResult:
    collected = list(results)
    return SyncResult(
        (spec for result in collected for spec in result["installed"]),
        (spec for result in collected for spec in result["already_present"]),
        {spec: why for result in collected for spec, why in result["reasons"].items()},
    )


__all__ = ["Arrivals"]
