"""Wheels and shared libraries: checked, then put where Python finds them."""

from __future__ import annotations

import importlib
import os
import sysconfig
from collections.abc import Buffer, Iterable, Mapping
from pathlib import Path

from vitrine._archives import Archive
from vitrine._errors import DepsError
from vitrine._installed import installed_version, is_own, remove_installed
from vitrine._package_names import canonical_name
from vitrine._placing import can_leave_packed, place
from vitrine._wheel_names import name_and_version

# Where Pyodide has the shared libraries of packages.
_LIBRARIES = Path("/usr/lib")

_SAFE_DIGESTS = ("sha256=", "sha384=", "sha512=")


class Wheel:
    """A wheel that was read and found to be what it says.

    Args:
        filename: As it was published: it tells name, version and what it was built for.
        content: The whole archive.
        verified: Whether its source names its hash and the page has compared it. The digests of its
            RECORD would say nothing more, and are computed slowly here; most of its files are
            unpacked when they are read first, which are few of them.

    Raises:
        DepsError: It is no wheel, built for something else, damaged, not what its name says, or
            would write elsewhere.
    """

    def __init__(self, filename: str, content: bytes, *, verified: bool = False) -> None:
        self.filename = filename
        self.name, self.version = name_and_version(filename)
        self._archive = archive = Archive(filename, content)
        folder = self._metadata_folder(archive.entries)
        wheel = f"{folder}/WHEEL"
        _check_wheel_file(filename, archive.read(wheel) if wheel in archive.entries else b"")
        digests = _check_record(filename, archive, f"{folder}/RECORD")
        self._check_identity(_headers(archive.read(f"{folder}/METADATA")))
        paths = {
            name: path for name in archive.entries if (path := _install_path(name)) is not None
        }
        for path in paths.values():
            if is_own(path):
                raise DepsError(f"{filename} would replace {path}, a part of the interpreter.")
        packed = {name for name in paths if verified and _may_stay_packed(name)}
        # By their names in the archive.
        files = {name: archive.read(name) for name in archive.entries if name not in packed}
        if not verified:
            _check_digests(filename, files, digests)
        self._packed = {paths[name]: name for name in packed}
        self._files = {paths[name]: data for name, data in files.items() if name in paths}
        self._files[f"{folder}/INSTALLER"] = b"vitrine\n"

    def install(self, site_packages: Path) -> bool:
        """Put the wheel in the place of another version; False when this one is there.

        Raises:
            DepsError: A file could not be written. Nothing of the wheel stays.
        """
        if installed_version(self.name, site_packages) == self.version:
            return False
        remove_installed(self.name, site_packages)
        place(self.filename, os.fspath(site_packages), self._files, (self._archive, self._packed))
        return True

    def _check_identity(self, metadata: Mapping[str, str]) -> None:
        name, version = metadata.get("name", ""), metadata.get("version", "")
        if (canonical_name(name), canonical_name(version)) != (
            self.name,
            canonical_name(self.version),
        ):
            raise DepsError(f"{self.filename} holds {name[:80]} {version[:80]} instead.")

    def _metadata_folder(self, names: Iterable[str]) -> str:
        for path in names:
            folder, _, file = path.partition("/")
            package = folder.removesuffix(".dist-info").rpartition("-")[0]
            if file == "METADATA" and canonical_name(package) == self.name:
                return folder
        raise DepsError(f"{self.filename} has no metadata of {self.name}.")


class SharedLibraries:
    """An archive of shared libraries, such as Pyodide's lockfile has for packages to link with.

    It has no list of its own: the page has compared its hash with that of the source.

    Args:
        filename: ``name-version.zip``.
        content: The whole archive.
        folder: Where compiled code looks for libraries.

    Raises:
        DepsError: It is damaged, or would write elsewhere.
    """

    def __init__(self, filename: str, content: bytes, folder: Path = _LIBRARIES) -> None:
        self.filename = filename
        name, _, self.version = filename.removesuffix(".zip").rpartition("-")
        self.name = canonical_name(name)
        self._folder = folder
        archive = Archive(filename, content)
        self._files = {name: archive.read(name) for name in archive.entries}

    def install(self, site_packages: Path) -> bool:
        """Unpack the libraries; False when they are there.

        Raises:
            DepsError: A file could not be written. Nothing of the archive stays.
        """
        paths = {self._folder / name: data for name, data in self._files.items()}
        if all(path.is_file() and path.stat().st_size == len(data) for path, data in paths.items()):
            return False
        place(self.filename, os.fspath(self._folder), self._files)
        return True


