"""Runs folders of tests, and says as JSON what came of each."""

import json
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "/workspace")


def run(folder: str) -> dict[str, object]:
    """Run the tests of a folder, with those of the folders in it."""
    result = unittest.TestResult()
    unittest.TestLoader().discover(folder, top_level_dir="/workspace").run(result)
    # A test is told of once, however many of its subtests failed.
    failed = {
        getattr(test, "test_case", test).id(): text.strip().splitlines()[-1][:300]
        for test, text in [*result.failures, *result.errors]
    }
    return {
        "ran": result.testsRun,
        "skipped": len(result.skipped) + len(result.expectedFailures),
        "failed": [{"test": test, "reason": reason} for test, reason in failed.items()],
    }


def results(*folders: str) -> str:
    """Run the folders in their order."""
    return json.dumps({folder: run(folder) for folder in folders})
