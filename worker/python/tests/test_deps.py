from __future__ import annotations

import importlib
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory_bridge import InParts, MemoryBridge, page_error
from vitrine._deps import DepsNamespace
from vitrine._errors import DepsError, DepSpecError
from vitrine._package_names import package_of
from wheel_files import wheel

# What is compiled for this interpreter.
COMPILED = "cp314-cp314-pyemscripten_2026_0_wasm32"


class Deps(unittest.TestCase):
    """The namespace ``deps`` over a page with a folder of wheels, into a folder of the test."""

    def setUp(self) -> None:
        self.folder: dict[str, list[dict[str, Any]]] = {}
        self.configured: list[str] = []
        self.bridge = MemoryBridge(
            deps__add=lambda asked: self.add(asked["package"]),
            deps__list=lambda _: self.configured,
            deps__remove=lambda asked: self.remove(asked["package"]),
            deps__sync=lambda _: self.sync_all(),
        )
        self.addCleanup(self.bridge.close)
        self.site = Path(self.enterContext(tempfile.TemporaryDirectory()))
        sys.path.insert(0, str(self.site))
        self.addCleanup(self.leave_site)
        self.deps: Any = DepsNamespace(self.bridge, str(self.site))

    def leave_site(self) -> None:
        sys.path.remove(str(self.site))
        for name in [name for name in sys.modules if name.startswith("probe")]:
            del sys.modules[name]
        importlib.invalidate_caches()

    def resolve(self, spec: str, operation: str) -> InParts:
        """The wheels of a package, or the page's refusal."""
        name = spec.split(">")[0].split("=")[0].split("[")[0]
        if name not in self.folder:
            raise page_error("DepsError", f"No wheel of {name} in the package folder", operation)
        wheels = self.folder[name]
        return InParts(wheels, {"spec": spec, "files": [one["filename"] for one in wheels]})

    def add(self, spec: str) -> object:
        """Remember a package and send its wheels."""
        reply = self.resolve(spec, "deps.add")
        name = package_of(spec)
        self.configured = [it for it in self.configured if package_of(it) != name] + [spec]
        return reply

    def remove(self, package: str) -> bool:
        """Forget a package."""
        known = package in self.configured
        self.configured = [spec for spec in self.configured if spec != package]
        return known

    def sync_all(self) -> object:
        """The wheels of all packages, and of each which it needs, or why there are none."""
        packages: list[dict[str, object]] = []
        wheels: dict[str, dict[str, Any]] = {}
        for spec in self.configured:
            try:
                found: Any = self.resolve(spec, "deps.sync").parts
            except DepsError as error:
                packages.append({"spec": spec, "reason": str(error)})
                continue
            packages.append({"spec": spec, "files": [one["filename"] for one in found]})
            wheels |= {one["filename"]: one for one in found}
        return InParts(wheels.values(), {"packages": packages})

    def files(self) -> list[str]:
        """What lies in site-packages."""
        return sorted(str(path.relative_to(self.site)) for path in self.site.rglob("*.py"))


