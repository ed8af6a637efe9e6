"""Installs the packages that the page sent."""

from __future__ import annotations

import importlib
import sysconfig
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from vitrine._errors import DepsError
from vitrine._package_names import package_of
from vitrine._records import SyncResult, wire_fields, wire_items, wire_text

if TYPE_CHECKING:
    from vitrine._wheels import Package


def install_added(reply: object, site_packages: str | None = None) -> SyncResult:
    """Install one package and what it needs: all of it, or nothing.

    Raises:
        DepsError: A file is not what it should be, or cannot be written.
    """
    fields = wire_fields(reply, "a package")
    files = _Files(fields.get("wheels"))
    return _install(wire_text(fields, "spec"), files.read(files.names), site_packages)


def install_found(reply: object, site_packages: str | None = None) -> SyncResult:
    """Install several packages; one that fails does not keep the others out."""
    fields = wire_fields(reply, "the packages")
    files = _Files(fields.get("wheels"))
    results: list[SyncResult] = []
    for item in wire_items(fields.get("packages")):
        package = wire_fields(item, "a package")
        spec, reason = wire_text(package, "spec"), package.get("reason")
        if not isinstance(reason, str):
            try:
                needed = files.read(str(name) for name in wire_items(package.get("files")))
                results.append(_install(spec, needed, site_packages))
                continue
            except DepsError as error:
                reason = str(error)
        results.append(SyncResult(reasons={spec: reason}))
    return _joined(results)


def _install(spec: str, packages: Collection[Package], site_packages: str | None) -> SyncResult:
    if package_of(spec) not in {package.name for package in packages}:
        raise DepsError(f"The page found no file of {spec}.")
    folder = Path(site_packages or sysconfig.get_path("purelib"))
    changed = {package.name for package in packages if package.install(folder)}
    importlib.invalidate_caches()
    return SyncResult([spec]) if changed else SyncResult([], [spec])


class _Files:
    """The files that the page sent. Each is read once, and only when it is to be installed."""

    def __init__(self, wire: object) -> None:
        self._bytes: dict[str, bytes] = {}
        self._verified: set[str] = set()
        self._read: dict[str, Package] = {}
        for item in wire_items(wire):
            fields = wire_fields(item, "a package's file")
            content = fields.get("bytes")
            if not isinstance(content, bytes):
                raise DepsError("The page sent a package without its bytes.")
            filename = wire_text(fields, "filename")
            self._bytes[filename] = content
            if fields.get("verified") is True:
                self._verified.add(filename)

    @property
    def names(self) -> list[str]:
        return list(self._bytes)

    def read(self, names: Iterable[str]) -> list[Package]:
        """Read files before any of them is unpacked: all can be installed, or none is.

        Raises:
            DepsError: One is not what it should be.
        """
        return [self._read_one(name) for name in names]

    def _read_one(self, name: str) -> Package:
        from vitrine._wheels import read_package

        known = self._read.get(name)
        if known is None:
            content = self._bytes.get(name)
            if content is None:
                raise DepsError(f"The page did not send {name}.")
            known = self._read[name] = read_package(name, content, verified=name in self._verified)
        return known


def _joined(results: Iterable[SyncResult]) -> SyncResult:
    collected = list(results)
    return SyncResult(
        (spec for result in collected for spec in result["installed"]),
        (spec for result in collected for spec in result["already_present"]),
        {spec: why for result in collected for spec, why in result["reasons"].items()},
    )


__all__ = ["install_added", "install_found"]