type Package = Wheel | SharedLibraries


def read_package(filename: str, content: bytes, *, verified: bool = False) -> Package:
    """Read a file of a package, by what its name says that it is.

    Args:
        filename: As it was published.
        content: The whole archive.
        verified: Whether the page has compared its hash with the one that its source names.

    Raises:
        DepsError: It is not what it says.
    """
    if filename.endswith(".zip"):
        return SharedLibraries(filename, content)
    return Wheel(filename, content, verified=verified)


def install_wheel(filename: str, content: Buffer, verified: bool) -> str | None:
    """Unpack a package into this interpreter. Tells what went wrong; None when nothing did."""
    try:
        package = read_package(filename, bytes(content), verified=verified)
        package.install(Path(sysconfig.get_path("purelib")))
    except DepsError as error:
        return str(error)
    importlib.invalidate_caches()
    return None


def _check_wheel_file(filename: str, content: bytes) -> None:
    fields = _headers(content)
    if fields.get("wheel-version", "").partition(".")[0] != "1":
        raise DepsError(f"{filename} is of a wheel version that is not known here.")
    # Where files go is the same for both here.
    if fields.get("root-is-purelib", "").lower() not in {"true", "false"}:
        raise DepsError(f"{filename} does not say whether it is pure Python.")


def _headers(content: bytes) -> dict[str, str]:
    """The first value of each header, by its name in lower case."""
    found: dict[str, str] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        if not line:
            break
        name, colon, value = line.partition(":")
        if colon and not line[0].isspace():
            found.setdefault(name.lower(), value.strip())
    return found


def _check_record(filename: str, archive: Archive, record: str) -> dict[str, str]:
    """Compare names and sizes with the wheel's own list. Returns the digests there."""
    import csv

    if record not in archive.entries:
        raise DepsError(f"{filename} has no RECORD.")
    try:
        rows = [row for row in csv.reader(archive.read(record).decode().splitlines()) if row[1:]]
    except (UnicodeDecodeError, csv.Error) as error:
        raise DepsError(f"{filename} has a RECORD that cannot be read: {error}") from None
    digests = {row[0]: row[1] for row in rows}
    sizes = {row[0]: row[2] for row in rows if row[2:]}
    listed: dict[str, str] = {}
    for name, entry in archive.entries.items():
        if name == record or name.removeprefix(record) in (".jws", ".p7s"):
            continue
        if name not in digests:
            raise DepsError(f"{filename} holds {name!r}, which its RECORD does not list.")
        if not digests[name].startswith(_SAFE_DIGESTS):
            raise DepsError(f"{filename} gives no safe digest for {name!r}.")
        if sizes.get(name, "") not in {"", str(entry.size)}:
            raise _differs(filename, name)
        listed[name] = digests[name]
    return listed


def _check_digests(filename: str, files: Mapping[str, bytes], digests: Mapping[str, str]) -> None:
    import base64
    import hashlib

    for name, listed in digests.items():
        algorithm, _, expected = listed.partition("=")
        actual = base64.urlsafe_b64encode(hashlib.new(algorithm, files[name]).digest())
        if actual.decode().rstrip("=") != expected.rstrip("="):
            raise _differs(filename, name)


def _differs(filename: str, name: str) -> DepsError:
    return DepsError(f"{filename} is damaged: {name!r} differs from its RECORD.")


def _install_path(name: str) -> str | None:
    """Where a file of the archive belongs in site-packages; None for scripts and the like."""
    first, _, rest = name.partition("/")
    if not first.endswith(".data"):
        return name
    scheme, _, path = rest.partition("/")
    return path if scheme in ("purelib", "platlib") and path else None


def _may_stay_packed(name: str) -> bool:
    # Compiled code is what a package is imported for, and unpacked faster here than in JavaScript.
    return can_leave_packed() and not name.endswith(".so") and ".dist-info/" not in name