class DepsInstallation(Deps):
    """Packages that come."""

    def test_an_added_package_is_importable_at_once(self) -> None:
        self.folder["probe"] = [wheel("probe")]
        with self.assertRaises(ModuleNotFoundError):
            importlib.import_module("probe")

        result = self.deps.add("probe")

        self.assertEqual(importlib.import_module("probe").version, "1.0")
        self.assertEqual((result.installed, result.already_present), ({"probe"}, set()))
        self.assertEqual(self.deps.list(), ["probe"])

    def test_a_package_that_is_there_is_left_alone(self) -> None:
        self.folder["probe"] = [wheel("probe")]
        self.deps.add("probe")
        (self.site / "probe.py").write_text("version = 'mine'")

        result = self.deps.add("probe")

        self.assertEqual((result.installed, result.already_present), (set(), {"probe"}))
        self.assertEqual((self.site / "probe.py").read_text(), "version = 'mine'")

    def test_another_version_takes_the_place_of_the_old_one(self) -> None:
        self.folder["probe"] = [wheel("probe", files={"probe.py": "", "probe_old.py": ""})]
        self.deps.add("probe")
        self.folder["probe"] = [wheel("probe", "2.0")]

        self.deps.add("probe>=2")

        self.assertEqual(self.files(), ["probe.py"])
        self.assertEqual(len(list(self.site.glob("*.dist-info/METADATA"))), 1)

    def test_what_a_package_needs_comes_with_it(self) -> None:
        self.folder["probe"] = [wheel("probe"), wheel("probe_b", "2.1")]

        result = self.deps.add("probe")

        self.assertEqual(self.files(), ["probe.py", "probe_b.py"])
        self.assertEqual(result.installed, {"probe"})
        self.assertEqual(self.bridge.methods(), ["deps.list", "deps.add"])

    def test_sync_installs_the_rest_and_says_what_failed(self) -> None:
        self.folder["probe"] = [wheel("probe")]
        self.folder["probe_b"] = [wheel("probe_b", changed={"probe_b.py": "evil = 1"})]
        self.configured = ["probe", "probe_b", "absent"]

        result = self.deps.sync()

        self.assertEqual((result.installed, result.failed), ({"probe"}, {"probe_b", "absent"}))
        self.assertIn("No wheel of absent", result.reasons["absent"])
        self.assertIn("differs from its RECORD", result.reasons["probe_b"])
        self.assertEqual(self.deps.sync().already_present, {"probe"})

    def test_a_fresh_session_has_none(self) -> None:
        result = self.deps.sync()

        self.assertEqual(
            (result.installed, result.already_present, result.failed), (set(), set(), set())
        )
        self.assertEqual(self.deps.list(), [])
        self.assertEqual(repr(self.deps), "<DepsNamespace: 0 package(s) configured>")

    def test_remove_says_whether_there_was_one(self) -> None:
        self.configured = ["probe"]

        self.assertEqual((self.deps.remove("probe"), self.deps.remove("probe")), (True, False))

    def test_every_call_can_be_awaited(self) -> None:
        self.folder["probe"] = [wheel("probe")]

        async def main() -> tuple[object, ...]:
            added = await self.deps.add("probe")
            return added.installed, await self.deps.list(), await self.deps.remove("probe")

        self.assertEqual(self.bridge.run_coroutine(main()), ({"probe"}, ["probe"], True))

    def test_scripts_and_data_stay_out_and_purelib_comes_in(self) -> None:
        files = {
            "probe.py": "",
            "probe-1.0.data/purelib/probe_more.py": "",
            "probe-1.0.data/scripts/probe_script.py": "",
        }
        self.folder["probe"] = [wheel("probe", files=files)]

        self.deps.add("probe")

        self.assertEqual(self.files(), ["probe.py", "probe_more.py"])

    def test_a_wheel_that_is_compiled_for_this_interpreter_comes(self) -> None:
        for tag in (COMPILED, COMPILED.replace("cp314-cp314", "cp39-abi3"), "py2.py3-none-any"):
            with self.subTest(tag):
                self.folder["probe"] = [wheel("probe", tag=tag)]
                self.deps.remove("probe")

                self.deps.add("probe")

                self.assertEqual(self.files(), ["probe.py"])

    def test_private_names_are_not_there(self) -> None:
        with self.assertRaises(AttributeError):
            _ = self.deps._wrapped


