"""Runs the tests of /workspace with unittest or pytest: the source of the tool run_tests."""

import contextlib
import importlib
import io
import json
import os
import sys
import traceback
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path("/workspace")

# How many failed tests are listed, and characters of the reason of one and of what was printed.
MOST_LISTED = 50
LONGEST_REASON = 4_000
LONGEST_OUTPUT = 8_000

# What unittest puts before the name of a module that it cannot import.
FAILED_IMPORT = "unittest.loader._FailedTest."


class Report:
    """What came of the tests so far."""

    def __init__(self, framework: str) -> None:
        self.framework = framework
        self.ran = 0
        self.skipped = 0
        self.reasons: dict[str, str] = {}

    def fail(self, test: str, reason: str) -> None:
        """Note a failure; of a test that fails several times, as in its subtests, the first."""
        self.reasons.setdefault(test, _shortened(reason.strip(), LONGEST_REASON))

    def fail_to_begin(self, test: str, reason: str) -> None:
        """Note what failed before any test of it ran, as if it were one."""
        self.ran += test not in self.reasons
        self.fail(test, reason)

    def as_dict(self, output: str) -> dict[str, Any]:
        """Give it as the page expects it."""
        failed = [{"test": test, "reason": reason} for test, reason in self.reasons.items()]
        return {
            "framework": self.framework,
            "ran": self.ran,
            "passed": max(0, self.ran - self.skipped - len(failed)),
            "skipped": self.skipped,
            "failed": failed[:MOST_LISTED],
            "more": max(0, len(failed) - MOST_LISTED),
            "output": _shortened(output, LONGEST_OUTPUT),
        }


def run_tests(given: str) -> dict[str, Any]:
    """Run tests.

    Args:
        given: JSON with `targets` and `framework`.
    """
    wanted = json.loads(given)
    targets: list[str] = [_below_root(target) for target in wanted["targets"]]
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    framework = wanted["framework"]
    if framework == "auto":
        framework = "pytest" if _is_set_up_for_pytest() else "unittest"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        report = _run_pytest(targets) if framework == "pytest" else _run_unittest(targets)
    return report.as_dict(printed.getvalue())


def _run_unittest(targets: list[str]) -> Report:
    report = Report("unittest")
    suite = unittest.TestSuite(_suites(targets, report))
    result = unittest.TestResult()
    # What the tests print is shown; a result of unittest's own would hide that of those that pass.
    suite.run(result)
    report.ran += result.testsRun
    report.skipped += len(result.skipped)
    failed: list[tuple[Any, str]] = [*result.failures, *result.errors]
    for test, text in failed:
        name = getattr(test, "test_case", test).id().removeprefix(FAILED_IMPORT)
        # unittest has not counted what it could not set up.
        note = report.fail if isinstance(test, unittest.TestCase) else report.fail_to_begin
        note(name, text)
    for test in result.unexpectedSuccesses:
        report.fail(test.id(), "It passes, and is marked as one that is expected to fail.")
    return report


def _suites(targets: list[str], report: Report) -> Iterator[unittest.TestSuite]:
    if not targets:
        yield unittest.TestLoader().discover(str(ROOT), top_level_dir=str(ROOT))
        # unittest looks into packages alone.
        for folder in ("test", "tests"):
            path = ROOT / folder
            if path.is_dir() and not (path / "__init__.py").exists():
                yield unittest.TestLoader().discover(str(path))
        return
    for target in targets:
        file, _, rest = target.partition("::")
        path = ROOT / file
        if path.is_dir():
            yield unittest.TestLoader().discover(str(path), top_level_dir=_top_of(path))
        elif path.is_file():
            name = ".".join([_module_of(path), *rest.split("::")] if rest else [_module_of(path)])
            yield _named(name, report)
        elif "/" in file or file.endswith(".py"):
            report.fail_to_begin(target, f"There is no {file} in {ROOT}.")
        else:
            yield _named(target, report)


def _named(name: str, report: Report) -> unittest.TestSuite:
    try:
        return unittest.TestSuite([unittest.TestLoader().loadTestsFromName(name)])
    except unittest.SkipTest:
        report.ran += 1
        report.skipped += 1
    except Exception:  # noqa: BLE001 - a module raises anything, and unittest keeps ImportError alone
        report.fail_to_begin(name, traceback.format_exc())
    return unittest.TestSuite()


def _top_of(folder: Path) -> str:
    """Name the folder from which the modules of a folder are imported."""
    return str(ROOT if (folder / "__init__.py").exists() else folder)


def _module_of(file: Path) -> str:
    folder = file.parent
    if (folder / "__init__.py").exists() or folder == ROOT:
        return ".".join(file.relative_to(ROOT).with_suffix("").parts)
    sys.path.insert(0, str(folder))
    return file.stem


def _run_pytest(targets: list[str]) -> Report:
    try:
        pytest: Any = importlib.import_module("pytest")
    except ImportError as error:
        message = (
            "pytest is not installed in this session; code adds it with deps.add('pytest'). "
            "Without it, run the tests with framework='unittest'."
        )
        raise RuntimeError(message) from error
    report = Report("pytest")
    # Neither files of its own beside the project nor a handler of the process are wanted.
    options = [
        "-q",
        "--no-header",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:faulthandler",
        "--capture=sys",
    ]
    pytest.main([*options, *targets], plugins=[_Collected(report)])
    return report


class _Collected:
    """A plugin of pytest that notes what came of each test."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._seen: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.nodeid not in self._seen:
            self._seen.add(report.nodeid)
            self._report.ran += 1
        if report.failed:
            self._report.fail(report.nodeid, str(report.longrepr))
        elif report.skipped:
            self._report.skipped += 1

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._report.ran += 1
            self._report.fail(report.nodeid or "collection", str(report.longrepr))


def _is_set_up_for_pytest() -> bool:
    if (
        (ROOT / "pytest.ini").exists()
        or any(ROOT.glob("conftest.py"))
        or any(ROOT.glob("test*/conftest.py"))
    ):
        return True
    settings = {
        "pyproject.toml": "[tool.pytest",
        "setup.cfg": "[tool:pytest]",
        "tox.ini": "[pytest]",
    }
    if any(section in _text_of(ROOT / name) for name, section in settings.items()):
        return True
    return any("import pytest" in _text_of(path) for path in ROOT.glob("test*/test*.py"))


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _below_root(target: str) -> str:
    """Name a target as seen from the project's folder."""
    return target.removeprefix(f"{ROOT}/").rstrip("/") or "."


def _shortened(text: str, limit: int) -> str:
    """Keep the end, where the reason is."""
    return text if len(text) <= limit else f"…{text[-limit:]}"
