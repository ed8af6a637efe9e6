"""How the files of packages are unpacked: while others come, and when they are read."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

from memory_bridge import InParts
from test_deps import Deps
from vitrine import _wheels
from wheel_files import wheel


class PackageFiles(Deps):
    """Files of packages on their way into site-packages."""

    def test_a_file_is_unpacked_while_others_are_on_their_way(self) -> None:
        events: list[str] = []
        read = _wheels.read_package

        def reading(filename: str, content: bytes, *, verified: bool = False) -> object:
            events.append(f"read {filename.partition('-')[0]}")
            return read(filename, content, verified=verified)

        def coming() -> Iterator[dict[str, Any]]:
            for name in ("probe", "probe_b"):
                events.append(f"sent {name}")
                yield wheel(name)
            events.append("answered")

        self.enterContext(mock.patch.object(_wheels, "read_package", reading))
        names = [wheel(name)["filename"] for name in ("probe", "probe_b")]
        answer = InParts(coming(), {"spec": "probe", "files": names})
        self.bridge.handlers["deps.add"] = lambda _: answer

        self.deps.add("probe")

        self.assertEqual(
            events, ["sent probe", "read probe", "sent probe_b", "read probe_b", "answered"]
        )
        self.assertEqual(self.files(), ["probe.py", "probe_b.py"])

    def test_files_that_stay_packed_are_read_written_moved_and_removed_as_others(self) -> None:
        text = "value = 'packed'\n" * 100
        files = {"probe/__init__.py": text, "probe/data.txt": "", "probe/more.txt": text}
        packed = wheel("probe", files=files, compressed=True) | {"verified": True}
        self.folder["probe"] = [packed]

        self.deps.add("probe")

        folder = self.site / "probe"
        self.assertEqual((folder / "more.txt").stat().st_size, len(text))
        self.assertEqual(importlib.import_module("probe").value, "packed")
        with (folder / "more.txt").open("a") as more:
            more.write("end")
        (folder / "more.txt").rename(folder / "moved.txt")
        self.assertEqual((folder / "moved.txt").read_text(), text + "end")
        self.assertEqual((folder / "data.txt").read_text(), "")
        self.folder["probe"] = [wheel("probe", "2.0", files={"probe/__init__.py": ""})]
        self.deps.add("probe==2.0")
        self.assertEqual((folder / "__init__.py").read_text(), "")
        self.assertEqual(self.files(), ["probe/__init__.py"])

    def test_what_stays_packed_is_compared_with_its_checksum_when_it_is_read(self) -> None:
        packed = wheel("probe", files={"probe.py": "value = 'x'" * 50}, compressed=True)
        content: bytes = packed["bytes"]
        at = 30 + content[26] + content[28]
        damaged = content[: at + 3] + bytes([content[at + 3] ^ 255]) + content[at + 4 :]
        self.folder["probe"] = [packed | {"bytes": damaged, "verified": True}]

        self.deps.add("probe")

        self.assertEqual((self.site / "probe.py").stat().st_size, 550)
        with self.assertRaises(OSError):
            (self.site / "probe.py").read_bytes()