class DepsRefusals(Deps):
    """Packages that do not come, and why."""

    def refused(self, *wheels: dict[str, Any], spec: str = "probe") -> str:
        """Add a package that must be refused; nothing of it may stay."""
        self.folder["probe"] = list(wheels)
        with self.assertRaises(DepsError) as raised:
            self.deps.add(spec)
        self.assertEqual(list(self.site.iterdir()), [])
        self.assertEqual(self.configured, [])
        return str(raised.exception)

    def refused_but_for_folders(self, files: dict[str, str]) -> str:
        """The same where empty folders stay."""
        self.folder["probe"] = [wheel("probe", files=files)]
        with self.assertRaises(DepsError) as raised:
            self.deps.add("probe")
        self.assertEqual([path for path in self.site.rglob("*") if path.is_file()], [])
        return str(raised.exception)

    def test_a_wheel_for_another_machine(self) -> None:
        for tag in (
            COMPILED.replace("cp314", "cp313"),
            COMPILED.replace("cp314-cp314", "cp315-abi3"),
            "cp314-cp314-pyodide_2025_0_wasm32",
            "py2-none-any",
            "py3-none-linux_x86_64",
        ):
            with self.subTest(tag):
                message = self.refused(wheel("probe", tag=tag))

                self.assertIn(f"is built for {tag}", message)
                self.assertIn(f"What runs here is built for {COMPILED}", message)

    def test_no_wheel_at_all(self) -> None:
        self.assertIn("found no file of probe", self.refused())
        self.assertIn("found no file of probe", self.refused(wheel("probe_b")))
        self.assertIn(
            "is not the name of a wheel", self.refused({**wheel("probe"), "filename": "x.txt"})
        )

    def test_shared_libraries_that_would_write_elsewhere(self) -> None:
        outside = wheel("probe", changed={"../evil.so": "x"})

        self.assertIn(
            "a path out of its folder", self.refused({**outside, "filename": "probe-1.0.zip"})
        )

    def test_a_wheel_that_would_write_elsewhere(self) -> None:
        for path in (
            "../evil.py",
            "/evil.py",
            "a/../../evil.py",
            "a\\..\\evil.py",
            "c:evil.py",
            "a//evil.py",
            "probe-1.0.data/purelib//tmp/evil.py",
            "probe-1.0.data/purelib/../../evil.py",
        ):
            with self.subTest(path):
                self.assertIn(
                    "a path out of its folder", self.refused(wheel("probe", files={path: ""}))
                )

    def test_a_wheel_that_would_replace_the_interpreter(self) -> None:
        for path in (
            "vitrine/_bridge.py",
            "pyodide/__init__.py",
            "_pyodide/_base.py",
            "vitrine.py",
            "probe-1.0.data/purelib/vitrine/_bridge.py",
        ):
            with self.subTest(path):
                self.assertIn(
                    "a part of the interpreter", self.refused(wheel("probe", files={path: ""}))
                )

    def test_a_wheel_that_unpacks_to_more_than_it_says(self) -> None:
        whole = wheel("probe", files={"probe.py": "#" * 100_000}, compressed=True)
        size, lie = (number.to_bytes(4, "little") for number in (100_000, 10))
        lying = {**whole, "bytes": whole["bytes"].replace(size, lie)}
        huge = {**whole, "bytes": whole["bytes"].replace(size, (2**31).to_bytes(4, "little"))}

        self.assertIn("differs from its RECORD", self.refused(lying))
        libraries = lying | {"filename": "probe-1.0.zip"}
        self.assertIn("not a readable archive", self.refused(libraries))
        self.assertIn("unpacks to more than", self.refused(huge))

    def test_a_file_where_a_folder_is(self) -> None:
        files = {"probe/a.py": "", "probe": ""}

        self.assertIn("could not be unpacked", self.refused_but_for_folders(files))

    def test_a_record_that_is_no_table(self) -> None:
        for record in ("\udcff", "a," * 3 + "x" * 200_000):
            damaged = wheel("probe", changed={"probe-1.0.dist-info/RECORD": record})
            with self.subTest(record[:5]):
                self.assertIn("RECORD", self.refused(damaged))

    def test_a_link_is_a_file_like_another(self) -> None:
        link = 0o120777 << 16

        self.folder["probe"] = [wheel("probe", files={"probe.py": "/etc/passwd"}, mode=link)]
        self.deps.add("probe")

        self.assertFalse((self.site / "probe.py").is_symlink())
        self.assertEqual((self.site / "probe.py").read_text(), "/etc/passwd")

    def test_a_damaged_wheel(self) -> None:
        whole = wheel("probe")
        broken = whole | {"bytes": b"not a zip"}
        cut = whole | {"bytes": whole["bytes"][:-30]}
        changed = wheel("probe", changed={"probe.py": "evil = 1"})
        unlisted = wheel("probe", unlisted={"probe_evil.py": ""})

        self.assertIn("not a readable archive", self.refused(broken))
        self.assertIn("not a readable archive", self.refused(cut))
        self.assertIn("differs from its RECORD", self.refused(changed))
        self.assertIn("which its RECORD does not list", self.refused(unlisted))

    def test_of_a_wheel_whose_hash_the_page_has_compared_names_and_sizes_are_compared(self) -> None:
        longer = wheel("probe", changed={"probe.py": "evil = 1 # longer than what is listed"})
        unlisted = wheel("probe", unlisted={"probe_evil.py": ""})

        self.assertIn("differs from its RECORD", self.refused(longer | {"verified": True}))
        self.assertIn("does not list", self.refused(unlisted | {"verified": True}))

    def test_an_archive_whose_parts_contradict_one_another(self) -> None:
        whole = wheel("probe")
        content: bytes = whole["bytes"]
        header = content.index(b"PK\3\4")
        other_name = content[: header + 30] + b"q" + content[header + 31 :]
        no_header = content[:header] + b"PK\0\0" + content[header + 4 :]
        name_length = content[header + 26]
        at = header + 30 + name_length + content[header + 28]
        other_data = content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :]

        for damaged in (other_name, no_header):
            for verified in (True, False):
                archive = whole | {"bytes": damaged, "verified": verified}
                self.assertIn("not a readable archive", self.refused(archive))
        self.assertIn("not a readable archive", self.refused(whole | {"bytes": other_data}))

    def test_a_wheel_that_is_not_what_its_name_says(self) -> None:
        other = {**wheel("other"), "filename": "probe-1.0-py3-none-any.whl"}

        self.assertIn("has no metadata of probe", self.refused(other))
        newer = {**wheel("probe", "2.0"), "filename": "probe-1.0-py3-none-any.whl"}
        self.assertIn("holds probe 2.0 instead", self.refused(newer))
        renamed = wheel("probe", changed={"probe-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\n"})
        self.assertIn("does not say whether it is pure Python", self.refused(renamed))

    def test_of_several_wheels_one_that_is_damaged_keeps_all_out(self) -> None:
        damaged = wheel("probe_b", changed={"probe_b.py": "evil = 1"})

        self.assertIn("differs from its RECORD", self.refused(wheel("probe"), damaged))

    def test_a_version_that_does_not_install_leaves_the_old_one_configured(self) -> None:
        self.folder["probe"] = [wheel("probe")]
        self.deps.add("probe")
        self.folder["probe"] = [wheel("probe", "2.0", changed={"probe.py": "evil = 1"})]

        with self.assertRaises(DepsError):
            self.deps.add("probe==2.0")

        self.assertEqual((self.deps.list(), self.files()), (["probe"], ["probe.py"]))

    def test_the_pages_refusal_keeps_its_class(self) -> None:
        def refuse(asked: dict[str, Any]) -> object:
            raise page_error("DepSpecError", "Invalid", "deps.add", spec=asked["package"])

        self.bridge.handlers["deps.add"] = refuse

        with self.assertRaises(ValueError) as raised:
            self.deps.add("a b c")

        assert isinstance(raised.exception, DepSpecError)
        self.assertEqual(raised.exception.spec, "a b c")

    def test_what_is_no_text_is_a_type_error(self) -> None:
        methods: list[Callable[[Any], object]] = [self.deps.add, self.deps.remove]
        for method in methods:
            with self.assertRaises(TypeError):
                method(5)
